"""Cookies of a request, parsed in linear time. Our own values never need quoting."""

from collections.abc import Iterator
from typing import Final

from starlette.requests import HTTPConnection

SECURE_SCHEMES: Final = ("https", "wss")


def guarded(name: str, scheme: str) -> str:
    """The name of a cookie that tells who somebody is: under TLS no neighbouring subdomain can set it (RFC 6265bis)."""
    return f"__Host-{name}" if scheme in SECURE_SCHEMES else name


def cookies_in(header: str) -> Iterator[tuple[str, str]]:
    """Names and values in the order in which they were sent."""
    for part in header.split(";"):
        name, separator, value = part.partition("=")
        if separator:
            yield name.strip(), value.strip()


def read_cookie(header: str, name: str) -> str:
    """The value of a cookie, or an empty string. The first one counts if there are several."""
    return next((value for sent, value in cookies_in(header) if sent == name), "")


def cookie_header(request: HTTPConnection) -> str:
    """All cookie headers as one: HTTP/2 proxies may split them."""
    return "; ".join(request.headers.getlist("cookie"))


def cookie(request: HTTPConnection, name: str) -> str:
    return read_cookie(cookie_header(request), name)

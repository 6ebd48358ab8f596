"""Cookies and seat tokens, which come in a cookie or as a Bearer token."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from illusion.rules.setup import MOST_PLAYERS
from illusion.tables import Table
from illusion.tables.model import commands
from illusion.tables.model.commands import hashed, is_table_id
from illusion.web.problems import Problem

MONTH_S: Final = 30 * 24 * 3600
YEAR_S: Final = 365 * 24 * 3600
MAX_SEAT_COOKIES: Final = 20
"""Seats kept by a browser: all cookies must fit into the 8 KB of headers that proxies accept."""
MAX_TOKEN_CHARACTERS: Final = 64
TOKEN: Final = re.compile(r"[\w-]{43}", re.ASCII)
"""The form of our tokens."""
SECURE_SCHEMES: Final = ("https", "wss")


def guarded(name: str, scheme: str, root: str = "") -> str:
    """The name of a cookie that tells who somebody is: under TLS no neighbouring subdomain can set it (RFC 6265bis).

    That name is for cookies of a whole site; the next best one is for those that belong to a path.
    """
    if scheme not in SECURE_SCHEMES:
        return name
    return f"__Secure-{name}" if root else f"__Host-{name}"


def cookies_in(header: str) -> Iterator[tuple[str, str]]:
    """Names and values in order, in linear time. Quoting is not supported: our values need none."""
    for part in header.split(";"):
        name, separator, value = part.partition("=")
        if separator:
            yield name.strip(), value.strip()


def read_cookie(header: str, name: str) -> str:
    """The value of a cookie, or an empty string; of several with this name, the first."""
    return next((value for sent, value in cookies_in(header) if sent == name), "")


def cookie_header(request: HTTPConnection) -> str:
    """All cookie headers as one: HTTP/2 proxies may split them."""
    return "; ".join(request.headers.getlist("cookie"))


def cookie(request: HTTPConnection, name: str) -> str:
    return read_cookie(cookie_header(request), name)


def set_cookie(
    response: Response, request: Request, name: str, value: str, max_age: int = YEAR_S, *, for_scripts: bool = False
) -> None:
    """A cookie of this site and path alone, out of reach of scripts unless they need it."""
    secure, path = request.url.scheme == "https", request.scope["root_path"] or "/"
    httponly = not for_scripts
    response.set_cookie(name, value, max_age=max_age, path=path, httponly=httponly, samesite="lax", secure=secure)


def delete_cookie(response: Response, request: Request, name: str) -> None:
    secure, path = request.url.scheme == "https", request.scope["root_path"] or "/"
    response.delete_cookie(name, path=path, httponly=True, samesite="lax", secure=secure)


def parse_tokens(authorization: str, cookies: str, table: str, scheme: str, root: str = "") -> tuple[str, ...]:
    """The tokens that the headers of a request hold for a table.

    If there is a Bearer token, it is the only one. A cookie holds several tokens if people share a device; duplicates,
    malformed ones, and more than a table has seats are ignored.
    """
    kind, _, bearer = authorization.partition(" ")
    is_bearer = kind.lower() == "bearer" and bearer
    sent = [bearer.strip()] if is_bearer else read_cookie(cookies, guarded(f"seat-{table}", scheme, root)).split(".")
    distinct = dict.fromkeys(token for token in sent if 0 < len(token) <= MAX_TOKEN_CHARACTERS)
    return tuple(islice(distinct, MOST_PLAYERS))


def is_token(text: str) -> bool:
    return TOKEN.fullmatch(text) is not None


class Held(NamedTuple):
    """A request's tokens for a table."""

    tokens: tuple[str, ...]
    hashes: tuple[str, ...]

    def seats(self, state: Table) -> list[int]:
        """The seats of these tokens; none for a spectator."""
        return state.seats_of(self.hashes)

    def acting_seat(self, state: Table) -> int:
        """The seat to act for."""
        if not self.tokens:
            raise Problem(401, "no-token")
        return commands.acting_seat(state, self.hashes)


def _place(request: HTTPConnection) -> tuple[str, str]:
    return request.scope["scheme"], request.scope.get("root_path", "")


def held(request: HTTPConnection, table: str) -> Held:
    authorization = request.headers.get("authorization", "")
    sent = parse_tokens(authorization, cookie_header(request), table, *_place(request))
    return Held(sent, tuple(map(hashed, sent)))


def device_hashes(request: HTTPConnection, table: str) -> list[str]:
    """The hashes of a request's tokens for all tables, by which people who were sent away are recognized."""
    kept = (token for _, value in cookies_in(cookie_header(request)) for token in value.split(".") if is_token(token))
    return [*held(request, table).hashes, *map(hashed, islice(kept, MAX_SEAT_COOKIES * MOST_PLAYERS))]


def held_seats(request: HTTPConnection, state: Table) -> list[int]:
    """The seats that a request has tokens for."""
    return held(request, state.id).seats(state)


def acting_seat(request: HTTPConnection, state: Table) -> int:
    return held(request, state.id).acting_seat(state)


def seat_cookies(request: HTTPConnection, kind: str = "") -> list[str]:
    """The tables that this browser has kept seats at, or what else its tokens are for, the oldest first."""
    names = (name for name, _ in cookies_in(cookie_header(request)))
    prefix = guarded(f"seat-{kind}", *_place(request))
    return [table for name in names if name.startswith(prefix) and is_table_id(table := name.removeprefix(prefix))]


def set_seat_cookie(
    response: Response, request: Request, table: str, held_tokens: tuple[str, ...], kind: str = ""
) -> None:
    """Keep the tokens in the browser. The oldest of their kind, which are sent first, are dropped."""
    others = [other for other in seat_cookies(request, kind) if other != table]
    for other in others[: max(len(others) + 1 - MAX_SEAT_COOKIES, 0)]:
        delete_cookie(response, request, guarded(f"seat-{kind}{other}", *_place(request)))
    set_cookie(response, request, guarded(f"seat-{kind}{table}", *_place(request)), ".".join(held_tokens), MONTH_S)

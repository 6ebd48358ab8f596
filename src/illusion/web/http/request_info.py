"""What a request says of itself before anybody looks at a table: whence, what for, and which seat it speaks for."""

import ipaddress
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from starlette.requests import cookie_parser
from starlette.types import Scope

from illusion.tables.model.commands import ID_LENGTH

SAFE: Final = ("GET", "HEAD", "OPTIONS")
STREAMS: Final = ("events", "live")


@dataclass(slots=True)
class RequestInfo:
    """One request. `status` is 0 until an answer has begun."""

    address: str
    method: str
    path: str
    changes: bool
    table: str | None
    tokens: tuple[str, ...]
    origin: str | None
    host: str
    stream: bool
    status: int = 0

    @property
    def names_a_table(self) -> bool:
        return self.table is not None or self.path in ("/join", "/watch")

    @classmethod
    def of(cls, scope: Scope) -> "RequestInfo":
        path, method = scope["path"], scope["method"]
        changes = method not in SAFE
        table, rest = _table(path)
        said = {b"origin": b"", b"host": b"", b"authorization": b"", b"cookie": b""}
        for name, value in scope["headers"]:
            if name in said:
                said[name] = said[name] + b"; " + value if said[name] and name == b"cookie" else value
        origin = said[b"origin"].decode("latin-1") or None
        if changes and origin is None and said[b"cookie"]:
            # A cookie speaks only for our own pages, and those say where they come from.
            said[b"cookie"] = b""
            scope["headers"] = [header for header in scope["headers"] if header[0] != b"cookie"]
        return cls(
            guest(scope["client"][0]) if scope.get("client") else "",
            method,
            path,
            changes,
            table,
            _tokens(said[b"authorization"].decode("latin-1"), said[b"cookie"].decode("latin-1"), table),
            origin,
            said[b"host"].decode("latin-1"),
            method == "GET" and rest in STREAMS,
        )


@lru_cache(4096)
def guest(address: str) -> str:
    """Whom an address counts for: with IPv6 a household has a whole network of 64 bits to itself."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _table(path: str) -> tuple[str | None, str]:
    """The table that a path names, and what follows it."""
    for before in ("/api/tables/", "/table/"):
        if path.startswith(before):
            table, _, rest = path[len(before) :].partition("/")
            return table, rest
    if path.startswith("/cards/"):
        return path[len("/cards/") :][:ID_LENGTH], ""
    return None, ""


def _tokens(authorization: str, cookie: str, table: str | None) -> tuple[str, ...]:
    """As in `seats`: a Bearer token, else the seats that a cookie holds at this table."""
    scheme, _, bearer = authorization.partition(" ")
    if scheme.lower() == "bearer" and bearer:
        return (bearer.strip(),)
    if table is None or f"seat-{table}=" not in cookie:
        return ()
    return tuple(token for token in cookie_parser(cookie).get(f"seat-{table}", "").split(".") if token)

"""What a request says about itself: client address, target table and seat tokens."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from starlette.requests import HTTPConnection
from starlette.types import Scope

from illusion.tables.model.commands import hashed
from illusion.web.http.csrf import SAFE_METHODS
from illusion.web.http.seat_tokens import parse_tokens
from illusion.web.http.urls import Target, target_of

MAX_ADDRESS_CHARACTERS: Final = 64
UNKNOWN_ADDRESS: Final = "unknown"
WEBSOCKET: Final = "WEBSOCKET"
"""Stands for the method of a request that opens one: it changes nothing yet, but it is not safe either."""
_CHANGE_NOTHING: Final = frozenset((*SAFE_METHODS, WEBSOCKET))


@dataclass(slots=True)
class RequestInfo:
    """One request. `status` is 0 until the response has begun."""

    address: str
    """What limits count for: an IPv4 address or an IPv6 network."""
    method: str
    path: str
    target: Target
    tokens: tuple[str, ...]
    origin: str | None
    host: str
    status: int = 0
    has_cookies: bool = False
    seat_keys: tuple[str, ...] = field(init=False)
    """What limits of a seat count for: hashes, so that nothing a guest sent is kept."""

    def __post_init__(self) -> None:
        self.hold(self.tokens)

    def hold(self, tokens: tuple[str, ...]) -> None:
        """Hashes them, once for all who ask whose they are."""
        self.tokens, self.seat_keys = tokens, tuple(map(hashed, tokens))

    @property
    def changes(self) -> bool:
        return self.method not in _CHANGE_NOTHING

    @property
    def table(self) -> str | None:
        return self.target.table

    @property
    def is_stream(self) -> bool:
        return self.target.is_stream and self.method in ("GET", WEBSOCKET)


class Outcome(NamedTuple):
    """What became of a request, or of a move that came over a socket."""

    route: str
    """Its pattern, which names no table."""
    method: str
    status: int
    code: str | None
    """Why it was refused."""
    seconds: float
    address: str
    table: str | None
    broken: Exception | None = None
    """What went wrong here."""


def request_info(scope: Scope) -> RequestInfo:
    """Read from the headers; changes nothing."""
    sent = _sent(scope["headers"])
    authorization, cookie = sent.get(b"authorization", b""), sent.get(b"cookie", b"")
    origin, target = sent.get(b"origin"), target_of(scope["path"])
    return RequestInfo(
        client_network(scope["client"][0]) if scope.get("client") else "",
        scope.get("method", WEBSOCKET),
        scope["path"],
        target,
        parse_tokens(
            authorization.decode("latin-1"), cookie.decode("latin-1"), target.table, scope.get("scheme", "http")
        ),
        origin.decode("latin-1") if origin else None,
        sent.get(b"host", b"").decode("latin-1"),
        has_cookies=bool(cookie),
    )


def _sent(headers: list[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Each header once; what was sent several times is joined."""
    sent = dict(headers)
    if len(sent) < len(headers):
        sent = {}
        for name, value in headers:
            joint = b"; " if name == b"cookie" else b", "  # two hosts are no host, and two origins no origin
            sent[name] = sent[name] + joint + value if sent.get(name) else value
    return sent


def client_address(request: HTTPConnection) -> str:
    """What limits count for."""
    return client_network(request.client.host) if request.client else ""


def client_network(address: str) -> str:
    """An IPv4 address, or the /64 network of an IPv6 address: a household has one to itself.

    What is no address, which a proxy may have been told, counts as one and the same.
    """
    return _network(address) if len(address) <= MAX_ADDRESS_CHARACTERS else UNKNOWN_ADDRESS


@lru_cache(4096)
def _network(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return UNKNOWN_ADDRESS
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def within(address: str, networks: Iterable[str]) -> bool:
    """Whether an address lies in one of these networks. What is no address lies in none."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in ipaddress.ip_network(network) for network in networks)

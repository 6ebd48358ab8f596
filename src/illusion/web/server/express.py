"""A move straight from the wire to its table: no task, and no layer between (`bench/README.md` says what that gains).

Only what is plain goes this way: a whole request in one piece, by whoever holds one seat, at a table that is in memory
and waits for nobody. It passes the same guard and the same rules as any other. Whatever is unusual about a request, it
is left as it is for the ordinary way, and that alone says no.
"""

import re
from collections.abc import Callable, Coroutine, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Any, Final, Protocol, cast

import msgspec
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from illusion.rules import Move
from illusion.tables import RefusalCode, Refused, Table, TableService
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry
from illusion.tables.runtime.table_service import Command
from illusion.web.api.routes import NewMove, move
from illusion.web.http import security
from illusion.web.http.limits import MAX_BODY_BYTES
from illusion.web.http.problems import Problem
from illusion.web.http.rate_limits import RateLimiter
from illusion.web.http.request_info import RequestInfo

START: Final = b"POST /api/tables/"
HEAD: Final = re.compile(
    rb"POST (/api/tables/([0-9a-z]{1,32})/moves) HTTP/1\.1\r\n((?:[A-Za-z0-9-]+:[\x20-\x7e]*\r\n)+)\r\n"
)
FIELD: Final = re.compile(rb"([^:]+): *([^\r]*)\r\n")
BODY_TO_COME: Final = re.compile(
    rb"(?i)POST /api/tables/[0-9a-z]+/moves HTTP/1\.1\r\n(?=.*\r\ncontent-length: *[1-9])(?!.*\r\nexpect:).*\r\n\r\n",
    re.DOTALL,
)
"""Many programs send a head and a body one after the other."""
UNUSUAL: Final = frozenset((b"connection", b"transfer-encoding", b"expect", b"upgrade", b"content-encoding"))
"""What would ask for more than a plain answer; `connection: keep-alive` asks for nothing."""

_decoder = msgspec.json.Decoder(NewMove)


class Wire(Protocol):
    """The connection that a request came on."""

    client: tuple[str, int] | None
    scheme: Any

    def answer(self, answered: bytes) -> None:
        """The express has the answer."""

    def go_the_ordinary_way(self, request: bytes) -> None:
        """The express has given up, and nothing has happened."""


class Express:
    """For one process; `trusted_proxies` say for whom they speak."""

    def __init__(self, app: Starlette, trusted_proxies: Sequence[str] = ()) -> None:
        self._service: TableService = app.state.service
        self._doorkeeper: RateLimiter = app.state.rate_limiter
        self._seen: Callable[[RequestInfo, Scope, float, Exception | None], None] = app.state.seen
        self._behind = ProxyHeadersMiddleware(_nowhere, list(trusted_proxies)) if trusted_proxies else None  # type: ignore[arg-type]

    @staticmethod
    def awaits_body(request: bytes) -> bool:
        """Whether this is the whole head of a move, and no more than that."""
        ends = request.startswith(START) and request.find(b"\r\n\r\n") == len(request) - 4
        return ends and BODY_TO_COME.fullmatch(request) is not None

    def take(self, wire: Wire, request: bytes) -> bool:
        """Whether a request goes this way; then the wire will hear of it."""
        head = HEAD.match(request) if request.startswith(START) else None
        if head is None:
            return False
        began = perf_counter()
        headers = [(name.lower(), value) for name, value in FIELD.findall(head[3])]
        said = dict(headers)
        body = request[head.end() :]
        if said.get(b"connection", b"").lower() == b"keep-alive":
            del said[b"connection"], headers[[name for name, _ in headers].index(b"connection")]
        if (
            len(said) != len(headers)
            or said.get(b"content-length") != b"%d" % len(body)
            or not UNUSUAL.isdisjoint(said)
            or len(body) > MAX_BODY_BYTES
            or b" \r\n" in head[3]
        ):
            return False
        scope: Scope = {
            "type": "http",
            "method": "POST",
            "path": head[1].decode(),
            "headers": headers,
            "client": wire.client,
            "scheme": wire.scheme,
            "endpoint": move,
        }
        if self._behind is not None:
            _at_once(self._behind(scope, None, None))  # type: ignore[arg-type]
        visit = RequestInfo.of(scope)
        if len(visit.tokens) != 1 or security.objection(visit, scope) or self._doorkeeper.must_wait(visit):
            return False
        try:
            wanted = _decoder.decode(body)
            chosen = wanted.chosen()
        except (msgspec.DecodeError, UnicodeDecodeError, Problem):
            return False

        def moved(seq: int | None) -> None:
            if seq is None:
                wire.go_the_ordinary_way(request)
                return
            visit.status = 200
            wire.answer(answer(seq))
            self._seen(visit, scope, perf_counter() - began, None)

        if not self._service.do_at_once(head[2].decode(), by_token(visit.tokens[0], chosen, wanted.seq), moved):
            return False
        self._doorkeeper.charge(visit)
        return True


def by_token(token: str, chosen: Move, seq: int) -> Command:
    """A move for the seat that a token holds."""

    def command(state: Table, now: float) -> list[AnyEntry]:
        seat = state.seat_of(commands.hashed(token))
        if seat is None:
            raise Refused(RefusalCode.NOT_SEATED)
        return commands.move(state, now, seat, chosen, seq)

    return command


def answer(seq: int) -> bytes:
    """What follows the server's own headers: the same as from `api.move`, behind the guard."""
    body = b'{"seq":%d}' % seq
    return _head(len(body)) + body


@lru_cache(64)
def _head(length: int) -> bytes:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % length), *security.RAW]
    return b"".join(b"%s: %s\r\n" % header for header in headers) + b"\r\n"


async def _nowhere(scope: Scope, receive: Receive, send: Send) -> None:
    """Where the proxies' middleware leads to: we only want to know what it makes of the scope."""


def _at_once(doing: Coroutine[Any, Any, None]) -> None:
    """Run what waits for nothing."""
    try:
        cast("Any", doing).send(None)
    except StopIteration:
        return
    raise AssertionError("it waits for something")

"""Around every request: no state changed from another site, nobody in excess, and headers that keep browsers strict."""

import re
from collections.abc import Awaitable, Callable
from functools import lru_cache
from time import perf_counter
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from illusion.languages import N_
from illusion.web.http.problems import Problem
from illusion.web.http.rate_limits import RateLimiter
from illusion.web.http.request_info import RequestInfo

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # Nothing is told to other sites. Not `no-referrer`: browsers would then send our own forms with `Origin: null`.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
RAW: Final = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
CLIENT_GONE: Final = 499
HOST: Final = re.compile(r"(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?", re.ASCII)


class SecurityMiddleware:
    """`refused` makes an answer of a problem; `seen` is told of every visit when it is over, and what broke it."""

    def __init__(
        self,
        app: ASGIApp,
        rate_limiter: RateLimiter,
        refused: Callable[[Request, Exception], Awaitable[Response]],
        seen: Callable[[RequestInfo, Scope, float, Exception | None], None],
    ) -> None:
        self.app = app
        self.rate_limiter = rate_limiter
        self.refused = refused
        self.seen = seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        visit, began, broken = RequestInfo.of(scope), perf_counter(), None

        async def strict(message: Message) -> None:
            if message["type"] == "http.response.start":
                visit.status = message["status"]
                there = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(each for each in RAW if each[0] not in there)]
            await send(message)

        try:
            await self._admit(visit, scope, receive, strict)
        except ClientDisconnect:
            visit.status = CLIENT_GONE
        except Exception as error:
            broken = error
            if visit.status:
                raise  # the answer has begun; cut off, it cannot be taken for a whole one
            await (await self.refused(Request(scope), Problem(500, "broken")))(scope, receive, strict)
        finally:
            self.rate_limiter.answered(visit)
            self.seen(visit, scope, perf_counter() - began, broken)

    async def _admit(self, visit: RequestInfo, scope: Scope, receive: Receive, send: Send) -> None:
        problem = objection(visit, scope) or await self.rate_limiter.refusal(visit)
        if problem is not None:
            await (await self.refused(Request(scope), problem))(scope, receive, send)
        elif visit.stream:
            self.rate_limiter.begins(visit)
            try:
                await self.app(scope, receive, send)
            finally:
                self.rate_limiter.ends(visit)
        else:
            await self.app(scope, receive, send)


def objection(visit: RequestInfo, scope: Scope) -> Problem | None:
    """What is wrong with a request, whoever sends it."""
    if not _host_is_one(visit.host):
        scope["headers"] = [header for header in scope["headers"] if header[0] != b"host"]
        return Problem(400, "unparsable", why=N_("the host name is not valid"))
    return Problem(403, "foreign-origin") if _foreign(visit, scope) else None


@lru_cache(1024)
def _host_is_one(host: str) -> bool:
    """Addresses that others shall open are made from it."""
    return len(host) < 256 and (not host or HOST.fullmatch(host) is not None)


def _foreign(visit: RequestInfo, scope: Scope) -> bool:
    """Whether another site's page wants to change something here, or an unencrypted copy of our own."""
    if not visit.changes or visit.origin is None:
        return False
    try:
        origin = urlsplit(visit.origin)
    except ValueError:
        return True
    return origin.netloc != visit.host or (scope["scheme"] == "https" and origin.scheme != "https")

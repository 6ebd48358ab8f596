"""The middleware around every request: host and CSRF checks, rate limits, security headers, and the request log."""

import re
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from time import perf_counter
from typing import Final

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from illusion.languages import N_
from illusion.web.http import urls
from illusion.web.http.csrf import CsrfDecision, csrf_decision
from illusion.web.http.hosts import Hosts
from illusion.web.http.limits import RateLimiter
from illusion.web.http.problems import Problem
from illusion.web.http.request_info import RequestInfo, request_info
from illusion.web.http.seat_tokens import Held, keep_parsed

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
HEADERS: Final = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    # Other sites learn nothing. Not `no-referrer`: browsers would then send our own forms with `Origin: null`.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
PROGRAM_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
}
"""For JSON and event streams (OWASP REST Security Cheat Sheet): in what is no page, nothing is loaded and no link is
followed. uvicorn checks every header of every response, and a move's answer had more of these than anything else."""


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


RAW_HEADERS: Final = _raw(HEADERS)
RAW_PROGRAM_HEADERS: Final = _raw(PROGRAM_HEADERS)
RESPONSE_STARTS: Final = ("http.response.start", "websocket.http.response.start")
SWITCHING_PROTOCOLS: Final = 101
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
"""No address of ours has one. A route's `$` matches before a line break, so it would be taken for another one."""
FORBIDDEN: Final = 403
"""What a server answers if a socket is closed before it was accepted (ASGI): there is none at that address."""
CLIENT_CLOSED_REQUEST: Final = 499
"""Logged when the client hung up; nginx's number for it."""

Refuse = Callable[[HTTPConnection, Exception], Awaitable[Response]]
OnFinished = Callable[[RequestInfo, Scope, float, Exception | None], None]
"""Called with a request when it is over, its scope, the seconds until its answer began, and what broke it."""


class SecurityMiddleware:
    """`refuse` turns a problem into a response."""

    def __init__(
        self, app: ASGIApp, hosts: Hosts, rate_limiter: RateLimiter, refuse: Refuse, on_finished: OnFinished
    ) -> None:
        self.app = app
        self.hosts = hosts
        self.rate_limiter = rate_limiter
        self.refuse = refuse
        self.on_finished = on_finished

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        info, began, broken = request_info(scope), perf_counter(), None
        headers = RAW_PROGRAM_HEADERS if info.path.startswith(urls.API_TABLES) else RAW_HEADERS
        seconds = 0.0

        async def send_with_headers(message: Message) -> None:
            nonlocal seconds
            if message["type"] in RESPONSE_STARTS:
                info.status = message["status"]
                message["headers"] = [*message["headers"], *headers]
            elif message["type"] == "websocket.accept":
                info.status = SWITCHING_PROTOCOLS
            elif message["type"] == "websocket.close":
                info.status = info.status or FORBIDDEN
            seconds = seconds or perf_counter() - began
            await send(message)

        try:
            await self._handle(info, scope, receive, send_with_headers)
        except (ClientDisconnect, WebSocketDisconnect):
            info.status = CLIENT_CLOSED_REQUEST
        except Exception as error:
            if scope["type"] == "websocket" and isinstance(error, OSError):  # so ASGI says that the client is gone
                info.status = CLIENT_CLOSED_REQUEST
                return
            broken = error
            if info.status:
                raise  # the response has begun; cut off, it cannot be mistaken for a whole one
            await self._refuse(Problem(500, "broken"), scope, receive, send_with_headers)
        finally:
            self.rate_limiter.answered(info)
            self.on_finished(info, scope, seconds or perf_counter() - began, broken)

    async def _handle(self, info: RequestInfo, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.hosts.accept(info.host):
            _drop_header(scope, b"host")
            problem = Problem(400, "unparsable", why=N_("the host name is not valid"))
            await self._refuse(problem, scope, receive, send)
            return
        decision = csrf_decision(info.method, scope["scheme"], info.host, info.origin)
        if decision is CsrfDecision.REFUSE:
            await self._refuse(Problem(403, "foreign-origin"), scope, receive, send)
            return
        if decision is CsrfDecision.IGNORE_COOKIES and info.has_cookies:
            _drop_header(scope, b"cookie")
            info.hold(request_info(scope).tokens)
        keep_parsed(scope, Held(info.table, info.tokens, info.seat_keys))
        refusal = self.rate_limiter.refusal(info)
        if refusal is not None:
            await self._refuse(refusal, scope, receive, send)
            return
        if CONTROL.search(info.path):
            await self._refuse(Problem(404, "not-found"), scope, receive, send)
            return
        with self.rate_limiter.stream(info) if info.is_stream else nullcontext():
            await self.app(scope, receive, send)

    async def _refuse(self, problem: Exception, scope: Scope, receive: Receive, send: Send) -> None:
        asking = Request(scope, receive) if scope["type"] == "http" else HTTPConnection(scope)
        response = await self.refuse(asking, problem)
        await response(scope, receive, send)


def _drop_header(scope: Scope, name: bytes) -> None:
    """Nothing behind this middleware sees the header."""
    scope["headers"] = [header for header in scope["headers"] if header[0] != name]

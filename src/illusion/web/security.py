"""The middleware around every request: host and CSRF checks, rate limits, security headers, metrics and log."""

import ipaddress
import re
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping
from time import perf_counter
from typing import Final
from urllib.parse import urlsplit

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from illusion.languages import N_
from illusion.web import urls
from illusion.web.limits import SAFE_METHODS, RateLimiter, client_address, method_of, target_of
from illusion.web.problems import Problem
from illusion.web.telemetry import Answered, Telemetry
from illusion.web.tokens import SECURE_SCHEMES

MAX_HOST_CHARACTERS: Final = 255
HOST: Final = re.compile(r"([\w.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?", re.ASCII)
MAX_ORIGIN_CHARACTERS: Final = 300
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
HEADERS: Final = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    # Not `no-referrer`: browsers would then send our own forms with `Origin: null`.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]
PROGRAM_HEADERS: Final = [
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
"""For JSON, event streams, scripts, styles and fonts (OWASP REST Security Cheat Sheet), which need fewer: each header
of a move's answer costs uvicorn a check, and a first visit counts its bytes."""
NO_PAGES: Final = (urls.API_TABLES, urls.API_EVENINGS, urls.STATIC)
RESPONSE_STARTS: Final = ("http.response.start", "websocket.http.response.start")
SWITCHING_PROTOCOLS: Final = 101
FORBIDDEN: Final = 403
"""The answer if a WebSocket is closed before it was accepted (ASGI)."""
CLIENT_CLOSED_REQUEST: Final = 499
"""Logged if the client hung up, as by nginx."""
GZIP_MIN_BYTES: Final = 700
GZIP_LEVEL: Final = 6
"""The highest level takes up to ten times as long, for a few percent."""
GZIP_IN_THREAD_BYTES: Final = 32 * 1024
"""Smaller bodies take less than a millisecond."""
WITH_OWN_TABLES: Final = ("/", urls.WATCH, urls.EYES)
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
"""Refused in paths: a route's `$` also matches before a trailing line break."""


class Hosts:
    """The allowed values of `Host`, which invitation links are made from: the names given; any, if none was given.

    localhost and IP addresses are always accepted.
    """

    def __init__(self, names: Collection[str] = ()) -> None:
        self._names = frozenset(map(_normalized, names))

    def accept(self, host: str) -> bool:
        """Whether this host is allowed. A missing `Host` (HTTP/1.0) is."""
        if not host:
            return True
        parts = HOST.fullmatch(host) if len(host) <= MAX_HOST_CHARACTERS else None
        if parts is None:
            return False
        name = _normalized(parts[1])
        return not self._names or name in self._names or name == "localhost" or _is_address(name)


def _normalized(name: str) -> str:
    return name.lower().removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def is_our_origin(scheme: str, host: str, origin: str) -> bool:
    """Whether a request comes from our own pages ("Verifying Origin With Standard Headers", OWASP CSRF Prevention)."""
    if len(origin) > MAX_ORIGIN_CHARACTERS:  # before the standard library's URL parser, which caches
        return False
    try:
        parsed = urlsplit(origin)
    except ValueError:
        return False
    schemes = ("https",) if scheme in SECURE_SCHEMES else ("http", "https")  # a proxy may hide that it has TLS
    return parsed.netloc == host and parsed.scheme in schemes


class Compression(GZipMiddleware):
    """gzip for answers to GET; those to changes are short.

    Not for a page that shows both somebody's tables and text from its URL: its compressed length would tell an
    eavesdropper whether the two are alike (BREACH).
    """

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, GZIP_MIN_BYTES, GZIP_LEVEL, GZIP_IN_THREAD_BYTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        repeats = scope.get("query_string") and urls.path_in(scope) in WITH_OWN_TABLES
        is_read = scope.get("method") == "GET" and not repeats
        answer = super().__call__ if is_read else self.app
        await answer(scope, receive, send)


class SecurityMiddleware:
    """`refuse` turns a problem into a response; `paths` are the patterns of routes by endpoint; all of them are under
    `root`, unless the server names another path for a request.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Hosts,
        rate_limiter: RateLimiter,
        telemetry: Telemetry,
        refuse: Callable[[HTTPConnection, Exception], Awaitable[Response]],
        paths: Mapping[Hashable, str],
        root: str = "",
    ) -> None:
        self._app = app
        self._root = root
        self._hosts = hosts
        self._rate_limiter = rate_limiter
        self._telemetry = telemetry
        self._refuse = refuse
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope["send"] = send  # for a socket once it is open: nothing is added to its messages
        scope["headers"] = [*scope["headers"]]  # a server may add a request's trailers to its own list later
        is_placed, path = _place(scope, self._root)
        began, seconds, status, broken = perf_counter(), 0.0, 0, None
        headers = PROGRAM_HEADERS if path.startswith(NO_PAGES) else HEADERS

        async def send_with_headers(message: Message) -> None:
            nonlocal seconds, status
            if message["type"] in RESPONSE_STARTS:
                status = message["status"]
                message["headers"] = [*message["headers"], *headers]
            elif message["type"] == "websocket.accept":
                status = SWITCHING_PROTOCOLS
            elif message["type"] == "websocket.close":
                status = status or FORBIDDEN
            seconds = seconds or perf_counter() - began
            await send(message)

        try:
            try:
                if not is_placed:
                    raise Problem(400, "unparsable", why=N_("the path in front of the address is not valid"))
                self._check(HTTPConnection(scope))
                with self._rate_limiter.request(HTTPConnection(scope), path):  # which sees no header that was dropped
                    if CONTROL.search(path):
                        raise Problem(404, "not-found")
                    await self._app(scope, receive, send_with_headers)
            except Problem as problem:
                await self._answer(problem, scope, receive, send_with_headers)
        except (ClientDisconnect, WebSocketDisconnect):
            status = CLIENT_CLOSED_REQUEST
        except Exception as error:
            if scope["type"] == "websocket" and isinstance(error, OSError):  # ASGI: the client is gone
                status = CLIENT_CLOSED_REQUEST
                return
            broken = error
            if status:
                raise  # the response has begun: cut it off
            await self._answer(Problem(500, "broken"), scope, receive, send_with_headers)
        finally:
            asked, table = HTTPConnection(scope), target_of(path).table
            method, address = method_of(asked), client_address(asked)
            if status == 404:
                self._rate_limiter.missed(address)
            route, code = self._paths.get(scope.get("endpoint"), "other"), scope.get("refused")
            seconds = seconds or perf_counter() - began
            self._telemetry.answered(Answered(route, method, status, code, seconds, address, table, broken))

    async def _answer(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Request(scope, receive) if scope["type"] == "http" else HTTPConnection(scope)
        response = await self._refuse(asked, problem)
        await response(scope, receive, send)

    def _check(self, asked: HTTPConnection) -> None:
        """Check host and origin; several headers of either are refused.

        Browsers send Origin with every request that changes something or opens a WebSocket. A request without it comes
        from a program, which proves its seat by a Bearer token; its cookies are dropped, so that a browser too old to
        send Origin can change nothing.
        """
        host, origin = (", ".join(asked.headers.getlist(name)) for name in ("host", "origin"))
        if not self._hosts.accept(host):
            _drop_header(asked.scope, b"host")
            raise Problem(400, "unparsable", why=N_("the host name is not valid"))
        if method_of(asked) in SAFE_METHODS:
            return
        if not origin:
            _drop_header(asked.scope, b"cookie")
        elif not is_our_origin(asked.scope["scheme"], host, origin):
            raise Problem(403, "foreign-origin")


def _place(scope: Scope, otherwise: str) -> tuple[bool, str]:
    """Make a request's `path` begin with its `root_path`, as ASGI wants it, whether it came with it or without.

    Tells whether that root is one that may be, and the path as our routes know it.
    """
    told, path = (scope.get("root_path") or otherwise).rstrip("/"), scope["path"]
    may_be = not told or urls.is_root(told)
    root = scope["root_path"] = told if may_be else ""
    inside = path.removeprefix(root) if path == root or path.startswith(root + "/") else path
    scope["path"] = root + inside
    return may_be, inside


def _drop_header(scope: Scope, name: bytes) -> None:
    scope["headers"] = [header for header in scope["headers"] if header[0] != name]

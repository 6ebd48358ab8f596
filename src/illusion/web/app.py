"""The application: routes and middleware around one table service."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field

from anyio.lowlevel import checkpoint
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from illusion.languages import Language, languages
from illusion.tables import Automation, CannotOpen, Follower, Pace, Store, StoreObserver, TableService
from illusion.tables.worker import Where
from illusion.web.api import openapi, routes
from illusion.web.context import AppContext
from illusion.web.http import urls
from illusion.web.http.hosts import Hosts
from illusion.web.http.limits import Limits, RateLimiter, UnfinishedTables
from illusion.web.http.problems import REFUSALS, TOO_MANY_REQUESTS, as_refusal, describe, problem_response
from illusion.web.http.request_info import Outcome, RequestInfo
from illusion.web.http.security import SecurityMiddleware
from illusion.web.images import bot_faces, card_images
from illusion.web.live import pages as live_pages
from illusion.web.live.hub import Hubs
from illusion.web.ops import health
from illusion.web.ops.logs import RequestLog
from illusion.web.ops.metrics import Metrics
from illusion.web.ops.store_check import StoreCheck
from illusion.web.pages import eyes, home, learn, look_back, pwa, shared_screen, static_files, table
from illusion.web.pages.templates import busy_page, error_page
from illusion.web.reader import language, settings
from illusion.web.reader.language import language_of

ROUTES = [
    *routes.ROUTES,
    *health.ROUTES,
    *openapi.ROUTES,
    *card_images.ROUTES,
    *bot_faces.ROUTES,
    *static_files.ROUTES,
    *learn.ROUTES,
    *pwa.ROUTES,
    *language.ROUTES,
    *settings.ROUTES,
    *shared_screen.ROUTES,
    *look_back.ROUTES,
    *eyes.ROUTES,
    *table.ROUTES,
    *home.ROUTES,
]
SOCKETS = live_pages.ROUTES
PATH_OF = {route.endpoint: route.path for route in ROUTES} | {socket.endpoint: socket.path for socket in SOCKETS}
"""How a route is named in metrics and logs: by its pattern, which names no table."""
GZIP_MIN_BYTES = 700
GZIP_LEVEL = 6
"""The highest takes up to ten times as long, for a few percent."""
GZIP_IN_THREAD_BYTES = 32 * 1024
"""Less is compressed within a millisecond."""
WITH_OWN_TABLES = ("/", urls.WATCH, urls.EYES)
METHOD_NOT_ALLOWED = 405
OPEN_RETRIES = 5
OPEN_RETRY_S = 1.0


class Compression:
    """For what is read: pages, pictures, views. Changes have short answers, and streams are never compressed.

    Nor is a page with somebody's tables that repeats what a link named: its length would tell a listener whether the
    two are alike (BREACH).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._compressing = GZipMiddleware(app, GZIP_MIN_BYTES, GZIP_LEVEL, GZIP_IN_THREAD_BYTES)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        is_read = scope["type"] == "http" and scope["method"] == "GET" and not urls.target_of(scope["path"]).is_stream
        if is_read and not (scope["path"] in WITH_OWN_TABLES and scope["query_string"]):
            return self._compressing(scope, receive, send)
        return self._plain(scope, receive, send)


@dataclass(frozen=True, slots=True)
class AppOptions:
    """What an application is told when it is made."""

    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    lan: str | None = None
    """The machine's address on its network, where phones can reach it."""
    host_names: Sequence[str] = ()
    """The names under which it is served; without any, every one is accepted."""
    metrics_from: Sequence[str] = ()
    """Networks that may read /metrics, besides the machine itself."""
    drawing: Where | None = None
    """Where pictures are drawn: in a process where there are cores to spare, unless it is said."""
    languages: Mapping[str, Language] = field(default_factory=languages)


def create_app(
    store: Store,
    options: AppOptions | None = None,
    lock: AbstractContextManager[None] | None = None,
) -> Starlette:
    """A plain ASGI application. It opens the store when it starts, holding the lock, and closes it when it stops."""
    options = options or AppOptions()
    metrics, request_log, automation = Metrics(), RequestLog(), Automation(options.pace)
    unfinished_tables = UnfinishedTables(options.limits.unfinished)
    service = TableService(store, observers=(automation, unfinished_tables, metrics), drawing=options.drawing)
    rate_limiter = RateLimiter(service, options.limits, unfinished_tables, metrics.streams)

    def on_finished(info: RequestInfo, scope: Scope, seconds: float, broken: Exception | None) -> None:
        route, code = PATH_OF.get(scope.get("endpoint", _refuse), "other"), scope.get("refused")
        outcome = Outcome(route, info.method, info.status, code, seconds, info.address, info.table, broken)
        metrics.count_request(outcome)
        request_log.log(outcome)

    app = Starlette(
        routes=[*ROUTES, *SOCKETS],
        middleware=[
            Middleware(
                SecurityMiddleware,
                hosts=Hosts(options.host_names),
                rate_limiter=rate_limiter,
                refuse=_refuse,
                on_finished=on_finished,
            ),
            Middleware(Compression),
        ],
        exception_handlers=dict.fromkeys(REFUSALS, _refuse),
        lifespan=_lifespan(automation, lock or nullcontext()),
    )
    app.state.context = AppContext(
        store,
        service,
        Hubs(service),
        options.pace,
        rate_limiter,
        metrics,
        request_log,
        StoreCheck(store),
        options.languages,
        options.lan,
        options.metrics_from,
    )
    return app


def _lifespan(
    automation: Automation, lock: AbstractContextManager[None]
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        running: AppContext = app.state.context
        await checkpoint()  # anyio loads half of itself at its first use, for 50 ms: before anybody plays
        with lock:
            follower = Follower(running.service, running.store)
            await _open(running.store, follower)
            await automation.start(running.service)
            follower.start()
            cards = await running.service.worker.run(card_images.sample_deck)
            running.service.pictures.prefetch(cards[:1])  # so that what draws has started when somebody comes
            yield
            running.hubs.close()
            await automation.stop()
            await follower.stop()
            await running.service.stop()
            await running.store.close()

    return lifespan


async def _open(store: Store, observer: StoreObserver) -> None:
    """A database that answered when the server was started may be out of reach just when a worker starts."""
    for _ in range(OPEN_RETRIES):
        try:
            return await store.open(observer)
        except CannotOpen:
            await asyncio.sleep(OPEN_RETRY_S)
    return await store.open(observer)


async def _refuse(request: HTTPConnection, error: Exception) -> Response:
    """A sentence for people, a code for programs."""
    refusal = as_refusal(error)
    reader_language = language_of(request)
    status, code, sentence = describe(refusal, reader_language)
    request.scope["refused"] = code
    if request.scope["path"].startswith(urls.FOR_PROGRAMS) or not isinstance(request, Request):
        response = problem_response(refusal, reader_language)
    elif status == TOO_MANY_REQUESTS:
        response = busy_page(reader_language, status, sentence)
    else:
        response = await error_page(request, status, code, sentence)
    if "wait" in refusal.parameters:
        response.headers["retry-after"] = str(refusal.parameters["wait"])
    if status == METHOD_NOT_ALLOWED:
        response.headers["allow"] = ", ".join(_methods_at(request.scope))
    return response


def _methods_at(scope: Scope) -> list[str]:
    """Of all routes of an address (RFC 9110 15.5.6)."""
    matching = (route for route in ROUTES if route.matches(scope)[0] is not Match.NONE)
    return sorted({method for route in matching for method in route.methods or ()})

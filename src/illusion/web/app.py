"""The application: routes and middleware around one table service."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from anyio.lowlevel import checkpoint
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from illusion.languages import Language, languages
from illusion.tables import Automation, CannotOpen, Follower, Pace, Store, TableService
from illusion.tables.model import commands
from illusion.tables.worker import Where
from illusion.web.api import openapi, routes
from illusion.web.context import AppContext
from illusion.web.http import urls
from illusion.web.http.hosts import Hosts
from illusion.web.http.limits.rate_limits import Limits, RateLimiter
from illusion.web.http.limits.unfinished_tables import UnfinishedTables
from illusion.web.http.problems import TOO_MANY_REQUESTS, as_refusal, describe, problem_response
from illusion.web.http.request_info import RequestInfo
from illusion.web.http.security import SecurityMiddleware
from illusion.web.images import bot_faces, card_images
from illusion.web.live import page_socket
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
SOCKETS = page_socket.ROUTES
PATH_OF = {route.endpoint: route.path for route in ROUTES} | {socket.endpoint: socket.path for socket in SOCKETS}
"""How a route is named in metrics and logs: by its pattern, which names no table."""
GZIP_MIN_BYTES = 700
GZIP_LEVEL = 6
"""The highest takes up to ten times as long, for a few percent."""
GZIP_IN_THREAD_BYTES = 32 * 1024
"""Less is compressed within a millisecond."""
OPEN_RETRIES = 5
OPEN_RETRY_S = 1.0


class Compression:
    """For what is read: pages, pictures, views. Changes have short answers, and streams are never compressed."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._compressing = GZipMiddleware(app, GZIP_MIN_BYTES, GZIP_LEVEL, GZIP_IN_THREAD_BYTES)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        is_read = scope["type"] == "http" and scope["method"] == "GET" and not urls.target_of(scope["path"]).is_stream
        return (self._compressing if is_read else self._plain)(scope, receive, send)


class App(Starlette):
    """Refusals and errors are answered by `SecurityMiddleware`; Starlette's own two layers for them are left out."""

    def build_middleware_stack(self) -> ASGIApp:
        app: ASGIApp = self.router
        for middleware in reversed(self.user_middleware):
            app = middleware.cls(app, *middleware.args, **middleware.kwargs)
        return app


def create_app(
    store: Store,
    pace: Pace | None = None,
    lan: str | None = None,
    limits: Limits | None = None,
    metrics_from: Sequence[str] = (),
    offered_languages: Mapping[str, Language] | None = None,
    host_names: Sequence[str] = (),
    drawing: Where | None = None,
    new_id: Callable[[], str] = commands.new_id,
) -> Starlette:
    """`lan` is the machine's address on its network, where phones can reach it; without host names any is accepted.

    Pictures are drawn in a process where there are cores to spare, unless `drawing` says where. `new_id` draws the ids
    of new tables.
    """
    limits = limits or Limits()
    metrics, request_log, automation = Metrics(), RequestLog(), Automation(pace)
    unfinished_tables = UnfinishedTables(limits.unfinished)
    service = TableService(store, new_id=new_id, observers=(automation, unfinished_tables, metrics), drawing=drawing)
    rate_limiter = RateLimiter(service, limits, unfinished_tables, metrics.streams)

    def on_finished(info: RequestInfo, scope: Scope, seconds: float, broken: Exception | None) -> None:
        route, code = PATH_OF.get(scope.get("endpoint", _refuse), "other"), scope.get("refused")
        metrics.count_request(info, route, code, seconds)
        request_log.log(info, route, code, seconds, broken)

    app = App(
        routes=[*ROUTES, *SOCKETS],
        middleware=[
            Middleware(
                SecurityMiddleware,
                hosts=Hosts(host_names),
                rate_limiter=rate_limiter,
                refuse=_refuse,
                on_finished=on_finished,
            ),
            Middleware(Compression),
        ],
        lifespan=_lifespan(automation),
    )
    app.state.context = AppContext(
        store,
        service,
        rate_limiter,
        metrics,
        request_log,
        StoreCheck(store),
        offered_languages or languages(),
        lan,
        metrics_from,
    )
    return app


def _lifespan(automation: Automation) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        running: AppContext = app.state.context
        await checkpoint()  # anyio loads half of itself at its first use, for 50 ms: before anybody plays
        await _open(running.store)
        follower = Follower(running.service, running.store)
        await automation.start(running.service)
        follower.start()
        running.service.pictures.start()
        yield
        await automation.stop()
        await follower.stop()
        await running.service.stop()
        await running.store.close()

    return lifespan


async def _open(store: Store) -> None:
    """A database that answered when the server was started may be out of reach just when a worker starts."""
    for _ in range(OPEN_RETRIES):
        try:
            return await store.open()
        except CannotOpen:
            await asyncio.sleep(OPEN_RETRY_S)
    return await store.open()


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
    return response

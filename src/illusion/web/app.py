"""The application: routes and middleware around one table service."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from illusion.languages import Language, languages
from illusion.rules import RulesError
from illusion.tables import Automation, CannotOpen, Follower, Pace, Refused, Store, StoreFailed, TableService
from illusion.tables.runtime.fair_queue import TooMuchWork
from illusion.web.api import openapi, routes
from illusion.web.context import AppContext
from illusion.web.http import urls
from illusion.web.http.hosts import Hosts
from illusion.web.http.limits.rate_limits import Limits, RateLimiter
from illusion.web.http.problems import Problem, describe, problem_response
from illusion.web.http.request_info import RequestInfo
from illusion.web.http.security import SecurityMiddleware
from illusion.web.images import bot_faces, card_images
from illusion.web.ops import health
from illusion.web.ops.logs import RequestLog
from illusion.web.ops.metrics import Metrics
from illusion.web.ops.store_check import StoreCheck
from illusion.web.pages import home, learn, pwa, shared_screen, static_files, table, table_stream
from illusion.web.pages.templates import busy_page, error_page
from illusion.web.reader import language
from illusion.web.reader.language import language_of

ROUTES = [
    *health.ROUTES,
    *openapi.ROUTES,
    *routes.ROUTES,
    *card_images.ROUTES,
    *bot_faces.ROUTES,
    *static_files.ROUTES,
    *learn.ROUTES,
    *pwa.ROUTES,
    *language.ROUTES,
    *shared_screen.ROUTES,
    *table_stream.ROUTES,
    *table.ROUTES,
    *home.ROUTES,
]
PATH_OF = {route.endpoint: route.path for route in ROUTES}
"""How a route is named in metrics and logs: by its pattern, which names no table."""
GZIP_MIN_BYTES = 700
TOO_MANY_REQUESTS = 429
OPEN_RETRIES = 5
OPEN_RETRY_S = 1.0


class Compression(GZipMiddleware):
    """For what is read: pages, pictures, views. Changes have short answers, and streams are never compressed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_read = scope["type"] == "http" and scope["method"] == "GET" and not urls.target_of(scope["path"]).is_stream
        await (super().__call__ if is_read else self.app)(scope, receive, send)


def create_app(
    store: Store,
    pace: Pace | None = None,
    lan: str | None = None,
    limits: Limits | None = None,
    metrics_from: Sequence[str] = (),
    offered_languages: Mapping[str, Language] | None = None,
    host_names: Sequence[str] = (),
    painters: int = 0,
) -> Starlette:
    """`lan` is the machine's address on its network, where phones can reach it; without host names any is accepted.

    `painters` are processes that draw pictures; without any, they are drawn here.
    """
    metrics, request_log, service = Metrics(), RequestLog(), TableService(store)
    service.on_stored = metrics.count_stored
    rate_limiter = RateLimiter(service, limits or Limits(), metrics.streams)
    service.on_end = rate_limiter.unfinished_tables.end
    service.worker.on_cost = service.painters.on_cost = service.reviews.on_cost = rate_limiter.charge_cpu

    def on_finished(info: RequestInfo, scope: Scope, seconds: float, broken: Exception | None) -> None:
        route, code = PATH_OF.get(scope.get("endpoint", _refuse), "other"), scope.get("refused")
        metrics.count_request(info, route, code, seconds)
        request_log.log(info, route, code, seconds, broken)

    app = Starlette(
        routes=ROUTES,
        middleware=[
            Middleware(
                SecurityMiddleware,
                hosts=Hosts(host_names),
                rate_limiter=rate_limiter,
                refuse=_refuse,
                on_finished=on_finished,
            ),
            Middleware(Compression, minimum_size=GZIP_MIN_BYTES),
        ],
        exception_handlers={
            Problem: _refuse,
            Refused: _refuse,
            RulesError: _refuse,
            HTTPException: _refuse,
            StoreFailed: _refuse,
            TooMuchWork: _refuse,
        },
        lifespan=_lifespan(pace, painters),
    )
    app.state.context = AppContext(
        store, service, rate_limiter, metrics, StoreCheck(store), offered_languages or languages(), lan, metrics_from
    )
    return app


def _lifespan(pace: Pace | None, painters: int) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        running: AppContext = app.state.context
        await _open(running.store)
        automation, follower = Automation(running.service, pace), Follower(running.service, running.store)
        await automation.start()
        follower.start()
        running.service.painters.start(painters)
        yield
        await automation.stop()
        await follower.stop()
        await running.service.painters.stop()
        await running.service.reviews.stop()
        running.service.worker.stop()
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


async def _refuse(request: Request, error: Exception) -> Response:
    """A sentence for people, a code for programs."""
    refusal = _as_refusal(error)
    reader_language = language_of(request)
    status, code, sentence = describe(refusal, reader_language)
    request.scope["refused"] = code
    if request.scope["path"].startswith(urls.FOR_PROGRAMS):
        response = problem_response(refusal, reader_language)
    elif status == TOO_MANY_REQUESTS:
        response = busy_page(reader_language, status, sentence)
    else:
        response = await error_page(request, status, code, sentence)
    if "wait" in refusal.parameters:
        response.headers["retry-after"] = str(refusal.parameters["wait"])
    return response


def _as_refusal(error: Exception) -> Problem | Refused | RulesError:
    match error:
        case Problem() | Refused() | RulesError():
            return error
        case HTTPException():
            code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code, "unparsable")
            return Problem(error.status_code, code, why=error.detail)
        case TooMuchWork():
            return Problem(TOO_MANY_REQUESTS, "too-many", wait=2)
        case _:
            return Problem(503, "store-failed")

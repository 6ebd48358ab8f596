"""The application: routes and middleware around one table service."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext

from anyio.lowlevel import checkpoint
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Match, Route, WebSocketRoute
from starlette.types import Scope

from illusion.tables import Automation, CannotOpen, Store, StoreObserver, TableService
from illusion.web import health, pictures, reader, urls
from illusion.web.api import openapi
from illusion.web.context import AppContext, AppOptions
from illusion.web.limits import RateLimiter, UnfinishedTables
from illusion.web.live import pages as live_pages
from illusion.web.live.hub import Hubs
from illusion.web.pages import eyes, home, learn, pwa, static, table
from illusion.web.pages.templates import busy_page, error_page
from illusion.web.problems import REFUSALS, TOO_MANY_REQUESTS, as_refusal, describe, problem_response
from illusion.web.security import Compression, Hosts, SecurityMiddleware
from illusion.web.telemetry import Telemetry

ROUTES = [
    *openapi.ROUTES,
    *pictures.ROUTES,
    *static.ROUTES,
    *learn.ROUTES,
    *pwa.ROUTES,
    *reader.ROUTES,
    *eyes.ROUTES,
    *table.ROUTES,
    *home.ROUTES,
]
METHOD_NOT_ALLOWED = 405
OPEN_RETRIES = 5
OPEN_RETRY_S = 1.0


def create_app(
    store: Store,
    options: AppOptions | None = None,
    lock: AbstractContextManager[None] | None = None,
) -> Starlette:
    """A plain ASGI application. It opens the store when it starts, holding the lock, and closes it when it stops."""
    options = options or AppOptions()
    telemetry, automation = Telemetry(), Automation(options.pace)
    unfinished_tables = UnfinishedTables(options.limits.unfinished)
    service = TableService(store, observers=(automation, unfinished_tables, telemetry), drawing=options.drawing)
    rate_limiter = RateLimiter(service, options.limits, unfinished_tables, telemetry.streams)
    context = AppContext(options, service, Hubs(service), rate_limiter, telemetry)
    all_routes: list[Route | WebSocketRoute] = [*ROUTES, *health.routes(store, context), *live_pages.ROUTES]
    security = Middleware(
        SecurityMiddleware,
        hosts=Hosts(options.host_names),
        rate_limiter=rate_limiter,
        telemetry=telemetry,
        refuse=_refuse,
        paths={route.endpoint: route.path for route in all_routes},
    )
    app = Starlette(
        routes=list(all_routes),
        middleware=[security, Middleware(Compression)],
        exception_handlers=dict.fromkeys(REFUSALS, _refuse),
        lifespan=_lifespan(store, automation, lock or nullcontext()),
    )
    app.state.context = context
    return app


def _lifespan(
    store: Store, automation: Automation, lock: AbstractContextManager[None]
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        running: AppContext = app.state.context
        service = running.service
        await checkpoint()  # anyio loads half of itself at its first use, for 50 ms: before anybody plays
        with lock:
            await _open(store, service)
            service.follow()
            await automation.start(service)
            service.pictures.start()
            yield
            running.hubs.close()
            await automation.stop()
            await service.stop()
            await store.close()

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
    refusal, language = as_refusal(error), reader.language_of(request)
    status, code, sentence = describe(refusal, language)
    request.scope["refused"] = code
    if request.scope["path"].startswith(urls.FOR_PROGRAMS) or not isinstance(request, Request):
        response = problem_response(refusal, language)
    elif status == TOO_MANY_REQUESTS:
        response = busy_page(language, status, sentence)
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

"""The application: routes and middleware around a table service, with /healthz and /metrics for operators."""

import asyncio
import ipaddress
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext
from typing import Final

from anyio.lowlevel import checkpoint
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route, WebSocketRoute

from illusion import __version__
from illusion.tables import Automation, Store, TableService
from illusion.tables.evenings.service import EveningService
from illusion.tables.notices import Notices, Sender
from illusion.web import api, evenings_api, pictures, reader, urls
from illusion.web.context import AppContext, AppOptions
from illusion.web.limits import RateLimiter, UnfinishedTables
from illusion.web.live import pages as live_pages
from illusion.web.live.hub import Hubs
from illusion.web.pages import NO_STORE, busy_page, error_page, evenings, eyes, home, learn, pwa, static, tables
from illusion.web.problems import REFUSALS, TOO_MANY_REQUESTS, Problem, as_refusal, describe, problem_response
from illusion.web.security import Compression, Hosts, SecurityMiddleware
from illusion.web.telemetry import Telemetry

ROUTES = [
    *api.ROUTES,
    *evenings_api.ROUTES,
    *pictures.ROUTES,
    *static.ROUTES,
    *learn.ROUTES,
    *pwa.ROUTES,
    *reader.ROUTES,
    *evenings.ROUTES,
    *eyes.ROUTES,
    *home.ROUTES,
    *tables.ROUTES,
]
METHOD_NOT_ALLOWED: Final = 405
CHECK_KEPT_S: Final = 1.0
"""How long the result of a health check is cached."""
STORE_TIMEOUT_S: Final = 5.0
LOOPBACK: Final = ("127.0.0.0/8", "::1/128")


def create_app(
    store: Store,
    options: AppOptions | None = None,
    lock: AbstractContextManager[object] | None = None,
) -> Starlette:
    """A plain ASGI application. Its lifespan opens and closes the store, and holds the database's lock."""
    options = options or AppOptions()
    telemetry, automation = Telemetry(), Automation(options.pace)
    unfinished_tables = UnfinishedTables(options.limits.unfinished)
    notices = Notices(Sender(private=options.notify_private)) if options.notify else None
    observers = (automation, unfinished_tables, telemetry, *([notices] if notices else []))
    service = TableService(store, observers=observers, drawing=options.drawing)
    if notices:
        notices.observe(service)
    automation.observe(service)
    evenings = EveningService(service)
    rate_limiter = RateLimiter(service, evenings, options.limits, unfinished_tables, telemetry.streams)
    context = AppContext(options, service, evenings, Hubs(service), rate_limiter, telemetry, notices)
    for_operators = _operators_routes(StoreCheck(store), context)
    all_routes: list[Route | WebSocketRoute] = [*ROUTES, *for_operators, *live_pages.ROUTES]
    security = Middleware(
        SecurityMiddleware,
        hosts=Hosts(options.host_names),
        rate_limiter=rate_limiter,
        telemetry=telemetry,
        refuse=_refuse,
        paths={route.endpoint: route.path for route in all_routes},
        root=options.root_path,
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
    store: Store, automation: Automation, lock: AbstractContextManager[object]
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        running: AppContext = app.state.context
        service = running.service
        await checkpoint()  # anyio's first use imports for 50 ms
        with lock:
            await store.open(service)
            service.follow()
            await automation.start()
            service.pictures.start()
            yield
            running.hubs.close()
            await automation.stop()
            if running.notices:
                await running.notices.stop()
            await service.stop()
            await store.close()

    return lifespan


async def _refuse(request: HTTPConnection, error: Exception) -> Response:
    """An error page for people, a problem in JSON for programs."""
    refusal, language = as_refusal(error), reader.language_of(request)
    status, code, sentence = describe(refusal, language)
    request.scope["refused"] = code
    if urls.path_in(request.scope).startswith(urls.FOR_PROGRAMS) or not isinstance(request, Request):
        response = problem_response(refusal, language)
    elif status == TOO_MANY_REQUESTS:
        response = busy_page(request, language, status, sentence)
    else:
        response = await error_page(request, status, code, sentence)
    if "wait" in refusal.parameters:
        response.headers["retry-after"] = str(refusal.parameters["wait"])
    if status == METHOD_NOT_ALLOWED:
        response.headers["allow"] = ", ".join(_methods_at(request))
    return response


def _methods_at(request: HTTPConnection) -> list[str]:
    """The methods of all routes at a path, for `Allow` (RFC 9110 15.5.6)."""
    routes = (route for route in request.app.routes if isinstance(route, Route))
    matching = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    return sorted({method for route in matching for method in route.methods or ()})


class StoreCheck:
    """Checks whether moves can be stored by storing something, at most once a second: its result is shared."""

    def __init__(self, store: Store, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._until = 0.0
        self._check: asyncio.Task[bool] | None = None

    async def is_writable(self) -> bool:
        if self._check is None or (self._check.done() and self._now() >= self._until):
            self._check = asyncio.create_task(self._run())
        return await asyncio.shield(self._check)

    async def _run(self) -> bool:
        try:
            async with asyncio.timeout(STORE_TIMEOUT_S):
                await self._store.check_writable()
        except Exception:
            return False
        else:
            return True
        finally:
            self._until = self._now() + CHECK_KEPT_S


def _operators_routes(check: StoreCheck, context: AppContext) -> list[Route]:
    async def healthz(_request: Request) -> Response:
        """Healthy if moves can be stored."""
        if not await check.is_writable():
            raise Problem(503, "store-failed")
        return JSONResponse({"status": "well", "version": __version__}, headers=NO_STORE)

    async def metrics(request: Request) -> Response:
        """Only for this machine and the networks in `metrics_from`, and never through a proxy."""
        forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
        if forwarded or request.client is None or not reads_metrics(request.client.host):
            raise Problem(404, "not-found")
        text = context.telemetry.text(await context.service.store.unfinished())
        return Response(text, headers={**NO_STORE, "content-type": CONTENT_TYPE_LATEST})

    networks = [ipaddress.ip_network(network) for network in (*LOOPBACK, *context.options.metrics_from)]

    def reads_metrics(address: str) -> bool:
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in networks)

    return [Route("/healthz", healthz, methods=["GET"]), Route("/metrics", metrics, methods=["GET"])]

"""The application: all routes around one service."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from illusion.languages import Language, languages
from illusion.rules import RulesError
from illusion.tables import Automation, Follower, Pace, Refused, Store, StoreFailed, TableService
from illusion.web.api import openapi, routes
from illusion.web.http import language
from illusion.web.http.limits import Limits, Rate
from illusion.web.http.problems import Problem, problem, told
from illusion.web.http.quick import QuickDoor, Refusal
from illusion.web.http.rate_limits import RateLimiter
from illusion.web.http.request_info import RequestInfo
from illusion.web.http.security import SecurityMiddleware
from illusion.web.images import bot_faces, card_images
from illusion.web.live.broadcast import Broadcasts
from illusion.web.ops import health
from illusion.web.ops.logs import RequestLog
from illusion.web.ops.metrics import Metrics
from illusion.web.pages import learn, pages, pwa, shared_screen

PLAIN: Final = ("/api/", "/cards/", "/faces/", "/sample/", "/static/", "/healthz", "/metrics")
"""Addresses that programs ask: they get a problem in JSON, everybody else a page."""
REACTIONS: Final = 5
"""That many of one seat within ten seconds are fun; more would be noise."""


def create_app(
    store: Store,
    pace: Pace | None = None,
    lan: str | None = None,
    limits: Limits | None = None,
    metrics_from: Sequence[str] = (),
    speaks: Mapping[str, Language] | None = None,
) -> Starlette:
    """`lan` is the machine's address on its network, where phones may come from; `speaks` is all our languages."""
    figures, journal, limits = Metrics(), RequestLog(), limits or Limits()
    service = TableService(store)
    service.on_stored = figures.stored
    all_routes = [
        *health.ROUTES,
        *openapi.ROUTES,
        *routes.ROUTES,
        *card_images.ROUTES,
        *bot_faces.ROUTES,
        *learn.ROUTES,
        *pwa.ROUTES,
        *language.ROUTES,
        *shared_screen.ROUTES,
        *pages.ROUTES,
    ]
    paths = {route.endpoint: route.path for route in all_routes}

    def seen(visit: RequestInfo, scope: Scope, seconds: float, broken: Exception | None) -> None:
        route, code = paths.get(scope.get("endpoint", _refused), "other"), scope.get("refused")
        figures.visited(visit, route, code, seconds)
        journal.visited(visit, route, code, seconds, broken)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await store.open()
        driver, following = Automation(service, pace), Follower(service, store)
        await driver.start()
        following.start()
        yield
        await driver.stop()
        await following.stop()
        await store.close()

    refusals: dict[type[Exception], Refusal] = {
        Problem: _refused,
        Refused: _refused,
        RulesError: _refused,
        HTTPException: _http,
        StoreFailed: _store_failed,
    }
    rate_limiter = RateLimiter(service, limits, figures.streams)
    app = Starlette(
        routes=all_routes,
        middleware=[
            Middleware(SecurityMiddleware, rate_limiter=rate_limiter, refused=_refused, seen=seen),
            Middleware(QuickDoor, refusals=refusals),
            Middleware(GZipMiddleware, minimum_size=700),
        ],
        exception_handlers=refusals,
        lifespan=lifespan,
    )
    app.state.service = service
    app.state.broadcasts = Broadcasts()
    app.state.rate_limiter = rate_limiter
    app.state.seen = seen
    app.state.lan = lan
    app.state.languages = speaks or languages()
    app.state.store = store
    app.state.figures = figures
    app.state.metrics_from = metrics_from
    app.state.opening = Rate(limits.tables, 60)
    app.state.reacting = Rate(REACTIONS, 10)
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """A sentence for people, a code for programs."""
    assert isinstance(error, Problem | Refused | RulesError)
    reader = language.language_of(request)
    status, code, sentence = told(error, reader)
    request.scope["refused"] = code
    response = (
        problem(error, reader)
        if request.url.path.startswith(PLAIN)
        else pages.error_page(request, status, code, sentence)
    )
    if "wait" in error.parameters:
        response.headers["retry-after"] = str(error.parameters["wait"])
    return response


async def _store_failed(request: Request, _error: Exception) -> Response:
    return await _refused(request, Problem(503, "store-failed"))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code)
    return await _refused(request, Problem(error.status_code, code or "unparsable", why=error.detail))

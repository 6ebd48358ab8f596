"""The application: all routes around one hall."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from illusion.rules import RulesError
from illusion.tables import Driver, Following, Hall, Pace, Refused, Store, StoreFailed
from illusion.web import api, cards, openapi, pages
from illusion.web.guard import Guard
from illusion.web.limits import Rate
from illusion.web.problems import Problem, problem, told


def create_app(store: Store, pace: Pace | None = None, lan: str | None = None, tables_a_minute: int = 60) -> Starlette:
    """`lan` is the machine's address on its network, where phones may come from."""
    hall = Hall(store)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await store.open()
        driver, following = Driver(hall, pace), Following(hall, store)
        await driver.start()
        following.start()
        yield
        await driver.stop()
        await following.stop()
        await store.close()

    app = Starlette(
        routes=[*openapi.ROUTES, *api.ROUTES, *cards.ROUTES, *pages.ROUTES],
        middleware=[Middleware(Guard), Middleware(GZipMiddleware, minimum_size=700)],
        exception_handlers={
            Problem: _refused,
            Refused: _refused,
            RulesError: _refused,
            HTTPException: _http,
            StoreFailed: _store_failed,
            ClientDisconnect: _gone,
        },
        lifespan=lifespan,
    )
    app.state.hall = hall
    app.state.lan = lan
    app.state.opening = Rate(tables_a_minute, 60)
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """A sentence for people, a code for programs."""
    assert isinstance(error, Problem | Refused | RulesError)
    if request.url.path.startswith(("/api/", "/cards/", "/sample/", "/static/")):
        return problem(error)
    status, _, sentence = told(error)
    return pages.error_page(status, sentence)


async def _store_failed(request: Request, _error: Exception) -> Response:
    return await _refused(request, Problem(503, "store-failed"))


async def _gone(_request: Request, _error: Exception) -> Response:
    """Whoever asked hung up before the question was whole; nobody reads the answer."""
    return Response(status_code=400)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code)
    return await _refused(request, Problem(error.status_code, code or "unparsable", why=error.detail))

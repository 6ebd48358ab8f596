"""The application: all routes around one hall."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

from illusion.languages import Language, languages
from illusion.rules import RulesError
from illusion.tables import Driver, Hall, Pace, Refused, Store, StoreFailed
from illusion.web import api, cards, faces, install, learn, openapi, pages, speaking, watching
from illusion.web.guard import HEADERS, Guard
from illusion.web.limits import Rate
from illusion.web.problems import Problem, problem, told

REACTIONS: Final = 5
"""That many of one seat within ten seconds are fun; more would be noise."""


def create_app(
    store: Store,
    pace: Pace | None = None,
    lan: str | None = None,
    tables_a_minute: int = 60,
    speaks: Mapping[str, Language] | None = None,
) -> Starlette:
    """`lan` is the machine's address on its network, where phones may come from; `speaks` is all our languages."""
    hall = Hall(store)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        driver = Driver(hall, pace)
        await driver.start()
        yield
        await driver.stop()
        await store.close()

    app = Starlette(
        routes=[
            *openapi.ROUTES,
            *api.ROUTES,
            *cards.ROUTES,
            *faces.ROUTES,
            *learn.ROUTES,
            *install.ROUTES,
            *speaking.ROUTES,
            *watching.ROUTES,
            *pages.ROUTES,
        ],
        middleware=[Middleware(Guard), Middleware(GZipMiddleware, minimum_size=700)],
        exception_handlers={
            Problem: _refused,
            Refused: _refused,
            RulesError: _refused,
            HTTPException: _http,
            StoreFailed: _store_failed,
            Exception: _broken,
        },
        lifespan=lifespan,
    )
    app.state.hall = hall
    app.state.lan = lan
    app.state.languages = speaks or languages()
    app.state.opening = Rate(tables_a_minute, 60)
    app.state.reacting = Rate(REACTIONS, 10)
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """A sentence for people, a code for programs."""
    assert isinstance(error, Problem | Refused | RulesError)
    if request.url.path.startswith(("/api/", "/cards/", "/faces/", "/sample/", "/static/")):
        return problem(error, speaking.language_of(request))
    return pages.error_page(request, *told(error, speaking.language_of(request)))


async def _store_failed(request: Request, _error: Exception) -> Response:
    return await _refused(request, Problem(503, "store-failed"))


async def _broken(request: Request, _error: Exception) -> Response:
    """A fault of ours: the guest gets a page, and the server's log gets the fault. The guard is already behind us."""
    answer = await _refused(request, Problem(500, "broken"))
    answer.headers.update(HEADERS)
    return answer


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code)
    return await _refused(request, Problem(error.status_code, code or "unparsable", why=error.detail))

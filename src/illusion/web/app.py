"""The application: all routes around one hall."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from illusion.rules import RulesError
from illusion.tables import Driver, Hall, Pace, Refused, Store, StoreFailed
from illusion.web import api, cards, openapi, pages
from illusion.web.channels import Channels
from illusion.web.guard import Guard
from illusion.web.limits import Rate
from illusion.web.problems import Problem, problem, told
from illusion.web.quick import QuickDoor, Refusal


def create_app(store: Store, pace: Pace | None = None, lan: str | None = None, tables_a_minute: int = 60) -> Starlette:
    """`lan` is the machine's address on its network, where phones may come from."""
    hall = Hall(store)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        driver = Driver(hall, pace)
        await driver.start()
        yield
        await driver.stop()
        await store.close()

    refusals: dict[type[Exception], Refusal] = {
        Problem: _refused,
        Refused: _refused,
        RulesError: _refused,
        HTTPException: _http,
        StoreFailed: _store_failed,
    }
    app = Application(
        routes=[*openapi.ROUTES, *api.ROUTES, *cards.ROUTES, *pages.ROUTES],
        middleware=[
            Middleware(Guard),
            Middleware(QuickDoor, refusals=refusals),
            Middleware(GZipMiddleware, minimum_size=700),
        ],
        exception_handlers=refusals,
        lifespan=lifespan,
    )
    app.state.hall = hall
    app.state.channels = Channels()
    app.state.lan = lan
    app.state.opening = Rate(tables_a_minute, 60)
    return app


class Application(Starlette):
    """Starlette, which also keeps the server's own `send` at hand for streams: what follows a head passes no layers."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["straight"] = send
        await super().__call__(scope, receive, send)


async def _refused(request: Request, error: Exception) -> Response:
    """A sentence for people, a code for programs."""
    assert isinstance(error, Problem | Refused | RulesError)
    if request.url.path.startswith(("/api/", "/cards/", "/sample/", "/static/")):
        return problem(error)
    status, _, sentence = told(error)
    return pages.error_page(status, sentence)


async def _store_failed(request: Request, _error: Exception) -> Response:
    return await _refused(request, Problem(503, "store-failed"))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not-found", 405: "method-not-allowed"}.get(error.status_code)
    return await _refused(request, Problem(error.status_code, code or "unparsable", why=error.detail))

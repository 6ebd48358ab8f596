"""A quick door for what is asked most: moves and event streams go straight to their endpoints.

They pass the guard like everything else, but neither the router, nor the layers that turn errors into answers, nor
compression: together these cost more than the move itself (`bench/README.md`).
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from illusion.web import api

Endpoint = Callable[[Request], Awaitable[Response]]
Refusal = Callable[[Request, Exception], Awaitable[Response]]

DOORS: Final[dict[tuple[str, str], Endpoint]] = {
    ("POST", "moves"): api.move,
    ("GET", "events"): api.events,
}
"""By method and last word of `/api/tables/TABLE/WORD`."""


class QuickDoor:
    """`refusals` makes an answer of an error, by its kind, as the application's own error handlers do."""

    def __init__(self, app: ASGIApp, refusals: Mapping[type[Exception], Refusal]) -> None:
        self.app = app
        self.refusals = refusals

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope.get("path", "").split("/"):
            case ["", "api", "tables", table, word] if endpoint := DOORS.get((scope.get("method", ""), word)):
                scope["endpoint"], scope["path_params"] = endpoint, {"table": table}
                response = await self._answer(endpoint, Request(scope, receive))
                await response(scope, receive, send)
            case _:
                await self.app(scope, receive, send)

    async def _answer(self, endpoint: Endpoint, request: Request) -> Response:
        """The request is not held on to: a stream may last for hours."""
        try:
            return await endpoint(request)
        except Exception as error:
            for kind, refused in self.refusals.items():
                if isinstance(error, kind):
                    return await refused(request, error)
            raise

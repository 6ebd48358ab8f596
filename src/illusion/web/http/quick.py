"""A quick door for event streams: they go straight to their endpoint.

They pass the guard like everything else, but neither the router, nor the layers that turn errors into answers, nor
compression: each of these would wait beside every stream for as long as it is open (`bench/README.md`).
"""

from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from illusion.web.api import routes

Refusal = Callable[[Request, Exception], Awaitable[Response]]


class QuickDoor:
    """`refusals` makes an answer of an error, by its kind, as the application's own error handlers do."""

    def __init__(self, app: ASGIApp, refusals: Mapping[type[Exception], Refusal]) -> None:
        self.app = app
        self.refusals = refusals

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope.get("path", "").split("/"):
            case ["", "api", "tables", table, "events"] if scope["method"] == "GET":
                scope["endpoint"], scope["path_params"] = routes.events, {"table": table}
                response = await self._answer(Request(scope, receive))
                await response(scope, receive, send)
            case _:
                await self.app(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        """The request is not held on to: a stream may last for hours."""
        try:
            return await routes.events(request)
        except Exception as error:
            for kind, refused in self.refusals.items():
                if isinstance(error, kind):
                    return await refused(request, error)
            raise

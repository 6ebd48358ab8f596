"""/healthz and /metrics, for operators."""

from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from illusion import __version__
from illusion.web.context import context
from illusion.web.http.problems import Problem
from illusion.web.http.request_info import within

LOOPBACK: Final = ("127.0.0.0/8", "::1/128")
NO_STORE: Final = {"cache-control": "no-store"}


async def healthz(request: Request) -> Response:
    """Healthy if a move can be stored just now."""
    if not await context(request).store_check.is_writable():
        raise Problem(503, "store-failed")
    return JSONResponse({"status": "well", "version": __version__}, headers=NO_STORE)


async def metrics(request: Request) -> Response:
    """Only for the machine itself and the networks named at the start, and never through a proxy."""
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        raise Problem(404, "not-found")
    if request.client is None or not within(request.client.host, (*LOOPBACK, *context(request).metrics_from)):
        raise Problem(404, "not-found")
    unfinished = await context(request).service.unfinished()
    text = context(request).metrics.text(unfinished)
    return Response(text, headers={**NO_STORE, "content-type": CONTENT_TYPE_LATEST})


ROUTES = [
    Route("/healthz", healthz, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
]

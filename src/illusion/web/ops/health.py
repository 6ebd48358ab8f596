"""For whoever runs the server: is it well, and what are its figures?"""

import asyncio
import ipaddress
from collections.abc import Sequence
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from illusion.web.http.problems import Problem

LOOPBACK: Final = ("127.0.0.0/8", "::1/128")
PATIENCE: Final = 5.0
NO_STORE: Final = {"cache-control": "no-store"}


async def healthz(request: Request) -> Response:
    """Well, if the store answers."""
    try:
        async with asyncio.timeout(PATIENCE):
            await request.app.state.store.read("healthz")
    except Exception:
        raise Problem(503, "store-failed") from None
    return JSONResponse({"status": "well"}, headers=NO_STORE)


async def metrics(request: Request) -> Response:
    """Only for those who ask on the machine itself or from a named network, and never through a proxy."""
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        raise Problem(404, "not-found")
    if request.client is None or not within(request.client.host, (*LOOPBACK, *request.app.state.metrics_from)):
        raise Problem(404, "not-found")
    unfinished = await request.app.state.service.unfinished()
    text = request.app.state.figures.text(unfinished)
    return Response(text, headers={**NO_STORE, "content-type": CONTENT_TYPE_LATEST})


def within(address: str, networks: Sequence[str]) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in ipaddress.ip_network(network) for network in networks)


ROUTES = [
    Route("/healthz", healthz, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
]

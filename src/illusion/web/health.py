"""/healthz and /metrics, for operators."""

import asyncio
import ipaddress
import time
from collections.abc import Callable, Iterable
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from illusion import __version__
from illusion.tables import Store
from illusion.web.context import AppContext
from illusion.web.problems import Problem

KEPT_S: Final = 1.0
"""How long an answer holds."""
STORE_TIMEOUT_S: Final = 5.0
LOOPBACK: Final = ("127.0.0.0/8", "::1/128")
NO_STORE: Final = {"cache-control": "no-store"}


class StoreCheck:
    """Whether moves can be stored, found out by storing something; at most once a second, however many ask.

    All who ask while a check is under way, or soon after, share its answer.
    """

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
            self._until = self._now() + KEPT_S


def routes(store: Store, context: AppContext) -> list[Route]:
    check = StoreCheck(store)

    async def healthz(_request: Request) -> Response:
        """Healthy if a move can be stored just now."""
        if not await check.is_writable():
            raise Problem(503, "store-failed")
        return JSONResponse({"status": "well", "version": __version__}, headers=NO_STORE)

    async def metrics(request: Request) -> Response:
        """Only for the machine itself and the networks named at the start, and never through a proxy."""
        forwarded = "x-forwarded-for" in request.headers or "forwarded" in request.headers
        networks = (*LOOPBACK, *context.options.metrics_from)
        if forwarded or request.client is None or not _within(request.client.host, networks):
            raise Problem(404, "not-found")
        text = context.telemetry.text(await context.service.unfinished())
        return Response(text, headers={**NO_STORE, "content-type": CONTENT_TYPE_LATEST})

    return [Route("/healthz", healthz, methods=["GET"]), Route("/metrics", metrics, methods=["GET"])]


def _within(address: str, networks: Iterable[str]) -> bool:
    """Whether an address lies in one of these networks. What is no address lies in none."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in ipaddress.ip_network(network) for network in networks)

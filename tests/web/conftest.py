"""One server for all tests that do not kill it, one as a club runs it on PostgreSQL, and browsers in front of them."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from harness.browsers import DESK, running_chromium
from harness.postgres import Cluster
from harness.servers import OPEN, Server
from playwright.sync_api import Browser, BrowserContext, ViewportSize


@pytest.fixture(autouse=True)
def _clients_are_closed() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    assert running.stop() == 0
    said = [json.loads(line) for line in running.said]
    rude = ("rude-guest", "Invalid HTTP request received.")
    assert [line for line in said if line["event"] not in rude and line.get("said") not in rude] == []


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_chromium() as running:
        yield running


@pytest.fixture
def new_context(browser: Browser, server: Server) -> Iterator[Callable[..., BrowserContext]]:
    """Contexts of people who sit at different devices; whatever goes wrong on their pages fails the test."""
    made: list[BrowserContext] = []
    wrong: list[str] = []

    def new(
        size: ViewportSize = DESK, *, base: str = server.url, touch: bool = False, **options: Any
    ) -> BrowserContext:
        context = browser.new_context(
            base_url=base, viewport=size, has_touch=touch, **{"reduced_motion": "reduce", **options}
        )
        context.on("weberror", lambda error: wrong.append(str(error.error)))
        context.set_default_timeout(15_000)
        made.append(context)
        return context

    yield new
    for context in made:
        context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def club(cluster: Cluster) -> Iterator[Server]:
    running = Server(cluster.database(), "--workers", "2")
    yield running
    assert running.stop() == 0
    assert running.said == []

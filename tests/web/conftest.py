"""One server for all tests of a worker that do not kill it, applications without a server, and browsers."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from harness.browser.chromium import TIMEOUT_MS, checked_contexts, running_chromium
from harness.servers import OPEN, Server
from playwright.sync_api import Browser, BrowserContext, expect
from starlette.testclient import TestClient

from illusion.tables import Pace, store_at
from illusion.tables.worker import Where
from illusion.web import AppOptions, Limits, create_app

expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture(autouse=True)
def _clients_are_closed() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"), "--drawing", "process")  # as by default
    yield running
    assert running.stop() == 0
    said = [json.loads(line) for line in running.said]
    rude = ("over-limit", "Invalid HTTP request received.", "Unsupported upgrade request.")
    assert [line for line in said if line["event"] not in rude and line.get("said") not in rude] == []


@pytest.fixture
def serve(tmp_path: Path) -> Callable[..., TestClient]:
    """Makes applications on the database of this test, one after another, each with a client of its own origin.

    Without limits, and bots think for ever, if nothing else is said; any other option by its name.
    """

    def made(at: str = "http://x", *, database: str = "", address: str = "192.0.2.1", **options: Any) -> TestClient:
        chosen: dict[str, Any] = {"pace": Pace(bot_s=1e6), "limits": Limits.lifted(), "drawing": Where.THREAD} | options
        app = create_app(store_at(database or str(tmp_path / "tables.db")), AppOptions(**chosen))
        return TestClient(app, at, headers={"origin": at}, client=(address, 1))

    return made


@pytest.fixture
def client(serve: Callable[..., TestClient]) -> Iterator[TestClient]:
    with serve() as client:
        yield client


@pytest.fixture
def beside() -> Callable[..., TestClient]:
    """Makes another browser at the same application, perhaps elsewhere."""

    def made(client: TestClient, address: str = "192.0.2.1") -> TestClient:
        other = TestClient(client.app, str(client.base_url), headers={"origin": "http://x"}, client=(address, 1))
        other.portal = client.portal
        return other

    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one file: while it runs, Playwright has an event loop in this thread, and no other test could use asyncio.

    Without a process of its own for graphics, which costs more than it gives where nothing is shown.
    """
    with running_chromium("--in-process-gpu") as running:
        yield running


@pytest.fixture
def new_context(browser: Browser, server: Server) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts, each a device of its own; an error in a script on any of their pages fails the test."""
    with checked_contexts(browser, server.url) as new:
        yield new

"""One server for all tests of a worker that do not kill it, applications without a server, and browsers."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness.browser.chromium import TIMEOUT_MS, checked_contexts, running_chromium
from harness.servers import OPEN, Server
from playwright.sync_api import Browser, BrowserContext, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from illusion.tables import Pace, SqliteStore
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
def behind_proxy(tmp_path: Path) -> Iterator[Server]:
    """One that believes what is said about who asks, and how."""
    running = Server(tmp_path, "--trusted-proxy", "127.0.0.1")
    yield running
    running.stop()


@pytest.fixture
def app(tmp_path: Path) -> Starlette:
    """Without limits; bots think for ever."""
    return create_app(
        SqliteStore(tmp_path / "tables.db"), AppOptions(Pace(bot_s=1e6), Limits.lifted(), drawing=Where.THREAD)
    )


@pytest.fixture
def client(app: Starlette) -> Iterator[TestClient]:
    """Of the application's own origin."""
    with TestClient(app, "http://x", headers={"origin": "http://x"}) as client:
        yield client


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

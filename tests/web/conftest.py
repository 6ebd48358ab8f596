"""One server for all tests of a worker that do not kill it, and browsers."""

import json
from collections.abc import Callable, Iterator

import pytest
from harness.browser.chromium import TIMEOUT_MS, checked_contexts, running_chromium
from harness.servers import OPEN, Server
from playwright.sync_api import Browser, BrowserContext, expect

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

"""One server for all tests that do not kill it."""

import json
from collections.abc import Iterator

import pytest

from tests.web.servers import OPEN, Server


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

"""One server for all tests that do not kill it, and one as a club runs it: PostgreSQL and two processes."""

from collections.abc import Iterator

import pytest

from tests.postgres import Cluster
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
    assert [line for line in running.said if line != "WARNING:  Invalid HTTP request received.\n"] == []


@pytest.fixture(scope="session")
def club(cluster: Cluster) -> Iterator[Server]:
    running = Server(cluster.database(), "--workers", "2")
    yield running
    assert running.stop() == 0
    assert running.said == []

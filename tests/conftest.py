"""What all tests share: Hypothesis without deadlines, the order of the files, and the databases.

No test depends on how fast the machine is. In CI, Hypothesis tries the same examples in every run. A test that asks for
`database` runs twice: on SQLite and on PostgreSQL. Async tests run on asyncio, each on an
event loop of its own.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Numpy starts a thread for every core, which spins and has nothing to do; the servers that tests start inherit this.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
pytest.register_assert_rewrite("harness", "tests.faults.serving")
from harness.forked_servers import ForkedServer  # noqa: E402 - only from here on do imports say why an assertion failed
from harness.postgres import Cluster  # noqa: E402
from harness.servers import Server  # noqa: E402

Server.launch = ForkedServer

settings.register_profile(
    "illusion", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("illusion")

LONGEST_FIRST = (
    "web/browser/test_tour.py",
    "web/browser/test_reactions_and_connection.py",
    "web/browser/test_shared_screen.py",
    "web/browser/test_still_row.py",
    "tables/test_notices.py",
    "lab/test_same_game.py",
    "lab/test_arena.py",
    "playthroughs/",
    "web/siege/",
    "faults/",
    "web/test_proxies.py",
    "review/test_own_eyes.py",
    "languages/test_sixth_language.py",
    "test_make.py",
    "test_packages.py",
    "deck/test_add_a_family.py",
    "house_rules/",
    "web/browser/",
    "lab/",
    "web/",
    "tables/",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files are shared out in this order, so that no worker begins a long one when the others are done, and some that
    wait for clocks run beside some that reckon."""

    def rank(item: pytest.Item) -> int:
        path = item.nodeid.removeprefix("tests/")
        return next((at for at, start in enumerate(LONGEST_FIRST) if path.startswith(start)), len(LONGEST_FIRST))

    items.sort(key=rank)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Which event loop anyio's pytest plugin runs async tests on."""
    return "asyncio"


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One PostgreSQL server for all tests of a worker."""
    cluster = Cluster()
    yield cluster
    cluster.remove()


@pytest.fixture
def postgres(cluster: Cluster) -> str:
    """The address of an empty PostgreSQL database."""
    return cluster.database()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store is: a path for SQLite, an address for PostgreSQL."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    address: str = request.getfixturevalue("postgres")
    return address

"""Hypothesis without deadlines: no test depends on how fast the machine is. In CI every run tries the same examples.

A test that asks for `database` runs twice: on SQLite and on PostgreSQL.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.postgres import Cluster
from hypothesis import HealthCheck, settings

settings.register_profile(
    "illusion", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("illusion")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """PostgreSQL for the whole run."""
    cluster = Cluster()
    yield cluster
    cluster.remove()


@pytest.fixture
def postgres(cluster: Cluster) -> str:
    """The address of a PostgreSQL database of this test's own."""
    return cluster.database()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store of this test's own is."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    address: str = request.getfixturevalue("postgres")
    return address

"""What a server leaves behind that was killed with all its workers, and what clears it away."""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from harness.answers import metric_samples
from harness.postgres import Cluster
from harness.servers import Server


@pytest.fixture
def folder() -> Iterator[Path]:
    """With a short name: that of a socket in it has at most a hundred characters."""
    with TemporaryDirectory() as name:
        yield Path(name)


def test_the_next_start_removes_the_folders_of_killed_servers_only(
    cluster: Cluster, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(folder))
    unmarked = folder / "illusion-figures-of-somebody"
    unmarked.mkdir()
    database = cluster.database()
    with running(database) as living:
        (its,) = set(folder.iterdir()) - {unmarked}
        assert stat.S_IMODE(its.stat().st_mode) == 0o700
        with running(database) as other:
            (left,) = set(folder.iterdir()) - {unmarked, its}
            other.kill()
            assert left.exists()  # nobody could remove it
            other.start()
            (new,) = set(folder.iterdir()) - {unmarked, its}
            assert new != left
        with living.client() as client:
            client.post("/api/tables", json={"name": "Ana"})
            assert metric_samples(client.get("/metrics").text)["illusion_entries_total", "opened"] == 1
    assert list(folder.iterdir()) == [unmarked]


@contextmanager
def running(database: str) -> Iterator[Server]:
    server = Server(database, "--workers", "2")
    try:
        yield server
    finally:
        assert server.stop() == 0

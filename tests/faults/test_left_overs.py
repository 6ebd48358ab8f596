"""What a server leaves behind that was killed with all its workers, and who clears it away."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from harness.postgres import Cluster
from harness.servers import Server

from tests.web.ops.test_logs_and_metrics import figures


def test_the_next_start_sweeps_up_after_the_killed_and_leaves_the_living_alone(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    unmarked = tmp_path / "illusion-figures-of-somebody"
    unmarked.mkdir()
    database = cluster.database()
    with running(database) as living:
        (its,) = set(tmp_path.iterdir()) - {unmarked}
        with running(database) as other:
            (left,) = set(tmp_path.iterdir()) - {unmarked, its}
            other.kill()
            assert left.exists()  # nobody could remove it
            other.start()
            (new,) = set(tmp_path.iterdir()) - {unmarked, its}
            assert new != left
        with living.client() as client:
            client.post("/api/tables", json={"name": "Ana"})
            assert figures(client.get("/metrics").text)["illusion_entries_total", "opened"] == 1
    assert list(tmp_path.iterdir()) == [unmarked]


@contextmanager
def running(database: str) -> Iterator[Server]:
    server = Server(database, "--workers", "2")
    try:
        yield server
    finally:
        assert server.stop() == 0

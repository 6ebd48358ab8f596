"""Our server on PostgreSQL, where a private one can be started: on one process and on two."""

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

from bench.load.servers import Server, ours


@contextmanager
def servers() -> Iterator[list[Server]]:
    """Each with an empty database of its own, all in one PostgreSQL that ends with the measurements."""
    if importlib.util.find_spec("harness.postgres") is None:
        yield []
        return
    cluster = importlib.import_module("harness.postgres").Cluster()
    try:
        yield [
            ours(
                f"Illusion, PostgreSQL, {workers} worker{'s' * (workers > 1)}",
                "every move, flushed to disk",
                *("--database", cluster.database, "--workers", str(workers)),
                beside=cluster.process.pid,
            )
            for workers in (1, 2)
        ]
    finally:
        cluster.remove()

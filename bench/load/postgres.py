"""Our server on PostgreSQL, where a private one can be started: one process and two, and both behind nginx."""

import importlib
import importlib.util
import shutil
import sys
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
        stores = "every move, flushed to disk"
        yield [
            ours(
                f"Illusion, PostgreSQL, {workers} worker{'s' * (workers > 1)}",
                stores,
                *("--database", cluster.database, "--workers", str(workers)),
                beside=cluster.process.pid,
            )
            for workers in (1, 2)
        ] + [
            Server(
                f"PostgreSQL, nginx, {count} server{'s' * (count > 1)}",
                "illusion",
                (sys.executable, "-m", "bench.load.behind_nginx", str(count), cluster.database, "EMPTY"),
                stores,
                cluster.process.pid,
            )
            for count in (1, 2)
            if shutil.which("nginx")
        ]
    finally:
        cluster.remove()

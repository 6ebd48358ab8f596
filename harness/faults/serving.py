"""A server for one test of faults: whatever it was put through, it ends cleanly and complained of its store alone."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.servers import Server

HEALTH_TIMEOUT_S = 60
"""An answer holds for a second, and a store may take some to notice; a busy machine may need many times that."""


@contextmanager
def served(where: Path | str, *options: str) -> Iterator[Server]:
    server = Server(where, *options)
    try:
        yield server
    except BaseException:
        server.stop()
        sys.stdout.writelines(server.said)
        raise
    assert server.stop() == 0
    complained_of_its_store_alone(server)


def complained_of_its_store_alone(server: Server) -> None:
    """What it said since it was started; it must have ended."""
    assert [line for line in server.said if json.loads(line)["event"] != "store-failed"] == []


def health_becomes(server: Server, status: int) -> None:
    """Wait until `/healthz` answers with this status."""
    deadline = time.monotonic() + HEALTH_TIMEOUT_S
    with server.client() as client:
        while (answer := client.get("/healthz")).status_code != status:
            assert time.monotonic() < deadline, answer.text
            time.sleep(0.1)

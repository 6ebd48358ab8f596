"""A server for a fault test: it must end cleanly, and its log may hold errors of its store alone."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.servers import Server

HEALTH_TIMEOUT_S = 60
"""Timeout for a change of /healthz: its answer is cached for a second, and a store may take some to notice."""


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
    assert [line for line in server.said if json.loads(line)["event"] != "store-failed"] == []


def health_becomes(server: Server, status: int) -> None:
    """Wait until `/healthz` answers with this status."""
    deadline = time.monotonic() + HEALTH_TIMEOUT_S
    with server.client() as client:
        while (answer := client.get("/healthz")).status_code != status:
            assert time.monotonic() < deadline, answer.text
            time.sleep(0.1)

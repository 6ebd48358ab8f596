"""A server for one test of faults: whatever it was put through, it ends cleanly and complained of its store alone."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.servers import Server


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

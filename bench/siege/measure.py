"""One scenario: a server with the default limits, the pair who play, the guest who attacks, and what it cost."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import Final

import msgspec
from harness.servers import Server
from harness.siege.guest import Guest, Own
from harness.siege.scenario import Preparation, Scenario

from bench.load.process import cpu, family, machine_cpu
from bench.siege.attacker import Task, Told
from bench.siege.pair import Felt
from illusion.web.http import urls

QUIET_S: Final = 3.0
AFTER_S: Final = 10.0
SAMPLE_S: Final = 0.2
PAINTERS: Final = ("--painters", str(max((os.cpu_count() or 1) - 1, 1)))
"""As many as a server has by default."""
PACE: Final = ("--bot-seconds", "1.5")
NEVER: Final = ("--bot-seconds", "60")
"""Long enough that bots do not play before the attack begins."""
PAGES: Final = ("/", "/rules", "/tutorial", "/api/docs", urls.sample_picture(1), "/watch?code=aaaaaaaa")


@dataclass(frozen=True)
class Measured:
    """What one attack did."""

    scenario: Scenario
    quiet: Felt
    felt: Felt
    told: Told
    cpu_quiet: float
    cpu: float
    """The server's share of one core."""
    others: float
    """What others on this machine took of a core meanwhile: neither the server nor the pair nor the guest."""
    before: float
    most: float
    after: float
    """Megabytes in memory."""
    lines: int
    """What the server wrote to its log meanwhile."""
    stored: float
    """Megabytes by which the database grew."""


class Preparations:
    """What takes a guest longer than a scenario lasts; made once, and copied for each scenario."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[Preparation, list[Own]] = {}

    def copy(self, preparation: Preparation, to: Path) -> list[Own]:
        made = self._folder / preparation.__name__
        if preparation not in self._known:
            made.mkdir()
            server = Server(made, *NEVER)
            try:
                self._known[preparation] = asyncio.run(_prepare(preparation, server.port))
            finally:
                server.stop()
        shutil.copytree(made, to, dirs_exist_ok=True)
        return self._known[preparation]


async def _prepare(preparation: Preparation, port: int) -> list[Own]:
    guest = Guest(port)
    try:
        return await preparation(guest)
    finally:
        await guest.leave()


def measure(scenario: Scenario, seconds: float, preparations: Preparations) -> Measured:
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        known = preparations.copy(scenario.prepared, folder) if scenario.prepared else []
        server = Server(folder, *PACE, *PAINTERS, limited=True)
        running.callback(server.stop)
        if not scenario.from_the_start:
            _warm_up(server)
        pair = running.enter_context(_Pair(server.port))
        quiet, cpu_quiet = Felt(), 0.0
        if not scenario.from_the_start:
            sleep(1)
            pair.window()
            cpu_quiet = _share(server, QUIET_S)
            quiet = pair.window()
        guest = running.enter_context(_process("bench.siege.attacker", _task(scenario, server, seconds, known)))
        assert _line(guest) == "ready\n", f"{scenario.name}: the guest could not prepare"
        pair.window()
        before, stored, lines = _memory(server), _stored(folder), len(server.said)
        with _Sampling(server) as sampling:
            began, used, all_used, ours = perf_counter(), cpu(server.process.pid), machine_cpu(), cpu(os.getpid())
            _say(guest, "go\n")
            told = msgspec.json.decode(_line(guest), type=Told)
            took = perf_counter() - began
            share = (cpu(server.process.pid) - used) / took
            others = (machine_cpu() - all_used - cpu(os.getpid()) + ours) / took
            felt = pair.window()
        sleep(AFTER_S)
        after = _memory(server)
        return Measured(
            scenario=scenario,
            quiet=quiet,
            felt=felt,
            told=told,
            cpu_quiet=cpu_quiet,
            cpu=share,
            others=others,
            before=before,
            most=max(sampling.most, after),
            after=after,
            lines=len(server.said) - lines,
            stored=_stored(folder) - stored,
        )


def _warm_up(server: Server) -> None:
    """What is loaded when it is first needed, templates and catalogues, is not the guest's doing."""
    with server.client() as client:
        for language in ("en", "de", "es", "fr", "pl"):
            for page in PAGES:
                client.get(page, headers={"accept-language": language})


def _task(scenario: Scenario, server: Server, seconds: float, known: list[Own]) -> str:
    return msgspec.json.encode(Task(scenario.name, server.port, seconds, known)).decode()


def _share(server: Server, seconds: float) -> float:
    began, used = perf_counter(), cpu(server.process.pid)
    sleep(seconds)
    return (cpu(server.process.pid) - used) / (perf_counter() - began)


def _memory(server: Server) -> float:
    """Resident, of the server and all it has started; not in proportion to sharing: the guest shares libraries."""
    statuses = (Path(f"/proc/{pid}/status").read_text() for pid in family(server.process.pid))
    return sum(int(status.partition("VmRSS:")[2].split()[0]) for status in statuses) / 1024


def _stored(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.iterdir()) / 1_000_000


class _Sampling:
    """The most that the server held in memory."""

    def __init__(self, server: Server) -> None:
        self.most = 0.0
        self._server = server
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample)

    def __enter__(self) -> "_Sampling":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._over.wait(SAMPLE_S):
            self.most = max(self.most, _memory(self._server))


class _Pair:
    """The honest pair's process."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open = ExitStack()

    def __enter__(self) -> "_Pair":
        self._process = self._open.enter_context(_process("bench.siege.pair", str(self._port)))
        assert _line(self._process) == "ready\n", "the pair could not sit down"
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def window(self) -> Felt:
        _say(self._process, "window\n")
        return msgspec.json.decode(_line(self._process), type=Felt)


@contextmanager
def _process(module: str, argument: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", module, argument]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def _say(process: "subprocess.Popen[str]", word: str) -> None:
    assert process.stdin is not None
    process.stdin.write(word)
    process.stdin.flush()

"""Measures a scenario: a server with the default limits, people who play, and the attacker."""

import asyncio
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import Final

import httpx
from harness.processes import cpu, resident
from harness.proxies import running_nginx
from harness.servers import Server
from harness.siege.guest import Guest, Own
from harness.siege.scenario import Preparation, Scenario

from bench.load.measure import Beside, people
from bench.load.players import Felt
from bench.load.table import Task
from bench.siege.attacker import Attack, Told
from illusion.languages import languages
from illusion.web import urls

QUIET_S: Final = 3.0
AFTER_S: Final = 10.0
SAMPLE_S: Final = 0.2
NEWCOMER_S: Final = 1.0
STUCK_S: Final = 5.0
MOVES_PER_SECOND: Final = 6
"""About twenty times as fast as people play, so that eight seconds give fifty moves."""
PACE: Final = ("--bot-seconds", "1.5", "--drawing", "process")
NEVER: Final = ("--bot-seconds", "60")
"""Long enough that bots do not play before the attack begins."""
PAGES: Final = ("/", "/rules", "/tutorial", "/api/docs", urls.sample_picture(1), "/watch?code=aaaaaaaa")


@dataclass(frozen=True)
class Measured:
    """The effects of an attack."""

    scenario: Scenario
    felt: Felt
    turned_away: int
    """Newcomers who did not get in."""
    told: Told
    cpu_quiet: float
    cpu: float
    """The server's share of one core."""
    before: float
    most: float
    after: float
    """Megabytes in memory."""
    lines: list[str]
    """The server's log lines."""


def _prepared(preparation: Preparation, folder: Path) -> list[Own]:
    """At a server that is stopped afterwards."""

    async def prepare() -> list[Own]:
        guest = Guest(server.port)
        try:
            return await preparation(guest)
        finally:
            await guest.leave()

    server = Server(folder, *NEVER)
    try:
        return asyncio.run(prepare())
    finally:
        server.stop()


def measure(scenario: Scenario, seconds: float, *, is_bare: bool) -> Measured:
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        known = _prepared(scenario.prepared, folder) if scenario.prepared else []
        server = Server(folder, *PACE, *(() if is_bare else ("--trusted-proxy", "127.0.0.1")), limited=True)
        running.callback(server.stop)
        pid = server.process.pid
        port = server.port if is_bare else running.enter_context(running_nginx(folder, [server.port]))
        if not scenario.from_the_start:
            _warm_up(server)
        task = Task("pages", port, 1, 1 / MOVES_PER_SECOND, variant="twelve-rounds")
        sitting = running.enter_context(people(task))
        sitting.say("go")
        cpu_quiet = 0.0 if scenario.from_the_start else _share(pid, QUIET_S)
        guest = running.enter_context(Beside("bench.siege.attacker", Attack(scenario.name, port, seconds, known)))
        watch = running.enter_context(_Watch(pid, f"http://127.0.0.1:{port}/"))
        before, lines = resident(pid), len(server.said)
        sitting.hear("felt", Felt)
        began, used = perf_counter(), cpu(pid)
        told = guest.hear("go", Told)
        took, felt = perf_counter() - began, sitting.hear("felt", Felt)
        used = cpu(pid) - used
        watch.stop()
        sleep(AFTER_S)
        after = resident(pid)
        most = max(watch.most, after)
        said = server.said[lines:]
        return Measured(scenario, felt, watch.turned_away, told, cpu_quiet, used / took, before, most, after, said)


def _warm_up(server: Server) -> None:
    """Warm up: load templates and catalogues, whose cost is not the attacker's."""
    with server.client() as client:
        for language in languages():
            for page in PAGES:
                client.get(page, headers={"accept-language": language})


def _share(pid: int, seconds: float) -> float:
    began, used = perf_counter(), cpu(pid)
    sleep(seconds)
    return (cpu(pid) - used) / (perf_counter() - began)


class _Watch:
    """Sample the server's memory, and visit the home page once a second."""

    def __init__(self, pid: int, home: str) -> None:
        self.most = 0.0
        self.turned_away = 0
        self._pid = pid
        self._home = home
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._sample), threading.Thread(target=self._come)]

    def __enter__(self) -> "_Watch":
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _sample(self) -> None:
        while not self._over.wait(SAMPLE_S):
            self.most = max(self.most, resident(self._pid))

    def _come(self) -> None:
        while not self._over.wait(NEWCOMER_S):
            try:
                self.turned_away += httpx.get(self._home, timeout=STUCK_S).status_code != 200
            except httpx.TransportError:
                self.turned_away += 1

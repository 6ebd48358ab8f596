"""On a Dask cluster the arena counts the same as alone, whoever drops out; where there is none, a sentence says so."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any, TypeAlias

import msgspec
import pytest
from distributed import Client
from harness.command_line import refusal
from harness.servers import until

from illusion.cli import main
from illusion.lab import arena, executors
from illusion.lab.executors import executor
from illusion.rules import Penalty, Variant

PLAYERS, GAMES, PARTS, SEED = ["casual", "first-timer"], 400, 20, 3
ARENA = ["arena", "--players", ",".join(PLAYERS), "--games", str(GAMES), "--seed", str(SEED), "--json"]
WORKERS = ("Ada", "Ben")
Cluster: TypeAlias = tuple[Client, dict[str, subprocess.Popen[bytes]]]


@contextmanager
def dask(*arguments: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler or a worker in a process of its own, without another that would start it again."""
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard", "--scheduler-file", str(folder / "address")]
    environment = {**os.environ, "DASK_TEMPORARY_DIRECTORY": str(folder)}
    with (folder / "log").open("ab") as log, subprocess.Popen(command, env=environment, stderr=log) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler on loopback, and two workers by their names."""
    with ExitStack() as stack:
        begin = stack.enter_context
        begin(dask("scheduler", "--host", "127.0.0.1", "--port", "0", folder=tmp_path))
        worker = partial(dask, "worker", "--no-nanny", "--nthreads", "1", folder=tmp_path)
        workers = {name: begin(worker("--name", name)) for name in WORKERS}
        until((tmp_path / "address").exists)
        client = begin(Client(scheduler_file=str(tmp_path / "address"), set_as_default=False))
        client.wait_for_workers(len(WORKERS), timeout=30)
        yield client, workers


def known_to(client: Client) -> dict[str, Any]:
    """The workers that the scheduler knows, by address."""
    workers: dict[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
    return workers


def test_a_worker_that_is_killed_changes_no_figure(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(arena, "has_arrays", lambda: False)  # where games are few, each worker would compile for long
    monkeypatch.setattr(arena, "games_per_task", lambda _: GAMES // PARTS)
    client, workers = cluster
    address = client.scheduler.address
    main([*ARENA, "--jobs", "1"])
    alone = capsys.readouterr().out

    def kill_one(tallies: Iterable[arena.Tally], parts: int) -> Iterable[arena.Tally]:
        assert parts == PARTS
        tallies = iter(tallies)
        yield next(tallies)
        at_work = {at for at, tasks in client.processing().items() if tasks}
        known = known_to(client)
        victim = workers.pop(next(known[at]["name"] for at in known if at in at_work))
        victim.kill()
        assert victim.wait() == -signal.SIGKILL
        yield from tallies

    with executor(1, on=address) as on_the_cluster:
        tally = arena.compete(PLAYERS, GAMES, SEED, executor=on_the_cluster, progress=kill_one)
    assert arena.report(PLAYERS, SEED, Variant.FIRST_TO_THREE, Penalty.NOTHING, tally) == msgspec.json.decode(
        alone, type=arena.ArenaReport
    )
    main([*ARENA, "--on", address])
    assert capsys.readouterr().out == alone

    (last,) = workers.values()
    last.kill()
    until(lambda: not known_to(client))
    monkeypatch.setattr(executors, "ANSWER_SECONDS", 1)
    with pytest.raises(SystemExit, match=f"no worker has joined the scheduler at {address}: run dask worker"):
        main([*ARENA, "--on", address])


class Silent(BaseRequestHandler):
    """No scheduler: it waits for more."""

    def handle(self) -> None:
        while self.request.recv(1024):
            pass


class WebServer(BaseRequestHandler):
    """What it says reads like the announcement of exabytes."""

    def handle(self) -> None:
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        self.request.recv(1024)


@pytest.mark.parametrize("who", [Silent, WebServer, None])
def test_where_no_scheduler_answers_one_sentence_says_so(
    who: type[BaseRequestHandler] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "ANSWER_SECONDS", 1)
    with ThreadingTCPServer(("127.0.0.1", 0), who or Silent) as server:
        address = f"tcp://127.0.0.1:{server.server_address[1]}"
        if who is None:
            server.server_close()
        else:
            Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(SystemExit, match=f"illusion: no Dask scheduler answers at {address}"):
            main([*ARENA, "--on", address])
        if who is not None:
            server.shutdown()


@pytest.mark.parametrize(
    "text", ["", "8786", "127.0.0.1:8786", "tcp://127.0.0.1", "tcp://a:0", "tcp://a b:1", "tcp://a:65536"]
)
def test_what_is_no_address_gets_one_sentence(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, *ARENA, "--on", text)
    assert "argument --on: the address of a Dask scheduler, tcp://HOST:PORT, not" in said


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    message = "a cluster needs the extra 'cluster': run pip install --require-hashes -r locks/cluster.lock"
    said = refusal(capsys, *ARENA, "--on", "tcp://127.0.0.1:1")
    assert said == f"illusion: {message} in Illusion's source folder"

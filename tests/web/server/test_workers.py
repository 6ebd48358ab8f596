"""One port, several workers, one PostgreSQL: clients notice neither which one answers nor that one died."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from harness.answers import metric_samples
from harness.command_line import run_illusion
from harness.postgres import Cluster
from harness.processes import has_died, worker_pids
from harness.servers import NO_TLS, Seat, Server, opened, play_beside_bots, play_on

from illusion import __version__

HERE = Path(__file__).parents[3]


class Wanderer(Seat):
    """A client whose every request may be answered by another process: no connection is kept."""

    def __init__(self, seat: Seat) -> None:
        self.table, self.token = seat.table, seat.token
        self.client = httpx.Client(
            base_url=seat.client.base_url,
            headers=seat.client.headers,
            timeout=20,
            limits=httpx.Limits(max_keepalive_connections=0),
            verify=NO_TLS,
        )


def test_a_game_whose_every_request_may_meet_another_process(club: Server) -> None:
    seats = [Wanderer(seat) for seat in opened(club, 3)]
    assert seats[0].post("start").status_code == 200
    view = seats[1].view()
    for _ in range(6):
        for card in (*view["row"], view["next_card"]):
            assert seats[2].client.get(f"/cards/{card}.svg").status_code == 200
        seat = seats[view["to_play"]]
        assert seat.place(0, view["seq"]).status_code == 200
        assert seat.place(0, view["seq"]).json()["code"] == "stale"  # again, to whatever process: never made twice
        view = seat.view()
    over = play_on([*seats])
    assert over["over"]
    assert len({seat.post("rematch").json()["table"] for seat in seats}) == 1
    for seat in seats:
        seat.client.close()


def test_bots_play_at_a_table_that_several_processes_know(club: Server) -> None:
    (host,) = opened(club, 3, bots=["keen", "casual"])
    host.post("start")
    play_beside_bots(host, 15)
    last = min(host.view()["seq"], 15)  # a game can be over sooner
    with host.client.stream("GET", f"/api/tables/{host.table}/events") as stream:
        numbers = []
        for line in stream.iter_lines():
            if line.startswith("id: "):
                numbers.append(int(line[4:]))
            if len(numbers) == last:
                break
    assert numbers == list(range(1, last + 1))


@pytest.fixture(scope="module")
def mortal(cluster: Cluster) -> Iterator[Server]:
    """Whose workers are killed."""
    server = Server(cluster.database(), "--workers", "2")
    yield server
    assert server.stop() == 0


def test_a_worker_that_dies_is_replaced_and_its_tables_go_on(mortal: Server) -> None:
    seats = [Wanderer(seat) for seat in opened(mortal, 2)]
    seats[0].post("start")
    play_on([*seats], 2)
    before = worker_pids(mortal.process.pid)
    assert len(before) == 2
    os.kill(before[0], signal.SIGKILL)
    while not has_died(before[0]):  # a connection that it has, or is being passed, dies with it
        time.sleep(0.01)
    play_on([*seats], 3)
    while len(set(worker_pids(mortal.process.pid)) - set(before)) < 1:
        time.sleep(0.05)
    play_on([*seats], 2)
    for seat in seats:
        seat.client.close()


def test_workers_end_with_their_supervisor(cluster: Cluster) -> None:
    server = Server(cluster.database(), "--workers", "2")
    working = worker_pids(server.process.pid)
    assert len(working) == 2
    server.kill()
    while any(Path(f"/proc/{pid}").exists() for pid in working):
        time.sleep(0.05)


@pytest.mark.parametrize("options", [[], ["--workers", "2"]])
def test_a_stopping_server_ends_open_streams_and_prints_nothing(postgres: str, options: list[str]) -> None:
    server = Server(postgres, *options)
    (host,) = opened(server, 1, seats=3)
    with host.client.stream("GET", f"/api/tables/{host.table}/events") as stream:
        next(stream.iter_raw())
        assert server.stop() == 0
    assert server.said == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])
@pytest.mark.parametrize("options", [[], ["--workers", "2"]], ids=["one process", "workers"])
def test_a_server_started_in_the_background_of_a_script_stops_on_both_signals(
    postgres: str, options: list[str], number: signal.Signals
) -> None:
    """A shell without job control starts `command &` with SIGINT ignored."""
    serve = [sys.executable, "-m", "illusion", "serve", "--port", "0", "--drawing", "thread"]
    serve += ["--database", postgres, *options]
    script = ["sh", "-c", '"$@" & echo $!; wait $!; echo "exit status $?"', "script", *serve]
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as shell:
        assert shell.stdout is not None
        server = int(shell.stdout.readline())
        assert shell.stdout.readline().startswith("Illusion is at ")
        os.kill(server, number)
        assert shell.stdout.read() == "exit status 0\n"


def test_a_worker_that_does_not_stop_is_killed() -> None:
    code = (
        "from illusion.web.server.supervisor import supervise; from harness.processes import stubborn_worker;"
        "supervise(stubborn_worker, 2, lambda: print('up', flush=True), print, stop_timeout_s=0.2)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=HERE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        working = worker_pids(process.pid)
        assert len(working) == 2
        process.terminate()
        assert process.wait(20) == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in working)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--database", "t.db", "--workers", "2"], "several workers need PostgreSQL: --database postgresql://…"),
        (["--database", "/dev/null/t.db"], "/dev/null/t.db cannot be read: Not a directory"),
        (["--database", "postgresql://me:secret@127.0.0.1:9/x"], "Connect call failed ('127.0.0.1', 9)"),
        (["--database", "postgresql://["], "its address is not valid: Invalid IPv6 URL"),
    ],
)
def test_a_database_that_cannot_be_used_gets_one_sentence(options: list[str], sentence: str) -> None:
    ran = run_illusion("serve", "--port", "0", *options)
    assert ran.returncode == 1
    assert ran.stderr.startswith("illusion: the database cannot be used: ")
    assert sentence in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert "secret" not in ran.stderr


def test_metrics_of_all_workers_add_up_and_dead_workers_have_no_open_streams(mortal: Server) -> None:
    tables = metric_samples(mortal.client().get("/metrics").text).get(("illusion_entries_total", "opened"), 0) + 6
    seats = [opened(mortal, 1, seats=2)[0] for _ in range(6)]
    with ExitStack() as streams:
        listening = [
            streams.enter_context(seat.client.stream("GET", f"/api/tables/{seat.table}/events")).iter_raw()
            for seat in seats
        ]
        for stream in listening:
            next(stream)
        told = [metric_samples(mortal.client().get("/metrics").text) for _ in range(4)]
        assert [each["illusion_streams_open",] for each in told] == [6] * 4  # whichever process is asked
        assert [each["illusion_entries_total", "opened"] for each in told] == [tables] * 4
        assert [each["illusion_tables_unfinished",] for each in told] == [tables] * 4
        assert [each["illusion_build_info", __version__] for each in told] == [1] * 4
        before = worker_pids(mortal.process.pid)
        for worker in before:
            os.kill(worker, signal.SIGKILL)
    while len(set(worker_pids(mortal.process.pid)) - set(before)) < 2:
        time.sleep(0.05)
    after = metric_samples(mortal.client().get("/metrics").text)
    assert after["illusion_streams_open",] == 0
    assert after["illusion_entries_total", "opened"] == tables

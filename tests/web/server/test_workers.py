"""One port, several processes, one PostgreSQL: nobody notices which process answers, nor that one died."""

import os
import signal
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest
from harness.postgres import Cluster, children
from harness.servers import Seat, Server, opened, play_on

from tests.test_cli import illusion
from tests.web.ops.test_logs_and_metrics import figures


class Wanderer(Seat):
    """Somebody whose every request may be answered by another process: no connection is kept."""

    def __init__(self, seat: Seat) -> None:
        self.table, self.token = seat.table, seat.token
        self.client = httpx.Client(
            base_url=seat.client.base_url,
            headers=seat.client.headers,
            timeout=20,
            limits=httpx.Limits(max_keepalive_connections=0),
        )


def workers(server: Server) -> list[int]:
    """The processes that answer, without the one that Python's multiprocessing keeps for itself."""
    found = []
    for pid in children(server.process.pid):
        with suppress(FileNotFoundError):  # it may end meanwhile
            found += [pid] if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes() else []
    return found


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
    host.client.delete(f"/api/tables/{host.table}/seats/me")
    with host.client.stream("GET", f"/api/tables/{host.table}/events") as stream:
        numbers = []
        for line in stream.iter_lines():
            if line.startswith("id: "):
                numbers.append(int(line[4:]))
            if len(numbers) == 15:
                break
    assert numbers == list(range(1, 16))


def test_a_worker_that_dies_is_replaced_and_its_tables_go_on(cluster: Cluster) -> None:
    server = Server(cluster.database(), "--workers", "2")
    try:
        seats = [Wanderer(seat) for seat in opened(server, 2)]
        seats[0].post("start")
        play_on([*seats], 2)
        before = workers(server)
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        play_on([*seats], 3)
        while len(set(workers(server)) - set(before)) < 1:
            time.sleep(0.05)
        play_on([*seats], 2)
        for seat in seats:
            seat.client.close()
    finally:
        assert server.stop() == 0


def test_workers_end_with_the_process_that_watches_them(cluster: Cluster) -> None:
    server = Server(cluster.database(), "--workers", "2")
    working = workers(server)
    assert len(working) == 2
    server.kill()
    while any(Path(f"/proc/{pid}").exists() for pid in working):
        time.sleep(0.05)


@pytest.mark.parametrize("options", [[], ["--workers", "2"]])
def test_a_server_that_is_told_to_stop_hangs_up_on_listeners_and_says_nothing(
    postgres: str, options: list[str]
) -> None:
    server = Server(postgres, *options)
    (host,) = opened(server, 1, seats=3)
    with host.client.stream("GET", f"/api/tables/{host.table}/events") as stream:
        next(stream.iter_raw())
        assert server.stop() == 0
    assert server.said == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--database", "t.db", "--workers", "2"], "several workers need PostgreSQL: --database postgresql://…"),
        (["--database", "/dev/null/t.db"], "/dev/null/t.db is not a database that can be written"),
        (["--database", "postgresql://me:secret@127.0.0.1:9/x"], "Connect call failed ('127.0.0.1', 9)"),
        (["--database", "postgresql://["], "its address is not one: Invalid IPv6 URL"),
    ],
)
def test_a_database_that_cannot_be_used_gets_one_sentence(options: list[str], sentence: str) -> None:
    ran = illusion("serve", "--port", "0", *options)
    assert ran.returncode == 1
    assert ran.stderr.startswith("illusion: the database cannot be used: ")
    assert sentence in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert "secret" not in ran.stderr


def test_the_figures_of_all_processes_add_up_and_the_dead_have_no_open_streams(cluster: Cluster) -> None:
    server = Server(cluster.database(), "--workers", "2")
    try:
        seats = [opened(server, 1, seats=2)[0] for _ in range(6)]
        with ExitStack() as streams:
            listening = [
                streams.enter_context(seat.client.stream("GET", f"/api/tables/{seat.table}/events")).iter_raw()
                for seat in seats
            ]
            for stream in listening:
                next(stream)
            told = [figures(server.client().get("/metrics").text) for _ in range(4)]
            assert [each["illusion_streams_open",] for each in told] == [6] * 4  # whichever process is asked
            assert [each["illusion_entries_total", "opened"] for each in told] == [6] * 4
            assert [each["illusion_tables_unfinished",] for each in told] == [6] * 4
            before = workers(server)
            for worker in before:
                os.kill(worker, signal.SIGKILL)
        while len(set(workers(server)) - set(before)) < 2:
            time.sleep(0.05)
        after = figures(server.client().get("/metrics").text)
        assert after["illusion_streams_open",] == 0
        assert after["illusion_entries_total", "opened"] == 6
    finally:
        assert server.stop() == 0

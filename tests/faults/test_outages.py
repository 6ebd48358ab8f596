"""A disk without room, and a network that is cut or silent: a clear error, nothing is lost, and on again afterwards.

The kernel keeps the server's files from growing (RLIMIT_FSIZE), which any machine can do and undo while it runs.
"""

import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness.faults.serving import health_becomes, served
from harness.postgres import Cluster
from harness.servers import Seat, Server, opened, play_on
from harness.wire import Wire, wire_to


def limit_files(server: Server, most: int) -> None:
    _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, hard))


def moves_until_full(seats: list[Seat]) -> int:
    """Play at one table until the disk is full; how many moves were acknowledged."""
    for made in range(10_000):
        view = seats[0].view()
        assert not view["over"]
        answer = seats[view["to_play"]].place(0, view["seq"])
        if answer.status_code != 200:
            assert answer.status_code == 503
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["code"] == "store-failed"
            return made
    raise AssertionError("the disk is never full")


def test_a_full_disk_and_room_again(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        seats = opened(server, variant="twelve-rounds")
        seats[0].post("start")
        before = play_on(seats, 3)["seq"]
        health_becomes(server, 200)
        log = Path(f"{server.database}-wal")
        limit_files(server, max(log.stat().st_size, os.stat(server.database).st_size) + 30_000)
        made = moves_until_full(seats)
        assert made > 0
        view = seats[0].view()  # looking on is still possible
        assert view["seq"] == before + made
        health_becomes(server, 503)
        with server.client() as client:
            opening = client.post("/api/tables", json={"name": "Ana"})
            assert (opening.status_code, opening.json()["code"]) == (503, "store-failed")
            assert client.get(f"/table/{seats[0].table}").status_code == 200
        limit_files(server, resource.RLIM_INFINITY)
        health_becomes(server, 200)
        assert play_on(seats, 5)["seq"] == before + made + 5
        server.kill()
        server.start()
        assert seats[0].view()["seq"] == before + made + 5


@pytest.fixture
def wire(cluster: Cluster) -> Iterator[Wire]:
    with wire_to(cluster.port) as wire:
        yield wire


@pytest.fixture
def database(cluster: Cluster, wire: Wire) -> str:
    """By way of the wire."""
    return cluster.database().replace(f":{cluster.port}/", f":{wire.port}/")


@pytest.mark.parametrize("trouble", [Wire.cut, Wire.freeze])
def test_a_long_outage_is_a_clear_error_and_nothing_is_lost(
    wire: Wire, database: str, trouble: Callable[[Wire], None]
) -> None:
    with served(database) as server:
        seats = opened(server)
        seats[0].post("start")
        view = play_on(seats, 2)
        trouble(wire)
        seat = seats[view["to_play"]]
        answer = seat.place(0, view["seq"])
        assert (answer.status_code, answer.json()["code"]) == (503, "store-failed")
        wire.mend()
        again = seat.place(0, view["seq"])  # whether the first one arrived after all: it is made once
        assert again.status_code == 200 or again.json()["code"] == "stale"
        later = seats[0].view()
        assert later["seq"] == view["seq"] + 1
        assert len(later["row"]) == len(view["row"]) + 1
        play_on(seats, 2)

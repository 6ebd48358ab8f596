"""A disk without room: a clear error, no harm to what is there, and on again as soon as there is room.

The kernel keeps the server's files from growing (RLIMIT_FSIZE), which any machine can do and undo while it runs.
"""

import os
import resource
from pathlib import Path

from harness.faults.serving import health_becomes, served
from harness.servers import Seat, Server, opened, play_on


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

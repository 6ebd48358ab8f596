"""Pictures as a server draws them by default: in a process of its own, which may die in the middle of a game."""

import os
import signal
from pathlib import Path

from harness.processes import drawing, family
from harness.servers import Server, opened, play_on, until


def test_pictures_come_although_what_draws_them_is_killed(tmp_path: Path) -> None:
    server = Server(tmp_path, "--drawing", "process")
    seats = opened(server, 3)
    seats[0].post("start")
    shown, killed = set[str](), list[int]()
    while not (view := play_on(seats, moves=1))["over"]:
        for address in {*view["row"], view["next_card"]} - shown - {None}:
            picture = seats[0].client.get(f"/cards/{address}.svg")
            assert picture.status_code == 200
            assert picture.text.startswith("<svg")
            shown.add(address)
        if len(shown) > 5 and not killed:
            killed = drawing(server.process.pid)
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
    assert killed
    pids = family(server.process.pid)
    assert server.stop() == 0
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))  # none is left
    assert {line.split('"event":')[1].split('"')[1] for line in server.said} <= {"worker-lost"}

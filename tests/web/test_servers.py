"""Other ASGI servers play a game; two of ours on one file; drawing processes that die; one that is asked anything."""

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness.command_line import refusal
from harness.fuzzing import answered, by_description, by_nobody_in_particular, by_sockets
from harness.processes import drawing, family
from harness.proxies import free_port
from harness.servers import Seat, Server, opened, play_on, until
from harness.sockets.page import Page

from illusion.cli import main

COMMANDS = {
    "uvicorn": ["uvicorn", "--port", "PORT", "--log-level", "warning", "illusion.asgi:app"],
    "hypercorn": ["hypercorn", "--bind", "127.0.0.1:PORT", "illusion.asgi:app"],
    "granian": ["granian", "--interface", "asgi", "--port", "PORT", "illusion.asgi:app"],
}


class Other(Server):
    """A server of somebody else's, by its address."""

    def __init__(self, port: int) -> None:
        self.port, self.url = port, f"http://127.0.0.1:{port}"


@contextmanager
def served(server: str, database: Path) -> Iterator[Other]:
    other = Other(free_port())
    command = [word.replace("PORT", str(other.port)) for word in COMMANDS[server]]
    environment = os.environ | {"ILLUSION_DATABASE": str(database), "ILLUSION_BOT_SECONDS": "0"}
    process = subprocess.Popen([sys.executable, "-m", *command], env=environment)

    def answers() -> bool:
        assert process.poll() is None
        try:
            return httpx.get(other.url + "/healthz").status_code == 200
        except httpx.TransportError:
            return False

    try:
        until(answers)
        yield other
    finally:
        process.terminate()
        process.wait(20)


def until_it_ends(seat: Seat) -> list[int]:
    """The numbers of the events in a stream."""
    heard: list[int] = []
    with seat.client.stream("GET", f"/api/tables/{seat.table}/events") as stream:
        for line in stream.iter_lines():
            if line.startswith("id: "):
                heard.append(int(line.removeprefix("id: ")))
            if '"game-ended"' in line:
                break
    return heard


@pytest.mark.parametrize("server", COMMANDS)
def test_a_game_on_each_server(server: str, tmp_path: Path) -> None:
    with served(server, tmp_path / "tables.db") as other, ThreadPoolExecutor() as beside:
        seats = opened(other, 2)
        assert seats[0].post("start").status_code == 200
        seats.sort(key=lambda seat: bool(seat.view()["you"]))
        heard = beside.submit(until_it_ends, seats[1])
        with Page.of(other, seats[0]) as page:
            while not (view := seats[0].view())["over"]:
                move: dict[str, Any] = {"move": "doubt"} if len(view["row"]) > 3 else {"move": "place", "gap": 0}
                move["seq"] = view["seq"]
                if view["to_play"]:
                    assert seats[1].post("moves", move).status_code == 200
                else:
                    assert page.send(move)["answer"]["seq"] > view["seq"]
            page.hear(view["seq"])
        assert page.view == {key: value for key, value in view.items() if key != "you"}
        assert heard.result(20) == list(range(1, view["seq"] + 1))
        assert seats[0].client.get(f"/table/{seats[0].table}").status_code == 200


def test_the_second_one_says_so_and_ends_until_the_first_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server, none = Server(tmp_path), tmp_path / "none.jsonl"
    none.touch()
    seats = opened(server)
    seats[0].post("start")
    (tmp_path / "link.db").symlink_to("tables.db")
    for path, command in (  # first what would end in any case
        (f"{tmp_path}/./tables.db", ["import", str(none)]),
        (server.database, ["serve", "--port", "0"]),
        (tmp_path / "link.db", ["serve", "--port", "0"]),
    ):
        used = f"another Illusion (process {server.process.pid}) is using {path}; end that one first"
        sentence = refusal(capsys, *command, "--database", str(path))
        assert sentence == f"illusion: the database cannot be used: {used}"
    main(["export", "--database", str(server.database), "-"])  # reading is fine
    assert seats[0].table in capsys.readouterr().out
    assert play_on(seats, 5)["seq"] == 9
    server.kill()
    assert server.said == []
    assert stat.S_IMODE((tmp_path / "tables.db-lock").stat().st_mode) == 0o600
    main(["import", "--database", str(server.database), str(none)])  # nothing is held any more
    server.start()
    assert seats[0].view()["seq"] == 9
    assert server.stop() == 0


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


def test_no_request_and_no_frame_makes_the_server_fail_and_what_is_described_gets_documented_answers(
    tmp_path: Path,
) -> None:
    """A bounded part of `make fuzz` with fixed seeds."""
    server = Server(tmp_path)
    by_nobody_in_particular(server, 250, 1)
    counts = answered(server)
    assert counts["2"] > 15
    assert counts["4"] > 90
    by_sockets(server, 150, 1)
    assert answered(server)["1"] > 60  # sockets that opened
    by_description(server, tmp_path, 1, 1)
    assert "5" not in answered(server)
    assert server.stop() == 0
    assert [line for line in map(json.loads, server.said) if line["level"] == "error"] == []

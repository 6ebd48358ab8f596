"""One plain ASGI application: a whole game on each server, over its API, an event stream and a page's socket."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness.proxies import free_port
from harness.servers import Seat, Server, opened, until
from harness.sockets.page import Page

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

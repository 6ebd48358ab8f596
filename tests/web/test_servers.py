"""One plain ASGI application: a whole game on each server, over its API, an event stream and a page's socket."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness.proxies import free_port
from harness.servers import Seat, Server, opened, until
from harness.sockets.page import Page
from starlette.testclient import TestClient

from illusion.cli.serve import app_from

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


def play(players: list[Callable[[dict[str, Any]], None]], look: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Each moves in their own way, until the game is over. Returns the last view."""
    while not (view := look())["over"]:
        move: dict[str, Any] = {"move": "doubt"} if len(view["row"]) > 3 else {"move": "place", "gap": 0}
        players[view["to_play"]](move | {"seq": view["seq"]})
    return view


def numbers(stream: str) -> list[int]:
    """Of the events in a stream."""
    return [int(line.removeprefix("id: ")) for line in stream.splitlines() if line.startswith("id: ")]


def until_it_ends(seat: Seat) -> str:
    with seat.client.stream("GET", f"/api/tables/{seat.table}/events") as stream:
        told = ""
        for line in stream.iter_lines():
            told += line + "\n"
            if '"game-ended"' in line:
                break
        return told


@pytest.mark.parametrize("server", COMMANDS)
def test_a_game_on_each_server(server: str, tmp_path: Path) -> None:
    with served(server, tmp_path / "tables.db") as other, ThreadPoolExecutor() as beside:
        seats = opened(other, 2)
        assert seats[0].post("start").status_code == 200
        seats.sort(key=lambda seat: bool(seat.view()["you"]))
        heard = beside.submit(until_it_ends, seats[1])
        with Page.of(other, seats[0]) as page:

            def by_page(move: dict[str, Any]) -> None:
                assert page.send(move)["answer"]["seq"] > move["seq"]

            def by_program(move: dict[str, Any]) -> None:
                assert seats[1].post("moves", move).status_code == 200

            view = play([by_page, by_program], seats[0].view)
            page.hear(view["seq"])
        assert page.view == {key: value for key, value in view.items() if key != "you"}
        assert numbers(heard.result(20)) == list(range(1, view["seq"] + 1))
        assert seats[0].client.get(f"/table/{seats[0].table}").status_code == 200


def test_a_game_without_any_server(tmp_path: Path) -> None:
    """In Starlette's `TestClient`, which hands over a response once it is whole: the stream ends with its hub."""
    app = app_from({"ILLUSION_DATABASE": str(tmp_path / "tables.db"), "ILLUSION_BOT_SECONDS": "0"})
    with TestClient(app, headers={"origin": "http://testserver"}) as client, ThreadPoolExecutor() as beside:
        client.post("/pass-and-play", data={"name": ["Ana", "Bob"]}, follow_redirects=False)
        (table,) = (name.removeprefix("seat-") for name in client.cookies if name.startswith("seat-"))
        heard = beside.submit(client.get, f"/api/tables/{table}/events")
        with client.websocket_connect(f"/table/{table}/live") as page:

            def by_page(move: dict[str, Any]) -> None:
                page.send_json(move)
                while "answer" not in (told := page.receive_json()):
                    assert "problem" not in told

            def by_program(move: dict[str, Any]) -> None:
                assert client.post(f"/api/tables/{table}/moves", json=move).status_code == 200

            view = play([by_page, by_program], lambda: client.get(f"/api/tables/{table}").json())
        assert client.portal is not None
        client.portal.call(app.state.context.hubs.close)
        assert numbers(heard.result(20).text) == list(range(1, view["seq"] + 1))

"""One plain ASGI application: a whole game on each server, over its API, an event stream and a page's socket."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness.servers import until
from starlette.testclient import TestClient
from websockets import Origin
from websockets.sync.client import connect

from illusion.cli.serve import app_from

COMMANDS = {
    "uvicorn": ["uvicorn", "--port", "PORT", "--log-level", "warning", "illusion.asgi:app"],
    "hypercorn": ["hypercorn", "--bind", "127.0.0.1:PORT", "illusion.asgi:app"],
    "granian": ["granian", "--interface", "asgi", "--port", "PORT", "illusion.asgi:app"],
}

Send = Callable[[dict[str, Any]], None]
Receive = Callable[[], dict[str, Any]]


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def served(server: str, database: Path) -> Iterator[str]:
    port = free_port()
    command = [word.replace("PORT", str(port)) for word in COMMANDS[server]]
    environment = os.environ | {"ILLUSION_DATABASE": str(database), "ILLUSION_BOT_SECONDS": "0"}
    process = subprocess.Popen([sys.executable, "-m", *command], env=environment)
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        assert process.poll() is None
        try:
            return httpx.get(url + "/healthz").status_code == 200
        except httpx.TransportError:
            return False

    try:
        until(answers)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def play(client: Any, table: str, tokens: list[str], send: Send, receive: Receive) -> dict[str, Any]:
    """Moves over the API, and over a page's socket for the first seat. Returns the last view."""
    for number in range(200):
        view: dict[str, Any] = client.get(f"/api/tables/{table}").json()
        if view["phase"] == "over":
            return view
        move: dict[str, Any] = (
            {"move": "doubt"} if number % 4 == 3 and view["legal"]["doubt"] else {"move": "place", "gap": 0}
        )
        if view["to_play"] == 0:
            send({"id": number, **move, "seq": view["seq"]})
            answer = next(message for message in iter(receive, None) if "id" in message)
            assert answer["id"] == number
            assert answer["answer"]["seq"] > view["seq"]
        else:
            bearer = {"authorization": f"Bearer {tokens[view['to_play']]}"}
            move |= {"seq": view["seq"]}
            client.post(f"/api/tables/{table}/moves", json=move, headers=bearer).raise_for_status()
    raise AssertionError("the game does not end")


def begin(client: Any) -> tuple[str, list[str]]:
    opened = client.post("/api/tables", json={"name": "Ana", "seats": 2}).json()
    table = opened["table"]
    sat = client.post(f"/api/tables/{table}/seats", json={"name": "Bob"}).json()
    return table, [opened["token"], sat["token"]]


def start(client: Any, table: str, tokens: list[str]) -> list[str]:
    """Returns the tokens by seat: starting draws the order."""
    bearer = {"authorization": f"Bearer {tokens[0]}"}
    client.post(f"/api/tables/{table}/start", headers=bearer).raise_for_status()
    host = client.get(f"/api/tables/{table}", headers=bearer).json()["you"]
    return tokens if host == 0 else tokens[::-1]


@pytest.mark.parametrize("server", COMMANDS)
def test_a_game_on_each_server(server: str, tmp_path: Path) -> None:
    with served(server, tmp_path / "tables.db") as url, httpx.Client(base_url=url, timeout=20) as client:
        table, tokens = begin(client)
        client.cookies.clear()
        tokens = start(client, table, tokens)
        heard = list[dict[str, Any]]()
        listening = threading.Thread(target=listen, args=(url, table, heard), daemon=True)
        listening.start()
        cookie = {"cookie": f"seat-{table}={tokens[0]}"}
        with connect(f"ws{url[4:]}/table/{table}/live", origin=Origin(url), additional_headers=cookie) as page:

            def receive() -> dict[str, Any]:
                message: dict[str, Any] = json.loads(page.recv(20))
                return message

            view = play(client, table, tokens, lambda what: page.send(json.dumps(what)), receive)
            told = [receive()]
            while told[-1].get("view", {}).get("phase") != "over":
                told.append(receive())
        assert told[-1]["view"] == {key: value for key, value in view.items() if key != "you"}
        listening.join(20)
        assert [event["seq"] for event in heard] == list(range(1, view["seq"] + 1))
        assert client.get(f"/table/{table}").status_code == 200


def listen(url: str, table: str, heard: list[dict[str, Any]]) -> None:
    with httpx.stream("GET", f"{url}/api/tables/{table}/events", timeout=20) as stream:
        for line in stream.iter_lines():
            if line.startswith("data: "):
                heard.append(json.loads(line.removeprefix("data: ")))
                if any(what["event"] == "game-ended" for what in heard[-1]["happened"]):
                    return


def test_a_game_without_any_server(tmp_path: Path) -> None:
    """In Starlette's `TestClient`, which hands over a response once it is whole: the stream ends with its hub."""
    app = app_from({"ILLUSION_DATABASE": str(tmp_path / "tables.db"), "ILLUSION_BOT_SECONDS": "0"})
    with TestClient(app) as client:
        table, tokens = begin(client)
        client.cookies.clear()
        tokens = start(client, table, tokens)
        bodies = list[str]()
        listening = threading.Thread(
            target=lambda: bodies.append(client.get(f"/api/tables/{table}/events").text), daemon=True
        )
        listening.start()
        origin = {"cookie": f"seat-{table}={tokens[0]}", "origin": "http://testserver"}
        with client.websocket_connect(f"/table/{table}/live", headers=origin) as page:
            view = play(client, table, tokens, page.send_json, page.receive_json)
        assert client.portal is not None
        client.portal.call(app.state.context.hubs.close)
        listening.join(20)
    events = [json.loads(line.removeprefix("data: ")) for line in bodies[0].splitlines() if line.startswith("data: ")]
    assert [event["seq"] for event in events] == list(range(1, view["seq"] + 1))

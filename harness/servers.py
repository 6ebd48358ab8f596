"""A real server in a process of its own, and clients that talk to it over loopback."""

import os
import re
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from harness.forked_servers import ForkedServer

OPEN: list[httpx.Client] = []
"""Clients to close when a test ends."""
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of plain HTTP: loading the machine's certificates takes 20 ms of CPU for each."""


def until(is_so: Callable[[], bool]) -> None:
    """Wait until a condition holds, even on a busy machine, but not for ever."""
    for _ in range(4000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError


def as_command(arguments: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "illusion", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class Server:
    """`illusion serve` on a free port; can be killed without warning and started again on the same database."""

    launch: Callable[[list[str]], "subprocess.Popen[str] | ForkedServer"] = staticmethod(as_command)
    """The function that starts the process; tests use a faster one."""

    def __init__(self, where: Path | str, *options: str, limited: bool = False) -> None:
        """`where` is a folder for an SQLite database, or the address of a PostgreSQL database."""
        self.database = where / "tables.db" if isinstance(where, Path) else where
        self.options = (*(() if limited else ("--no-limits",)), *options)
        self.port = 0
        self.start()

    def start(self) -> None:
        arguments = ["serve", "--port", str(self.port), "--database", str(self.database)]
        arguments += ["--bot-seconds", "0", "--drawing", "thread", *self.options]
        self.process = self.launch(arguments)
        assert self.process.stdout is not None
        self.said: list[str] = []
        while not (address := re.search(r"http://[\d.]+:(\d+)/", line := self.process.stdout.readline())):
            assert line, "".join(self.said)
            self.said.append(line)
        self.url, self.port = address.group(0).rstrip("/"), int(address.group(1))
        self.listener = threading.Thread(target=lambda: self.said.extend(self.process.stdout or []), daemon=True)
        self.listener.start()

    def kill(self) -> None:
        """SIGKILL, as if the power failed."""
        os.kill(self.process.pid, signal.SIGKILL)
        self._ended()

    def stop(self) -> int:
        """SIGINT, as with Ctrl-C. Returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self._ended()

    def _ended(self) -> int:
        with self.process:
            self.listener.join(20)
            return self.process.wait(20)

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        client = httpx.Client(base_url=self.url, headers=headers, timeout=20, verify=NO_TLS)
        OPEN.append(client)
        return client


class Seat:
    """A player at a table, through the API."""

    def __init__(self, server: Server, table: str, token: str) -> None:
        self.table = table
        self.token = token
        self.client = server.client(token)

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.client.get(f"/api/tables/{self.table}").json()
        return view

    def post(self, what: str, body: object = None) -> httpx.Response:
        return self.client.post(f"/api/tables/{self.table}/{what}", json=body)

    def place(self, gap: int, seq: int) -> httpx.Response:
        return self.post("moves", {"move": "place", "gap": gap, "seq": seq})

    def doubt(self, seq: int) -> httpx.Response:
        return self.post("moves", {"move": "doubt", "seq": seq})


def opened(server: Server, people: int = 2, **options: object) -> list[Seat]:
    """Players at a new table that has not started; the host first."""
    with server.client() as client:
        made = client.post("/api/tables", json={"name": "Ana", "seats": people, **options}).json()
        seats = [Seat(server, made["table"], made["token"])]
        for name in ("Bob", "Cleo", "Dora", "Eva")[: people - 1 - len(options.get("bots", []))]:  # type: ignore[arg-type]
            sat = client.post(f"/api/tables/{made['table']}/seats", json={"name": name}).json()
            seats.append(Seat(server, made["table"], sat["token"]))
    return seats


def play_beside_bots(host: Seat, until_seq: int) -> None:
    """The only person places or doubts at their turns, until the table has this many entries."""
    while (view := host.view())["seq"] < until_seq and not view["over"]:
        if view["to_play"] != 0:
            time.sleep(0.01)
        elif len(view["row"]) > 3:
            host.doubt(view["seq"])
        else:
            host.place(0, view["seq"])


def play_on(seats: list[Seat], moves: int = 10_000, *, row: int = 4) -> dict[str, Any]:
    """Place at the left and doubt rows so long, until the game is over or `moves` moves are made."""
    view = seats[0].view()
    for _ in range(moves):
        if view["over"]:
            break
        seat = seats[view["to_play"]]
        answer = seat.doubt(view["seq"]) if len(view["row"]) >= row else seat.place(0, view["seq"])
        assert answer.status_code == 200, answer.text
        view = seats[0].view()
    return view

"""Whether bots slow people down: how long a person's move takes while nothing else happens, and beside bot tables."""

import re
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import httpx

TABLES = 100
MOVES = 150


def server(folder: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "illusion", "serve", "--port", "0", "--database", f"{folder}/tables.db"]
    return subprocess.Popen([*command, "--no-limits"], stdout=subprocess.PIPE, text=True)


def people(client: httpx.Client) -> Iterator[float]:
    """Two people place and doubt; how long each move took to be acknowledged, in milliseconds."""
    while True:
        table = client.post("/api/tables", json={"name": "Ana", "seats": 2}).json()
        guest = client.post(f"/api/tables/{table['table']}/seats", json={"name": "Bob"}).json()
        keys = [{"authorization": f"Bearer {token}"} for token in (table["token"], guest["token"])]
        client.post(f"/api/tables/{table['table']}/start", headers=keys[0])
        while not (view := client.get(f"/api/tables/{table['table']}").json())["over"]:
            move: dict[str, Any] = {"move": "place", "gap": 0} if len(view["row"]) < 5 else {"move": "doubt"}
            began = perf_counter()
            client.post(
                f"/api/tables/{table['table']}/moves", json=move | {"seq": view["seq"]}, headers=keys[view["to_play"]]
            ).raise_for_status()
            yield (perf_counter() - began) * 1000


def bots_and_one(client: httpx.Client) -> tuple[str, dict[str, str]]:
    """A table with three bots and a person; where it is, and the person's key."""
    levels = ["keen", "sharp", "eagle-eye"]
    table = client.post("/api/tables", json={"name": "Cleo", "seats": 4, "bots": levels}).json()
    key = {"authorization": f"Bearer {table['token']}"}
    client.post(f"/api/tables/{table['table']}/start", headers=key)
    return f"/api/tables/{table['table']}", key


def keep_playing(address: str, tables: list[tuple[str, dict[str, str]]], stop: threading.Event) -> None:
    """Make the moves of the people at all tables, so that their bots always have something to do."""
    with httpx.Client(base_url=address, timeout=60) as client:
        while not stop.is_set():
            for at, key in tables:
                view = client.get(at).json()
                if view["to_play"] == next(player["seat"] for player in view["players"] if player["name"] == "Cleo"):
                    move: dict[str, Any] = {"move": "place", "gap": 0} if len(view["row"]) < 8 else {"move": "doubt"}
                    client.post(f"{at}/moves", json=move | {"seq": view["seq"]}, headers=key)


def told(name: str, times: list[float]) -> None:
    worst = statistics.quantiles(times, n=100)[98]
    print(f"bots: a person's move takes {statistics.median(times):.1f} ms, 99 % within {worst:.1f} ms, {name}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, server(folder) as running:
        try:
            address = re.search(r"http://\S+", running.stdout.readline() if running.stdout else "")
            assert address
            with httpx.Client(base_url=address.group(), timeout=60) as client:
                moves = people(client)
                quiet = [next(moves) for _ in range(MOVES)]
                tables, stop = [bots_and_one(client) for _ in range(TABLES)], threading.Event()
                playing = threading.Thread(target=keep_playing, args=(address.group(), tables, stop))
                playing.start()
                busy = [next(moves) for _ in range(MOVES)]
                stop.set()
                playing.join()
                told("alone", quiet)
                told(f"beside {TABLES} tables where three bots play with a person", busy)
        finally:
            running.terminate()

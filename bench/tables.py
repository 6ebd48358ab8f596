"""Moves through a really running server with a durable store: four people at each table, each with an event stream.

A move counts when all four have received it. Closed loop: each table makes its next move as soon as that has happened.
Client and server share the machine, and the client is Python too, so the figures are lower bounds.
"""

import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

SECONDS = 6.0
TABLES = (10, 100, 500)


class Wire:
    """HTTP over one kept connection, as little as is needed here."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.line = asyncio.Lock()
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: object, token: str = "") -> dict[str, Any]:
        async with self.line:
            try:
                return await self._post(path, body, token)
            except (asyncio.IncompleteReadError, ConnectionError):  # the server has closed an idle connection
                self.streams = None
                return await self._post(path, body, token)

    async def _post(self, path: str, body: object, token: str) -> dict[str, Any]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        content = json.dumps(body).encode()
        head = [f"POST {path} HTTP/1.1", "host: bench", f"authorization: Bearer {token}"]
        head += [f"content-length: {len(content)}", "", ""]
        writer.write("\r\n".join(head).encode() + content)
        told = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(told.split("content-length: ")[1].split("\r\n")[0])
        answer: dict[str, Any] = json.loads(await reader.readexactly(length))
        return answer


class Listener:
    """One person's event stream; knows the last number heard and who is to play."""

    def __init__(self) -> None:
        self.seq = 0
        self.to_play: int | None = None
        self.cards = 1
        self.over = False
        self.heard = asyncio.Event()

    async def listen(self, port: int, table: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        writer.write(f"GET /api/tables/{table}/events HTTP/1.1\r\nhost: bench\r\n\r\n".encode())
        try:
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    self.take(json.loads(line[6:]))
        finally:
            writer.close()

    def take(self, event: dict[str, Any]) -> None:
        self.seq = event["seq"]
        for each in event["happened"]:
            if "to_play" in each:
                self.to_play = each["to_play"]
            self.cards = 1 if each["event"] == "round-started" else self.cards + (each["event"] == "card-placed")
            self.over = self.over or each["event"] == "game-ended"
        self.heard.set()


async def table(port: int, until: list[float], delays: list[float]) -> None:
    """One table after another, four people each, until the time is up."""
    wire = Wire(port)
    while perf_counter() < until[0]:
        made = await wire.post("/api/tables", {"name": "A", "seats": 4})
        tokens = [made["token"]]
        for name in "BCD":
            tokens.append((await wire.post(f"/api/tables/{made['table']}/seats", {"name": name}))["token"])
        people = [Listener() for _ in tokens]
        listening = [asyncio.create_task(each.listen(port, made["table"])) for each in people]
        dealt = (await wire.post(f"/api/tables/{made['table']}/start", None, tokens[0]))["seq"]
        await heard(people, dealt)
        while not people[0].over and perf_counter() < until[0]:
            first = people[0]
            move = {"move": "doubt"} if first.cards > 14 else {"move": "place", "gap": 0}
            began = perf_counter()
            assert first.to_play is not None
            answer = await wire.post(
                f"/api/tables/{made['table']}/moves", {**move, "seq": first.seq}, tokens[first.to_play]
            )
            await heard(people, answer["seq"])
            delays.append(perf_counter() - began)
        for task in listening:
            task.cancel()


async def heard(people: list[Listener], seq: int) -> None:
    for each in people:
        while each.seq < seq:
            each.heard.clear()
            await each.heard.wait()


async def measure(port: int, tables: int) -> list[float]:
    delays: list[float] = []
    until = [perf_counter() + 3600]
    running = [asyncio.create_task(table(port, until, delays)) for _ in range(tables)]
    while len(delays) < 10 * tables:  # until every table has been dealt and plays
        await asyncio.sleep(0.1)
    delays.clear()
    until[0] = perf_counter() + SECONDS
    await asyncio.gather(*running)
    return sorted(delays)


def memory(pid: int) -> float:
    """Kilobytes the process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    return float(status.split("VmRSS:")[1].split()[0])


def main() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # four streams a table, for the server too
    print(f"Tables: moves acknowledged and delivered to all four players, durable SQLite, {SECONDS:.0f} s each")
    for tables in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "illusion", "serve", "--port", "0", "--tables-a-minute", "1000000"]
            command += ["--database", f"{folder}/tables.db"]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
                assert server.stdout is not None
                port = int(server.stdout.readline().split(":")[2].split("/")[0])
                try:
                    before = memory(server.pid)
                    delays = asyncio.run(measure(port, tables))
                    grown = (memory(server.pid) - before) / tables
                finally:
                    server.terminate()
        half, late = statistics.median(delays) * 1000, delays[int(len(delays) * 0.99)] * 1000
        rate = f"{len(delays) / SECONDS:7,.0f} moves/s"
        figures = f"{rate}   50 % {half:6.1f} ms   99 % {late:6.1f} ms   {grown:6.0f} KB a table"
        print(f"  {tables:4} tables  {figures}")

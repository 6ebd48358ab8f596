"""The honest pair, a process of its own: two people who play, hear of every move on their pages, and look at each card.

They do what pages do: moves are frames on the page's socket, and a picture comes over it before the message that shows
its card; one that was not drawn in time is asked for. They move at a steady pace, and a move's delay counts from when
it was due until both pages have it, so that a server that stalls cannot hide it. Every line on the standard input ends
a window of time; its figures are written as JSON.
"""

import asyncio
import itertools
import random
import sys
from collections import Counter
from contextlib import suppress
from time import perf_counter
from typing import Any, Final

import msgspec
import uvloop
from harness.siege.connection import Connection, Gone
from harness.sockets.frames import BINARY, TEXT, UPGRADE, Frame, FrameReader, frame
from harness.sockets.placements import view_after

HOST: Final = "127.0.0.1"
MOVES_PER_SECOND: Final = 6
"""About twenty times as fast as people play, so that eight seconds give fifty moves; their seats' limit is ten."""
ROW_TO_DOUBT: Final = 8
RETRY_S: Final = 0.1
NEWCOMER_S: Final = 1.0
STUCK_S: Final = 5.0
"""After which a page reloads, because it may have missed something."""


class Felt(msgspec.Struct):
    """One window of time, in milliseconds. What was still awaited at its end counts with the time it had waited."""

    moves: list[float] = []
    pictures: list[float] = []
    trouble: dict[str, int] = {}
    """What a browser would have had to do again: refused, cut off, or a newcomer who did not get in."""


class Page:
    """One of the two: a seat, kept connections for what is asked for, and the page's socket."""

    def __init__(self, pair: "Pair", token: str) -> None:
        self.pair = pair
        self.token = token
        self.kept: dict[str, Connection] = {}
        self.free: list[str] = []
        """Connections for pictures that are not in use."""
        self.numbers = itertools.count()
        self.last_seq = 0
        self.message: dict[str, Any] = {}
        self.pictures: set[str] = set()
        """Addresses of those that were sent over the socket."""
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard = asyncio.Event()
        self.listening = asyncio.create_task(self.listen())

    async def ask(self, line: str, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """On one of the page's kept connections, which is opened again if the server has closed it."""
        content = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} {path} HTTP/1.1\r\nhost: {HOST}\r\nauthorization: Bearer {self.token}\r\n"
        head += f"accept-encoding: gzip\r\ncontent-length: {len(content)}\r\n\r\n"
        for fresh in (False, True):
            connection = self.kept.get(line)
            if fresh or connection is None or connection.is_closed:
                connection = self.kept[line] = await self.pair.connect()
            try:
                answer = await connection.ask(head.encode() + content)
            except Gone:
                if fresh:
                    raise
                continue  # closed while idle
            return answer.status, answer.json() if b"json" in answer.head else None
        raise AssertionError

    async def picture(self, address: str) -> int:
        """On a connection that is free; pages load several pictures at once."""
        line = self.free.pop() if self.free else f"picture {next(self.numbers)}"
        try:
            status, _ = await self.ask(line, "GET", f"/cards/{address}.svg")
        finally:
            self.free.append(line)
        return status

    async def listen(self) -> None:
        """The page's socket, opened again whenever it ends."""
        while True:
            with suppress(Gone):
                connection = await self.pair.connect()
                reader = FrameReader()
                connection.on_data = lambda data, reader=reader: self.take(reader.take(data))
                answer = await connection.ask(self.handshake())
                if answer.is_stream:
                    self.kept["socket"] = connection
                    while not connection.is_closed:
                        await asyncio.sleep(0.05)
            self.pair.trouble["socket"] += 1
            await asyncio.sleep(RETRY_S)

    def handshake(self) -> bytes:
        own = f"{HOST}:{self.pair.port}"
        cookie = f"seat-{self.pair.table}={self.token}"
        fields = {"host": own, "origin": f"http://{own}", "cookie": cookie, **UPGRADE}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return f"GET /table/{self.pair.table}/live?after={self.last_seq} HTTP/1.1\r\n{head}\r\n".encode()

    def take(self, frames: list[Frame]) -> None:
        for each in frames:
            if each.opcode == BINARY:
                self.pictures.add(each.payload.partition(b"\n")[0].decode())
            elif each.opcode == TEXT:
                told = msgspec.json.decode(each.payload)
                if "event" in told:
                    self.message, self.last_seq = told, told["seq"]
                    self.heard.set()
                elif "answer" in told or "problem" in told:
                    self.answers.put_nowait(told)

    async def move(self, wanted: dict[str, Any]) -> int:
        """By a frame; returns the status that the answer stands for."""
        socket = self.kept.get("socket")
        if socket is None or socket.is_closed:
            raise Gone
        while not self.answers.empty():
            self.answers.get_nowait()  # to a move that was given up
        socket.send(frame(TEXT, msgspec.json.encode(wanted)))
        told = await self.answers.get()
        return 200 if "answer" in told else int(told["problem"]["status"])

    async def hear(self, seq: int) -> None:
        while self.last_seq < seq:
            self.heard.clear()
            await self.heard.wait()

    def close(self) -> None:
        self.listening.cancel()
        for connection in self.kept.values():
            connection.abort()


class Pair:
    """Two pages at a table, and at the next one when the game is over."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.table = ""
        self.pages: list[Page] = []
        self.view: dict[str, Any] = {}
        self.looked_at: set[str] = set()
        self.rng = random.Random(1)
        self.moves: list[float] = []
        self.pictures: list[float] = []
        self.trouble: Counter[str] = Counter()
        self.due = 0.0
        self.loading: dict[asyncio.Task[None], float] = {}

    async def connect(self) -> Connection:
        loop = asyncio.get_running_loop()
        try:
            _, connection = await loop.create_connection(lambda: Connection(lambda *_: None, set()), HOST, self.port)
        except OSError:
            raise Gone from None
        return connection

    async def sit_down(self) -> None:
        """A new table for the two. The game is the long variant, so that it seldom ends."""
        for page in self.pages:
            page.close()
        self.table, self.pages = "", []
        host = Page(self, "")
        host.listening.cancel()
        opened = await self.insist(host, "POST", "/api/tables", {"name": "Ana", "seats": 2, "variant": "twelve-rounds"})
        self.table = opened["table"]
        sat = await self.insist(host, "POST", f"/api/tables/{self.table}/seats", {"name": "Bob"})
        host.close()
        self.pages = [Page(self, opened["token"]), Page(self, sat["token"])]
        await self.insist(self.pages[0], "POST", f"/api/tables/{self.table}/start")
        you = (await self.insist(self.pages[0], "GET", f"/api/tables/{self.table}"))["you"]
        if you:
            self.pages.reverse()  # the deal draws the order of the seats
        await self.look()

    async def insist(self, page: Page, method: str, path: str, body: object = None) -> Any:
        while True:
            with suppress(Gone, TimeoutError):
                async with asyncio.timeout(STUCK_S):
                    status, told = await page.ask("requests", method, path, body)
                if status in (200, 201):
                    return told
                self.trouble[str(status)] += 1
            await asyncio.sleep(RETRY_S)

    async def look(self) -> None:
        self.view = await self.insist(self.pages[0], "GET", f"/api/tables/{self.table}")
        self.load_pictures([*self.view["row"], self.view["next_card"]])

    async def play(self) -> None:
        self.due = perf_counter()
        while True:
            if self.view["over"]:
                await self.sit_down()
                self.due = perf_counter()
            self.due += 1 / MOVES_PER_SECOND
            await asyncio.sleep(max(self.due - perf_counter(), 0))
            await self.move()
            self.moves.append((perf_counter() - self.due) * 1000)

    async def move(self) -> None:
        """A move, until both pages show it. What fails is tried again, as people do."""
        doubts = len(self.view["row"]) >= ROW_TO_DOUBT or self.view["next_card"] is None
        gap = self.rng.randint(0, len(self.view["row"]))
        seq = self.view["seq"]
        wanted = {"move": "doubt", "seq": seq} if doubts else {"move": "place", "gap": gap, "seq": seq}
        while True:
            with suppress(Gone, TimeoutError):
                async with asyncio.timeout(STUCK_S):
                    page = self.pages[self.view["to_play"]]
                    status = await page.move(wanted)
                    if status in (200, 409):  # 409: stored the first time, though the answer was lost
                        await asyncio.gather(*(page.hear(seq + 1) for page in self.pages))
                        break
                    self.trouble[str(status)] += 1
                    await asyncio.sleep(RETRY_S)
                    continue
            self.trouble["move"] += 1
            await asyncio.sleep(RETRY_S)
        self.view = view_after(self.view, self.pages[0].message)
        self.load_pictures([*self.view["row"], self.view["next_card"]])

    def load_pictures(self, addresses: list[str | None]) -> None:
        for address in addresses:
            if address is not None and address not in self.looked_at:
                self.looked_at.add(address)
                for page in self.pages:
                    task = asyncio.create_task(self.load(page, address))
                    self.loading[task] = perf_counter()
                    task.add_done_callback(self.loaded)

    async def load(self, page: Page, address: str) -> None:
        while address not in page.pictures:
            with suppress(Gone, TimeoutError):
                async with asyncio.timeout(STUCK_S):
                    status = await page.picture(address)
                if status == 200:
                    return
                self.trouble[str(status)] += 1
                await asyncio.sleep(RETRY_S)
                continue
            self.trouble["picture"] += 1
            await asyncio.sleep(RETRY_S)

    def loaded(self, task: asyncio.Task[None]) -> None:
        self.pictures.append((perf_counter() - self.loading.pop(task)) * 1000)

    async def newcomers(self) -> None:
        """Somebody else comes to the table once a second, on a connection of their own."""
        while True:
            await asyncio.sleep(NEWCOMER_S)
            newcomer = Page(self, "none")
            newcomer.listening.cancel()
            try:
                async with asyncio.timeout(STUCK_S):
                    status, _ = await newcomer.ask("look", "GET", f"/api/tables/{self.table}")
                self.trouble["newcomer"] += status != 200
            except (Gone, TimeoutError):
                self.trouble["newcomer"] += 1
            newcomer.close()

    def window(self) -> Felt:
        """The figures since the last window."""
        now = perf_counter()
        overdue = [self.due + number / MOVES_PER_SECOND for number in range(1000)]
        felt = Felt(
            self.moves + [(now - due) * 1000 for due in overdue if due < now],
            self.pictures + [(now - began) * 1000 for began in self.loading.values()],
            {name: count for name, count in self.trouble.items() if count},
        )
        self.moves, self.pictures, self.trouble = [], [], Counter()
        return felt


async def main(port: int) -> None:
    pair = Pair(port)
    await pair.sit_down()
    playing = [asyncio.create_task(pair.play()), asyncio.create_task(pair.newcomers())]
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline) == "window\n":
        for task in playing:
            if task.done():
                task.result()
        print(msgspec.json.encode(pair.window()).decode(), flush=True)
    for task in (*playing, *pair.loading):
        task.cancel()
    for page in pair.pages:
        page.close()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))

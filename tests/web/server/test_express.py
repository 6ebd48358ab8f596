"""The express: plain moves go straight to their tables, and nobody can tell by the answers which way a move went."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette

from illusion.tables import SqliteStore, StoreFailed, TableService
from illusion.tables.model import commands
from illusion.web import create_app
from illusion.web.http.limits import Limits
from illusion.web.server import http_protocol
from illusion.web.server.express import Express, Wire

KEPT = 1
"""Seconds for which a connection is kept that is not used."""
Story = Callable[["Evening"], Awaitable[None]]


class Noting(Express):
    """Notes what it was asked to take and whether it did."""

    def __init__(self, app: Starlette, taken: list[bool]) -> None:
        super().__init__(app, ["127.0.0.1"])
        self.taken = taken

    def take(self, wire: Wire, request: bytes) -> bool:
        self.taken.append(super().take(wire, request))
        return self.taken[-1]


class Never(Express):
    """Everything goes the ordinary way."""

    def take(self, _wire: Wire, _request: bytes) -> bool:
        return False


class Evening:
    """Two people at a table in a service that is served on two ports: by the express, and without it."""

    def __init__(self, app: Starlette, store: SqliteStore) -> None:
        self.app = app
        self.service: TableService = app.state.service
        self.store = store
        self.taken: list[bool] = []
        self.express = self.ordinary = 0
        self.table = ""
        self.tokens: list[str] = []

    async def begin(self) -> None:
        self.table, host = await self.service.open("Ana", 2)
        self.tokens = [host, (await self.service.sit(self.table, "Bob"))[1]]
        await self.service.execute(self.table, lambda state, now: commands.start(state, now, 0))

    def move(self, gap: int | None = 0, **changed: object) -> bytes:
        """What whoever is at turn would send now, but for what is changed."""
        state = self.service.here(self.table)
        assert state.game is not None
        assert state.game.to_play is not None
        body = {"move": "place", "gap": gap, "seq": state.seq} | changed
        return self.request(json.dumps(body).encode(), self.tokens[state.game.to_play])

    def request(self, body: bytes, token: str, headers: str = "", length: int | None = None) -> bytes:
        head = f"POST /api/tables/{self.table}/moves HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{headers}"
        return f"{head}content-length: {len(body) if length is None else length}\r\n\r\n".encode() + body

    @property
    def seq(self) -> int:
        return self.service.here(self.table).seq


class Connection:
    """One kept connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, request: bytes) -> None:
        self.writer.write(request)

    async def answer(self) -> tuple[list[str], bytes]:
        """Its head without the date, and its body."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
        length = next(int(line.partition(":")[2]) for line in head if line.startswith("content-length"))
        return [line for line in head if not line.startswith("date:")], await self.reader.readexactly(length)

    async def asked(self, request: bytes) -> tuple[list[str], bytes]:
        self.send(request)
        return await self.answer()


@asynccontextmanager
async def served(app: Starlette, express: Express) -> AsyncIterator[tuple[uvicorn.Server, int]]:
    line: Any = partial(http_protocol.Line, express)
    config = uvicorn.Config(
        app, port=0, http=line, ws="none", lifespan="off", timeout_keep_alive=KEPT, log_config=None, server_header=False
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    yield server, server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving
    await asyncio.sleep(0.1)  # connections are closed a moment later


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Connection]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Connection(reader, writer)
    finally:
        writer.close()


def told(folder: Path, story: Story, limits: Limits | None = None) -> None:
    async def run() -> None:
        store = SqliteStore(folder / "tables.db")
        app = create_app(store, limits=limits or Limits.lifted())
        async with app.router.lifespan_context(app):
            evening = Evening(app, store)
            await evening.begin()
            async with (
                served(app, Noting(app, evening.taken)) as (_, express),
                served(app, Never(app)) as (_, ordinary),
            ):
                evening.express, evening.ordinary = express, ordinary
                await story(evening)

    asyncio.run(asyncio.wait_for(run(), 60))


def test_the_answer_is_the_same_either_way_and_so_is_what_happened(tmp_path: Path) -> None:
    async def story(evening: Evening) -> None:
        async with connected(evening.express) as quick, connected(evening.ordinary) as slow:
            quickly: tuple[list[str], bytes] = [], b""
            for before in range(evening.seq, evening.seq + 4, 2):
                quickly = await quick.asked(evening.move())
                slowly = await slow.asked(evening.move())
                assert quickly == (slowly[0], b'{"seq":%d}' % (before + 1))
                assert slowly[1] == b'{"seq":%d}' % (before + 2)
            assert quickly[0][0] == "HTTP/1.1 200 OK"
            assert any(line.startswith("content-security-policy: default-src 'none'") for line in quickly[0])
        assert evening.taken == [True] * 2
        events = await evening.service.subscribe(evening.table, 4, lambda _: None)
        assert [json.loads(event)["entry"] for _, event in events] == ["placed"] * 4
        assert len(await evening.store.read(evening.table)) == evening.seq == 8

    told(tmp_path, story)


def unplain(evening: Evening) -> Iterator[bytes]:
    """What is not plain, and most of it not right either."""
    good, other = evening.tokens[0], evening.tokens[1]
    state = evening.service.here(evening.table)
    assert state.game is not None
    good, other = (good, other) if state.game.to_play == 0 else (other, good)
    body = json.dumps({"move": "place", "gap": 0, "seq": evening.seq}).encode()
    yield evening.move(seq=evening.seq - 1)
    yield evening.move(seq=evening.seq + 1)
    yield evening.move(gap=2)
    yield evening.move(gap=-1)
    yield evening.move(gap=None)
    yield evening.move(move="doubt")  # one card: nothing to doubt
    yield evening.move(move="dance")
    yield evening.move(more=1)
    yield evening.request(body, other)
    yield evening.request(body, "x" * 43)
    yield evening.request(body, "")
    yield evening.request(b"", good)
    yield evening.request(b"{" * 400, good)
    yield evening.request(b'{"move": "\xff"}', good)
    yield evening.request(body, good, "Origin: http://elsewhere.example\r\n")
    yield evening.request(body, good, "Host: y\r\nhost: z\r\n").replace(b"Host: x\r\n", b"")[:-1] + b" "
    yield evening.request(body, good).replace(b"Host: x", b"Host: [")
    yield evening.request(body, good).replace(evening.table.encode(), b"22222222")
    yield evening.request(body, good).replace(evening.table.encode(), evening.table.upper().encode())
    yield evening.request(body, good).replace(b"POST", b"PUT")
    yield evening.request(body, good).replace(b"Bearer", b"Basic")
    yield evening.request(b"x" * 20_000, good)
    yield evening.request(body + b" " * 20_000, good)


def test_whatever_is_refused_is_refused_by_the_ordinary_way(tmp_path: Path) -> None:
    async def story(evening: Evening) -> None:
        before = evening.seq
        for request in unplain(evening):
            async with connected(evening.express) as quick, connected(evening.ordinary) as slow:
                assert await quick.asked(request) == (refusal := await slow.asked(request)), request
                assert " 200 " not in refusal[0][0], request
                assert evening.seq == before, request
        assert not any(evening.taken)
        async with connected(evening.express) as quick:
            await quick.asked(evening.move())
        assert evening.taken[-1]

    told(tmp_path, story)


@contextmanager
def slowly(store: SqliteStore, gate: asyncio.Event) -> Iterator[None]:
    """A store that takes its time."""
    append = store.append

    async def late(*what: Any, **how: Any) -> None:
        await gate.wait()
        await append(*what, **how)

    store.append = late  # type: ignore[method-assign, assignment]
    yield
    store.append = append  # type: ignore[method-assign]


def test_moves_in_pieces_in_a_row_and_at_once_are_all_made_in_order(tmp_path: Path) -> None:
    async def story(evening: Evening) -> None:
        async with connected(evening.express) as line:
            first = evening.move()
            head = first.index(b"\r\n\r\n") + 4
            line.send(first[:head])
            await asyncio.sleep(0.1)
            line.send(first[head:])
            assert (await line.answer())[1] == b'{"seq":5}'
            assert evening.taken == [True]
            line.send((moving := evening.move())[:30])
            await asyncio.sleep(0.1)
            line.send(moving[30:])
            assert (await line.answer())[1] == b'{"seq":6}'
            assert evening.taken == [True, False]  # torn in its head: read by the ordinary way
            state = evening.service.here(evening.table)
            assert state.game is not None
            turn = state.game.to_play or 0
            moves = [
                evening.request(b'{"move":"place","gap":0,"seq":%d}' % (6 + at), evening.tokens[(turn + at) % 2])
                for at in range(4)
            ]
            gate = asyncio.Event()
            with slowly(evening.store, gate):
                line.send(moves[0])
                await asyncio.sleep(0.1)
                line.send(moves[1] + moves[2])  # while the first one is under way
                line.send(moves[3])
                await asyncio.sleep(0.1)
                gate.set()
                assert [(await line.answer())[1] for _ in range(4)] == [b'{"seq":%d}' % seq for seq in (7, 8, 9, 10)]

    told(tmp_path, story)


def test_a_store_that_fails_loses_nothing_and_is_told_of_as_ever(tmp_path: Path) -> None:
    async def story(evening: Evening) -> None:
        append = evening.store.append

        async def failing(*_: object, **__: object) -> None:
            raise StoreFailed("no room")

        async with connected(evening.express) as line:
            evening.store.append = failing  # type: ignore[method-assign, assignment]
            head, body = await line.asked(evening.move())
            assert (head[0].split()[1], json.loads(body)["code"]) == ("503", "store-failed")
            evening.store.append = append  # type: ignore[method-assign]
            assert (await line.asked(evening.move()))[1] == b'{"seq":5}'
            assert (await line.asked(evening.move()))[1] == b'{"seq":6}'
        assert evening.taken == [True, False, True]  # it failed; then first had to look what became of it

    told(tmp_path, story)


def test_a_fault_of_ours_is_told_of_as_ever_and_the_table_lives_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(evening: Evening) -> None:
        def broken(*_: object) -> None:
            raise RuntimeError("a fault of ours")

        async with connected(evening.express) as line:
            for name in ("move", "hashed"):
                with monkeypatch.context() as patch:
                    patch.setattr(commands, name, broken)
                    head, body = await line.asked(evening.move())
                    assert (head[0].split()[1], json.loads(body)["code"]) == ("500", "broken")
            assert (await line.asked(evening.move()))[1] == b'{"seq":5}'
        assert evening.taken == [False, False, True]

    told(tmp_path, story)


def test_who_comes_second_is_told_so(tmp_path: Path) -> None:
    """Somebody else writes to the same file just before."""

    async def story(evening: Evening) -> None:
        other = SqliteStore(tmp_path / "tables.db")
        await other.open()
        entry = (await other.read(evening.table))[-2]
        await other.append(evening.table, evening.seq + 1, [entry.replace(b"Bob", b"Eve")])
        await other.close()
        request = evening.move()
        async with connected(evening.express) as line:
            head, body = await line.asked(request)
        assert (head[0].split()[1], json.loads(body)["code"]) == ("409", "stale")
        assert evening.taken == [True]

    told(tmp_path, story)


def test_limits_count_the_same(tmp_path: Path) -> None:
    async def story(evening: Evening) -> None:
        async with connected(evening.express) as line:
            codes = [(await line.asked(evening.move()))[0][0].split()[1] for _ in range(24)]
        assert codes == ["200"] * 20 + ["429"] * 4  # ten seconds' worth of two a second
        assert evening.taken == [True] * 20 + [False] * 4

    told(tmp_path, story, Limits(changes=2))


def test_a_proxy_says_whom_it_speaks_for(tmp_path: Path) -> None:
    async def story(evening: Evening) -> None:
        def forwarded(guest: int, origin: str) -> bytes:
            said = f"X-Forwarded-For: 198.51.100.{guest}\r\nX-Forwarded-Proto: https\r\nOrigin: {origin}\r\n"
            return evening.move().replace(b"Host: x\r\n", b"Host: x\r\n" + said.encode())

        async with connected(evening.express) as line:
            for guest in range(30):
                assert (await line.asked(forwarded(guest, "https://x")))[0][0] == "HTTP/1.1 200 OK"
            assert (await line.asked(forwarded(31, "http://x")))[0][0].split()[1] == "403"
        assert evening.taken == [True] * 30 + [False]

    told(tmp_path, story, Limits(changes=1))


def test_a_server_that_stops_answers_what_is_under_way(tmp_path: Path) -> None:
    async def story(evening: Evening) -> None:
        gate = asyncio.Event()
        async with (
            served(evening.app, Noting(evening.app, evening.taken)) as (server, port),
            connected(port) as line,
        ):
            with slowly(evening.store, gate):
                line.send(evening.move())
                while not evening.taken:
                    await asyncio.sleep(0.01)
                server.should_exit = True
                await asyncio.sleep(0.3)
                gate.set()
                assert (await line.answer())[1] == b'{"seq":5}'
                assert await line.reader.read() == b""

    told(tmp_path, story)


def test_who_hangs_up_harms_nobody(tmp_path: Path) -> None:
    async def story(evening: Evening) -> None:
        gate = asyncio.Event()
        with slowly(evening.store, gate):
            async with connected(evening.express) as line:
                line.send(evening.move())
                while not evening.taken:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            gate.set()
        while evening.seq == 4:
            await asyncio.sleep(0.01)
        async with connected(evening.express) as line:
            assert (await line.asked(evening.move()))[1] == b'{"seq":6}'

    told(tmp_path, story)


def test_a_kept_connection_is_closed_when_it_is_not_used_and_not_before(tmp_path: Path) -> None:
    async def story(evening: Evening) -> None:
        async with connected(evening.express) as line:
            for _ in range(6):
                assert (await line.asked(evening.move()))[0][0] == "HTTP/1.1 200 OK"
                await asyncio.sleep(KEPT * 0.4)
            assert await line.reader.read() == b""
        assert evening.taken == [True] * 6

    told(tmp_path, story)

"""Event streams of programs: the same bytes to all, each stream on its own, in order, with a bound, never for ever."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.types import Message, Scope

from illusion.tables import SqliteStore, StoreFailed, TableService
from illusion.tables.live_table import Notice
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry
from illusion.tables.model.table import Table
from illusion.web import create_app
from illusion.web.context import AppContext
from illusion.web.live.broadcast import MAX_UNREAD_BYTES, Broadcast
from illusion.web.live.event_stream import EVENTS, MISSED_AT_ONCE, RETRY
from illusion.web.live.handover import HAND_OVER, StreamHandler
from tests.web.live.reader import Reader


class Client:
    """One client of the application, called as our server calls it: `send` waits while the client does not read.

    When the stream is handed over, it is the connection.
    """

    def __init__(self, app: Starlette, path: str, query: str = "") -> None:
        self._scope: Scope = {
            "type": "http",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "query_string": query.encode(),
            "headers": [],
            "client": ("127.0.0.1", 1),
            HAND_OVER: self._open,
        }
        self._app = app
        self._handler: StreamHandler | None = None
        self.reads = asyncio.Event()
        self.reads.set()
        self.breaks = False
        self.written: list[bytes] = []
        self.ended = False
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        await self._app(self._scope, self._receive, self._send)

    async def _send(self, message: Message) -> None:
        await self.reads.wait()
        if message["type"] == "http.response.body":
            self.ended = not message.get("more_body", False)
            self.written.append(message.get("body", b""))

    async def _receive(self) -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    def _open(self, handler: StreamHandler) -> None:
        self._handler = handler
        handler.opened(self)

    def write(self, body: bytes) -> int:
        if self.breaks:
            raise OSError("the connection broke")
        self.written.append(body)
        return 0

    def close(self) -> None:
        self.ended = True
        asyncio.get_running_loop().call_soon(self.hang_up)

    def hang_up(self) -> None:
        assert self._handler is not None
        self._handler.lost()

    def heard(self) -> list[int]:
        """The numbers of all events received."""
        text = b"".join(self.written).decode()
        return [int(line.removeprefix("id: ")) for line in text.splitlines() if line.startswith("id: ")]


@asynccontextmanager
async def running_app(folder: Path) -> AsyncIterator[tuple[Starlette, AppContext]]:
    app = create_app(SqliteStore(folder / "tables.db"))
    async with app.router.lifespan_context(app):
        yield app, app.state.context


async def settled() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


async def change(service: TableService, table: str) -> int:
    """One more entry in the table's log."""

    def toggle(state: Table, now: float) -> list[AnyEntry]:
        bot_sits = state.chairs[1] is not None
        return commands.remove_bot(state, now, 0, 1) if bot_sits else commands.add_bot(state, now, 0, "keen")

    return await service.execute(table, toggle)


def notice(seq: int | None) -> Notice:
    return Notice(seq, b"{}")


def lines(first: int, last: int) -> bytes:
    return b"".join(b"id: %d\ndata: {}\n\n" % seq for seq in range(first, last + 1))


def broadcast_to(*subscribers: Reader) -> Broadcast:
    broadcast = Broadcast(EVENTS)
    for subscriber in subscribers:
        broadcast.add(subscriber)
    return broadcast


async def test_a_message_is_rendered_once_for_all() -> None:
    rendered: list[int | None] = []

    def render(notice: Notice) -> bytes:
        rendered.append(notice.seq)
        return EVENTS.render(notice)

    broadcast, one, other = Broadcast(EVENTS._replace(render=render)), Reader(), Reader()
    broadcast.add(one)
    broadcast.add(other)
    broadcast.publish(notice(1))
    assert one.read() == other.read() == lines(1, 1)
    assert rendered == [1]


async def test_a_stream_is_not_given_an_event_twice() -> None:
    """An event that a new stream has among those it missed may still be on its way to the older ones."""
    old, new = Reader(), Reader()
    new.last_seq = 2
    broadcast = broadcast_to(old, new)
    for seq in (1, 2, 3):
        broadcast.publish(notice(seq))
    assert old.read() == lines(1, 3)
    assert new.read() == lines(3, 3)


async def test_a_slow_stream_is_closed_with_little_kept_for_it_and_delays_nobody() -> None:
    slow, quick = Reader(), Reader()
    broadcast = broadcast_to(slow, quick)
    most = MAX_UNREAD_BYTES // len(lines(9999, 9999))
    for seq in range(1000, 1000 + most):
        broadcast.publish(notice(seq))
        assert quick.read() == lines(seq, seq)
    broadcast.publish(notice(1000 + most))
    assert quick.read() == lines(1000 + most, 1000 + most)
    assert slow.read() == b"(the end)"  # nothing is left out silently: it reconnects by the last number it saw


async def test_a_heartbeat_breaks_a_silence_and_only_a_silence() -> None:
    subscriber = Reader()
    broadcast = broadcast_to(subscriber)
    broadcast.publish(notice(1))
    sent = broadcast.last_sent
    broadcast.heartbeat(sent + EVENTS.heartbeat_s - 0.1)
    assert subscriber.read() == lines(1, 1)
    broadcast.heartbeat(sent + EVENTS.heartbeat_s)
    assert subscriber.read() == EVENTS.heartbeat


async def test_a_reaction_has_no_number() -> None:
    subscriber = Reader()
    broadcast_to(subscriber).publish(Notice(None, b'{"seat":0}'))
    assert subscriber.read() == b'event: reaction\ndata: {"seat":0}\n\n'


async def test_a_stream_tells_what_was_missed_and_then_what_happens(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        table, _ = await context.service.open("Ana", 2)
        client = Client(app, f"/api/tables/{table}/events", "after=1")
        await settled()
        assert client.heard() == [2]
        seq = await change(context.service, table)
        await settled()
        assert client.heard() == [2, seq]
        client.hang_up()
        assert len(context.broadcasts) == 0


async def test_a_stream_ends_at_once_when_the_store_fails_so_that_the_client_retries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StoreFailed

    async with running_app(tmp_path) as (app, context):
        table, _ = await context.service.open("Ana", 2)
        monkeypatch.setattr(TableService, "subscribe", fail)
        client = Client(app, f"/api/tables/{table}/events")
        await client.task
        assert client.written == [RETRY]
        assert client.ended
        assert len(context.broadcasts) == 0


async def test_a_broadcast_is_there_as_long_as_somebody_follows(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        table, _ = await context.service.open("Ana", 2)
        clients = [Client(app, f"/api/tables/{table}/events", "after=1") for _ in range(2)]
        await settled()
        assert len(context.broadcasts) == 1
        await change(context.service, table)
        await settled()
        assert clients[0].written == clients[1].written
        clients[0].hang_up()
        assert len(context.broadcasts) == 1
        clients[1].hang_up()
        assert len(context.broadcasts) == 0
        heard = len(clients[1].written)
        await change(context.service, table)
        await settled()
        assert len(clients[1].written) == heard


async def test_a_connection_that_breaks_in_the_middle_costs_nobody_else_anything(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        table, _ = await context.service.open("Ana", 2)
        clients = [Client(app, f"/api/tables/{table}/events", "after=2") for _ in range(3)]
        await settled()
        clients[1].breaks = True
        assert await change(context.service, table) == 3
        await settled()
        assert clients[1].ended
        assert await change(context.service, table) == 4
        await settled()
        assert [clients[0].heard(), clients[2].heard()] == [[3, 4], [3, 4]]
        for client in (clients[0], clients[2]):
            client.hang_up()
        assert len(context.broadcasts) == 0


async def test_the_answer_comes_before_anybody_is_told(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (_, context):
        table, _ = await context.service.open("Ana", 2)
        told: list[int | None] = []
        await context.service.subscribe(table, 2, lambda notice: told.append(notice.seq))
        seq = await change(context.service, table)
        assert told == []
        await settled()
        assert told == [seq]


async def test_a_stopping_server_ends_its_streams(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        table, _ = await context.service.open("Ana", 2)
        client = Client(app, f"/api/tables/{table}/events")
        await settled()
        context.broadcasts.close()
        await settled()
        assert client.ended
        assert len(context.broadcasts) == 0


async def test_a_program_that_missed_much_gets_every_event_in_bounded_pieces(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        table, _ = await context.service.open("Ana", 2)
        seq = [await change(context.service, table) for _ in range(300)][-1]
        client = Client(app, f"/api/tables/{table}/events", "after=0")
        client.reads.clear()
        await settled()
        assert client.written == []
        client.reads.set()
        await settled()
        assert client.heard() == list(range(1, seq + 1))
        assert max(piece.count(b"id: ") for piece in client.written) == MISSED_AT_ONCE
        client.hang_up()

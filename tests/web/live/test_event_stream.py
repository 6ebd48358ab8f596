"""Event streams: the same bytes to all, at once while there is room, in order when there is not, and never for ever."""

import asyncio
from pathlib import Path

from starlette.types import Message, Receive, Scope

from illusion.tables import SqliteStore, StoreFailed
from illusion.tables.model import commands
from illusion.web import create_app
from illusion.web.live.broadcast import HEARTBEAT_S, STILL_HERE, Broadcast
from illusion.web.live.event_stream import RETRY, WAITING, Subscriber


class Connection:
    """A server's `send` that, like uvicorn's, waits for room before it writes anything."""

    def __init__(self) -> None:
        self.room = asyncio.Event()
        self.room.set()
        self.written: list[bytes] = []
        self.chunks: list[bytes] = []
        self.ended = False

    async def send(self, message: Message) -> None:
        if not self.room.is_set():
            await self.room.wait()
        self.ended = not message.get("more_body", False)
        self.written.append(message.get("body", b""))

    def straight(self, chunk: bytes) -> bool:
        if self.room.is_set():
            size, lines = chunk.split(b"\r\n", 1)
            assert lines[int(size, 16) :] == b"\r\n"
            self.chunks.append(chunk)
            self.written.append(lines[:-2])
        return self.room.is_set()


async def opened(*connections: Connection) -> Broadcast:
    channel = Broadcast(lambda event: b"data: " + event)
    for connection in connections:
        stream = Subscriber(connection.send, connection.straight)
        await stream.catch_up()
        channel.streams.add(stream)
    return channel


def lines(first: int, last: int) -> list[bytes]:
    return [b"id: %d\ndata: {}\n\n" % seq for seq in range(first, last + 1)]


async def settled() -> None:
    for _ in range(WAITING * 4):
        await asyncio.sleep(0)


def test_everybody_gets_the_same_bytes_before_tell_returns() -> None:
    async def story() -> None:
        one, other = Connection(), Connection()
        channel = await opened(one, other)
        channel.tell((1, b"{}"))
        assert one.written == other.written == lines(1, 1)
        assert one.chunks[0] is other.chunks[0]  # made once

    asyncio.run(story())


def test_what_happens_while_the_beginning_is_sent_waits_its_turn() -> None:
    async def story() -> None:
        connection = Connection()
        stream = Subscriber(connection.send, connection.straight)
        channel = Broadcast(lambda event: b"data: " + event)
        channel.streams.add(stream)
        channel.tell((1, b"{}"))
        assert connection.written == []
        await stream.catch_up()
        channel.tell((2, b"{}"))
        assert connection.written == lines(1, 2)

    asyncio.run(story())


def test_a_full_connection_delays_nobody_else_and_loses_nothing() -> None:
    async def story() -> None:
        slow, quick = Connection(), Connection()
        channel = await opened(slow, quick)
        slow.room.clear()
        for seq in range(1, WAITING + 1):
            channel.tell((seq, b"{}"))
        assert quick.written == lines(1, WAITING)
        await settled()
        assert slow.written == []
        slow.room.set()
        await settled()
        assert slow.written == lines(1, WAITING)
        channel.tell((WAITING + 1, b"{}"))
        assert slow.written[-1:] == lines(WAITING + 1, WAITING + 1)
        assert not slow.ended

    asyncio.run(story())


def test_who_falls_too_far_behind_is_sent_away_with_little_kept_for_them() -> None:
    async def story() -> None:
        slow, quick = Connection(), Connection()
        channel = await opened(slow, quick)
        slow.room.clear()
        for seq in range(1, WAITING * 3):
            channel.tell((seq, b"{}"))
            if seq % 10 == 0:
                await asyncio.sleep(0)
        assert quick.written == lines(1, WAITING * 3 - 1)
        slow.room.set()
        await settled()
        assert slow.ended  # it comes back by the last number it saw
        assert slow.written[:-1] == lines(1, len(slow.written) - 1)  # and that one is right: nothing was left out
        assert len(slow.written) <= 2
        channel.tell((WAITING * 3, b"{}"))
        assert slow.written[-1] == b""

    asyncio.run(story())


def test_a_silence_is_broken_and_talk_is_not() -> None:
    async def story() -> None:
        connection = Connection()
        channel = await opened(connection)
        channel.tell((1, b"{}"))
        spoke = channel.spoke
        channel.beat(spoke + HEARTBEAT_S - 0.1)
        assert connection.written == lines(1, 1)
        channel.beat(spoke + HEARTBEAT_S)
        assert connection.written == [*lines(1, 1), STILL_HERE]

    asyncio.run(story())


def test_a_reaction_goes_to_every_form_as_it_is_and_without_a_number() -> None:
    async def story() -> None:
        connection = Connection()
        channel = await opened(connection)
        channel.tell((None, b'{"seat":0}'))
        assert connection.written == [b'event: reaction\ndata: {"seat":0}\n\n']

    asyncio.run(story())


def test_a_stream_that_the_store_cannot_begin_ends_at_once_so_that_its_reader_comes_back(tmp_path: Path) -> None:
    async def story() -> None:
        app = create_app(SqliteStore(tmp_path / "tables.db"))
        async with app.router.lifespan_context(app):
            table, _ = await app.state.service.open("Ana", 2)

            async def fail(*_: object) -> None:
                raise StoreFailed

            app.state.service.subscribe = fail
            path = f"/api/tables/{table}/events"
            scope: Scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
            connection = Connection()
            await app(scope, _asking(asyncio.Event()), connection.send)
            assert connection.written[-1] == RETRY
            assert connection.ended
            assert len(app.state.broadcasts) == 0

    asyncio.run(story())


def test_a_channel_is_there_as_long_as_somebody_follows(tmp_path: Path) -> None:
    async def story() -> None:
        app = create_app(SqliteStore(tmp_path / "tables.db"))
        async with app.router.lifespan_context(app):
            service, channels = app.state.service, app.state.broadcasts
            table, _ = await service.open("Ana", 2)
            path = f"/api/tables/{table}/events"
            scope: Scope = {"type": "http", "method": "GET", "path": path, "query_string": b"after=1", "headers": []}
            leaving = [asyncio.Event(), asyncio.Event()]
            connections = [Connection(), Connection()]
            readers = [
                asyncio.create_task(app({**scope}, _asking(gone), connection.send))
                for gone, connection in zip(leaving, connections, strict=True)
            ]
            await settled()
            assert len(channels) == 1
            await service.execute(table, lambda state, now: commands.add_bot(state, now, 0, "keen"))
            assert connections[0].written == connections[1].written
            assert b"sat-down" in connections[0].written[-1]
            leaving[0].set()
            await readers[0]
            assert len(channels) == 1
            leaving[1].set()
            await readers[1]
            assert len(channels) == 0
            heard = len(connections[1].written)
            await service.execute(table, lambda state, now: commands.remove_bot(state, now, 0, 1))
            assert len(connections[1].written) == heard

    asyncio.run(story())


def _asking(gone: asyncio.Event) -> Receive:
    """A request without a body, then a client that stays until it goes."""
    asked = False

    async def receive() -> Message:
        nonlocal asked
        if asked:
            await gone.wait()
            return {"type": "http.disconnect"}
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    return receive

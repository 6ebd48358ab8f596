"""Questions over kept connections: as few as a browser opens, and an answer or the news that there is none."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.load.wire import LOST, Answer, Lines, request

HELLO = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"


class Host:
    """Answers when it is let; counts connections."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.most = self.now = self.questions = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.questions += 1
                await self.open.wait()
                writer.write(HELLO)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.now -= 1
            writer.close()


@asynccontextmanager
async def hosted() -> AsyncIterator[tuple[Host, int]]:
    host = Host()
    server = await asyncio.start_server(host.serve, "127.0.0.1", 0)
    async with server:
        yield host, server.sockets[0].getsockname()[1]
        while host.now:  # whoever asked has hung up
            await asyncio.sleep(0.01)


async def test_more_questions_than_connections_wait_their_turn() -> None:
    async with hosted() as (host, port):
        lines = Lines(port, most=3)
        asking = [asyncio.create_task(lines.answer(request("GET", f"/{n}", {}))) for n in range(10)]
        while host.questions < 3:
            await asyncio.sleep(0.01)
        assert len(lines.waiting) == 7
        host.open.set()
        assert {(answer.status, answer.content) for answer in await asyncio.gather(*asking)} == {(200, b"hello")}
        assert (host.most, host.questions) == (3, 10)
        lines.close()


async def test_whoever_waits_is_told_when_nobody_is_there() -> None:
    async with hosted() as (_, port):
        pass
    told: list[Answer] = []
    lines = Lines(port, most=1)
    for number in range(3):
        lines.ask(request("GET", f"/{number}", {}), told.append)
    while len(told) < 3:
        await asyncio.sleep(0.01)
    assert {answer.status for answer in told} == {LOST}


async def test_a_connection_that_was_closed_while_idle_is_replaced() -> None:
    async with hosted() as (host, port):
        host.open.set()
        lines = Lines(port, "127.9.9.9", most=1)
        assert (await lines.answer(request("GET", "/", {}))).status == 200
        lines.idle[0].transport.abort()
        assert (await lines.answer(request("GET", "/", {}))).status == 200
        assert host.questions == 2
        lines.close()

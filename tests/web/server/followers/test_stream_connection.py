"""Event streams when their requests are over: nothing is left of these, and no client can make a stream stay."""

import asyncio
import gc
import re
from pathlib import Path

import pytest
from harness.siege.guest import Own
from harness.siege.inside import Inside
from starlette.requests import Request

from illusion.web.server.followers import open_connection
from illusion.web.server.followers.stream_connection import LAST_CHUNK, StreamConnection
from illusion.web.server.http_protocol import LimitedHttpProtocol
from tests.web.server.followers.at_a_table import at_a_table, until

MUCH = 6000
"""Entries whose events no buffer holds."""


def events(own: Own, after: int = 0) -> bytes:
    return f"GET {own.path}/events?after={after} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()


async def connect(inside: Inside, request: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", inside.port)
    writer.write(request)
    return reader, writer


async def body(reader: asyncio.StreamReader) -> bytes:
    """All chunks up to the last one (RFC 9112, 7.1)."""
    whole = b""
    while size := int(await reader.readline(), 16):
        whole += await reader.readexactly(size)
        assert await reader.readexactly(2) == b"\r\n"
    assert await reader.readexactly(2) == b"\r\n"
    return whole


async def test_no_task_waits_for_a_stream_and_nothing_is_left_of_its_request(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even for the garbage collector, which seldom runs."""
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        await guest.stream(f"{own.path}/events")
        await until(lambda: not inside.server.server_state.tasks)
        before = len(asyncio.all_tasks())
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                await guest.stream(f"{own.path}/events")
            await until(lambda: not inside.server.server_state.tasks)
            await asyncio.sleep(0)
            assert len(asyncio.all_tasks()) == before
            assert [each for each in gc.get_objects() if type(each) in (LimitedHttpProtocol, Request)] == []
        finally:
            gc.enable()
        assert {type(protocol) for protocol in inside.protocols} == {StreamConnection}
        assert inside.open_streams == inside.limiter.total == 4


async def test_every_event_comes_once_and_in_order_and_a_stopping_server_ends_the_body(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """While what was missed is sent, more happens."""
    async with at_a_table(tmp_path, caplog) as (inside, guest, _):
        own = await guest.own_table()
        await inside.write(own, 500)
        reader, writer = await connect(inside, events(own))
        for _ in range(20):
            await inside.write(own, 1)
        await until(lambda: inside.open_streams == 1)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"transfer-encoding: chunked" in head
        await inside.write(own, 1)
        last = inside.entries(own)
        await asyncio.sleep(0.01)  # it is told in the next turn of the event loop
        inside.context.broadcasts.close()
        heard = [int(number) for number in re.findall(rb"^id: (\d+)$", await body(reader), re.MULTILINE)]
        assert heard == list(range(1, last + 1))
        assert await reader.read() == b""
        writer.close()


@pytest.mark.parametrize("when", ["with it", "later"])
async def test_a_request_behind_a_stream_ends_it(tmp_path: Path, caplog: pytest.LogCaptureFixture, when: str) -> None:
    async with at_a_table(tmp_path, caplog) as (inside, _, own):
        another = b"GET /rules HTTP/1.1\r\n\r\n"
        reader, writer = await connect(inside, events(own) + (another if when == "with it" else b""))
        if when == "later":
            await until(lambda: inside.open_streams == 1)
            writer.write(another)
        sent = await reader.read()
        assert sent.count(b"HTTP/1.1 ") == 1
        assert sent.endswith(LAST_CHUNK)
        writer.close()


async def test_a_client_that_hangs_up_while_it_is_told_what_it_missed_leaves_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with at_a_table(tmp_path, caplog) as (inside, guest, _):
        own = await guest.own_table()
        await inside.write(own, MUCH)
        reader, writer = await connect(inside, events(own))
        await reader.read(1000)
        writer.transport.abort()
        await inside.until_calm()


@pytest.mark.parametrize("missed", [0, MUCH])
async def test_a_client_that_does_not_read_is_disconnected(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, missed: int
) -> None:
    """Whether it stops reading before the stream is handed over or after."""
    async with at_a_table(tmp_path, caplog) as (inside, guest, _):
        own = await guest.own_table()
        monkeypatch.setattr(open_connection, "STALL_TIMEOUT_S", 0.2)
        monkeypatch.setattr("illusion.web.server.http_protocol.STALL_TIMEOUT_S", 0.2)
        if missed:
            await inside.write(own, missed)
        after = 0 if missed else inside.entries(own)
        await guest.stream(f"{own.path}/events?after={after}", asleep=True)
        if not missed:
            await until(lambda: inside.open_streams == 1)
            while inside.open_streams:
                await inside.write(own, 100)
                await asyncio.sleep(0.01)
        await inside.until_calm()

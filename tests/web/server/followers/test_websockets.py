"""Whatever a client does to a socket, nothing breaks or hangs, and its connection is counted once and comes back."""

import asyncio
import gc
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from harness.answers import errors
from harness.siege.connection import Connection, Gone
from harness.siege.guest import Guest, Own
from harness.siege.inside import Inside, serving
from harness.siege.sockets import NONSENSE
from harness.sockets.frames import CLOSE, CONTINUATION, PING, PONG, TEXT, UPGRADE, Frame, frame
from harness.sockets.listening import Listening, listening
from starlette.requests import Request
from starlette.websockets import WebSocket

from illusion.tables import Table, TableService
from illusion.web import Limits
from illusion.web.server import http_protocol
from illusion.web.server.followers import frame_reader, open_connection, websocket_connection
from illusion.web.server.followers.frame_reader import FrameReader
from illusion.web.server.followers.websocket_connection import WebSocketConnection
from illusion.web.server.followers.websocket_handshake import WebSocketHandshake
from illusion.web.server.http_protocol import LimitedHttpProtocol
from tests.web.server.followers.at_a_table import at_a_table, until

LIFTED = Limits.lifted()


def live(own: Own, after: int = 10**6) -> str:
    """Where nothing was missed: all that comes is asked for here."""
    return f"/table/{own.table}/live?after={after}"


async def closed(page: Listening) -> int | None:
    """The code with which the server ends a socket; None if it just hangs up."""
    await until(lambda: page.connection.is_closed or any(each.opcode == CLOSE for each in page.frames))
    return next((each.close_code for each in page.frames if each.opcode == CLOSE), None)


CODES = {
    "not masked": 1002,
    "too large": 1009,
    "far too large": 1009,
    "no UTF-8": 1007,
    "no UTF-8 in pieces": 1007,
    "unknown kind": 1002,
    "reserved bits": 1002,
    "nothing goes on": 1002,
    "begun twice": 1002,
    "ping in pieces": 1002,
    "large ping": 1002,
    "close with half a code": 1002,
    "close with a code that is none": 1002,
    "close without UTF-8": 1007,
    "fragments": None,
    "HTTP": 1002,
}
"""RFC 6455, 7.4.1."""


@pytest.mark.parametrize("kind", CODES)
async def test_a_frame_that_no_page_sends_ends_the_socket(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    async with at_a_table(tmp_path, caplog) as (_, guest, own):
        page = await listening(guest, live(own))
        page.connection.send(NONSENSE[kind])
        assert await closed(page) == CODES[kind]
        await until(lambda: page.connection.is_closed)  # the server does not wait for more


@pytest.mark.parametrize("kind", sorted(NONSENSE.keys() - CODES))
async def test_a_frame_that_can_be_read_is_answered_or_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    async with at_a_table(tmp_path, caplog) as (_, guest, own):
        page = await listening(guest, live(own))
        page.connection.send(NONSENSE[kind] + frame(PING, b"still there?"))
        if kind != "half a frame":
            await page.until(lambda: PONG in {each.opcode for each in page.frames} and bool(page.answers))
            assert page.answers[0]["problem"]["code"] == "unparsable"


async def test_a_connection_is_counted_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        pages = [await listening(guest, live(own)) for _ in range(5)]
        assert inside.limiter.total == inside.open_streams == 5
        pages[0].connection.send(frame(CLOSE, (1000).to_bytes(2)))
        pages[1].connection.abort()
        pages[2].connection.send(b"\xff" * 10)
        await until(lambda: inside.limiter.total == inside.open_streams == 2)
        assert await closed(pages[0]) == 1000


async def test_no_task_waits_for_an_open_socket(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nor anything else of the request that opened it."""
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        first = await listening(guest, live(own))
        before = len(asyncio.all_tasks())
        pages = [first, *[await listening(guest, live(own)) for _ in range(20)]]
        await until(lambda: not inside.server.server_state.tasks)
        assert len(asyncio.all_tasks()) == before
        await until(lambda: len(inside.protocols) == inside.open_streams == 21)
        assert {type(protocol) for protocol in inside.protocols} == {WebSocketConnection}
        for page in pages:
            page.send({"move": "doubt", "seq": 1})
        for page in pages:
            await page.until(lambda page=page: bool(page.answers))
        await until(lambda: not inside.server.server_state.tasks)
        assert len(asyncio.all_tasks()) == before


async def test_nothing_is_left_of_the_request_that_opened_a_socket(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even for the garbage collector, which seldom runs."""
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                await listening(guest, live(own))
            await until(lambda: not inside.server.server_state.tasks)
            await asyncio.sleep(0)
            kinds = (LimitedHttpProtocol, WebSocketHandshake, WebSocket, Request)
            assert [each for each in gc.get_objects() if type(each) in kinds] == []  # some are weak proxies
        finally:
            gc.enable()


async def test_one_message_is_answered_at_a_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What arrives meanwhile waits, in its order, whether it came together with the first or behind it."""
    begun, may_go_on, really = 0, asyncio.Event(), TableService.execute

    async def slow(service: TableService, table: str, command: Any) -> int:
        nonlocal begun
        begun += 1
        await may_go_on.wait()
        return await really(service, table, command)

    async with at_a_table(tmp_path, caplog) as (_, guest, own):
        monkeypatch.setattr(TableService, "execute", slow)
        page, other = await listening(guest, live(own)), await listening(guest, live(own))
        move = frame(TEXT, b'{"move":"doubt","seq":1}')
        page.connection.send(move + move + frame(PING, b"1"))
        await until(lambda: begun == 1)
        for _ in range(5):
            page.connection.send(move)
            other.connection.send(frame(PING, b"here"))
            await other.until(lambda: other.frames[-1:] == [Frame(PONG, b"here")])
            other.frames.clear()
        assert begun == 1
        assert page.frames == []
        may_go_on.set()
        await page.until(lambda: len(page.answers) == 7)
        assert [each.opcode for each in page.frames] == [TEXT, TEXT, PONG, *[TEXT] * 5]


async def test_a_page_that_does_not_answer_the_end_is_left(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_connection, "CLOSE_TIMEOUT_S", 0.2)
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        page = await listening(guest, live(own))
        page.connection.send(frame(TEXT, b"{", last=False))  # and never goes on
        inside.context.broadcasts.close()
        assert await closed(page) == 1012
        await until(lambda: page.connection.is_closed)
        assert inside.open_streams == 0


async def test_a_page_may_still_send_what_was_on_its_way_when_it_was_closed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is not answered, and the page's own end of the socket is waited for."""
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        page = await listening(guest, live(own))
        inside.context.broadcasts.close()
        assert await closed(page) == 1012
        page.send({"move": "doubt", "seq": 1})
        for _ in range(3):
            assert (await guest.ask("GET", "/healthz")).status == 200
        assert not page.connection.is_closed
        assert page.answers == []
        page.connection.send(frame(CLOSE, (1012).to_bytes(2)))
        await until(lambda: page.connection.is_closed)


async def test_the_handshake_is_that_of_the_standard(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """RFC 6455, 1.3: the answer to the example key."""
    async with at_a_table(tmp_path, caplog) as (_, guest, own):
        connection = await guest.connect()
        answer = await connection.ask(guest.request("GET", live(own)))
        assert answer.status == 101
        assert b"sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer.head.split(b"\r\n")


async def test_connections_of_an_address_are_limited_with_its_sockets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with at_a_table(tmp_path, caplog, replace(LIFTED, connections=4)) as (_, guest, own):
        pages = [await listening(guest, live(own)) for _ in range(4)]
        assert (await guest.ask("GET", "/healthz")).status == 503
        pages[0].connection.abort()
        await until_asked(guest)


async def until_asked(guest: Guest) -> None:
    while (await guest.ask("GET", "/healthz")).status != 200:
        await asyncio.sleep(0.01)


FLOODS = {
    "pings": frame(PING),
    "pongs": frame(PONG),
    "moves": frame(TEXT, b'{"move":"doubt","seq":1}'),
    "empty messages": frame(TEXT),
    "large messages": frame(TEXT, bytes(4000)),
    "empty fragments": frame(CONTINUATION, last=False),
}


@pytest.mark.parametrize("at_once", [1, 5_000])
@pytest.mark.parametrize("kind", FLOODS)
async def test_a_flood_is_cut_off_after_little_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, kind: str, at_once: int
) -> None:
    """However small the frames, a few hundred are taken apart and not thousands."""
    taken = 0
    really = FrameReader.next_frame

    def counting(reader: FrameReader) -> frame_reader.Frame | None:
        nonlocal taken
        found = really(reader)
        taken += found is not None
        return found

    monkeypatch.setattr(FrameReader, "next_frame", counting)
    async with at_a_table(tmp_path, caplog) as (_, guest, own):
        page = await listening(guest, live(own))
        if kind == "empty fragments":
            page.connection.send(frame(TEXT, last=False))
        for _ in range(1000):
            page.connection.send(FLOODS[kind] * at_once)
            if page.connection.is_closed:
                break
            await asyncio.sleep(0.001)
        await until(lambda: page.connection.is_closed)
    assert taken < 400


async def test_what_a_page_ever_sends_is_no_flood(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A hundred moves and more within a moment, as no hand can."""
    async with at_a_table(tmp_path, caplog) as (_, guest, own):
        page = await listening(guest, live(own))
        for _ in range(120):
            page.send({"move": "place", "gap": 100, "seq": 1000})
        await page.until(lambda: len(page.answers) == 120)


async def test_who_goes_too_fast_is_heard_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refusing costs little: after one refusal nothing is read until the page has rested."""
    monkeypatch.setattr("illusion.web.live.page_socket.REST_S", 4)
    async with at_a_table(tmp_path, caplog, replace(LIFTED, changes=1)) as (_, guest, own):
        page = await listening(guest, live(own))
        for _ in range(100):
            page.send({"move": "doubt", "seq": 1})
        await page.until(lambda: page.answers[-1:] != [] and page.answers[-1]["problem"]["code"] == "too-many")
        for _ in range(3):
            assert (await guest.ask("GET", "/healthz")).status == 200
        codes = [answer["problem"]["code"] for answer in page.answers]
        assert codes.count("too-many") == 1
        page.connection.abort()
        caplog.clear()


UNREADABLE = {
    "POST": ("POST", {}, b"", 400),
    "POST with a body": ("POST", {}, b"abc", 400),
    "a body": ("GET", {"content-length": "3"}, b"abc", 400),
    "chunks": ("GET", {"transfer-encoding": "chunked"}, b"0\r\n\r\n", 400),
    "a long field": ("GET", {"x": "y" * 8100}, b"", 431),
    "many fields": ("GET", {f"x{number}": "y" for number in range(120)}, b"", 431),
    "a head that is too large": ("GET", {f"x{number}": "y" * 900 for number in range(40)}, b"", 431),
    "an odd field": ("GET", {"x": "a\x01b"}, b"", 400),
    "another version": ("GET", {"sec-websocket-version": "8"}, b"", 400),
    "no key": ("GET", {"sec-websocket-key": ""}, b"", 400),
    "two origins": ("GET", {"origin": "http://a, http://b"}, b"", 403),
}


@pytest.mark.parametrize("kind", UNREADABLE)
async def test_a_handshake_that_cannot_be_taken_is_refused_and_hung_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    method, headers, body, status = UNREADABLE[kind]
    async with at_a_table(tmp_path, caplog) as (_, guest, own):
        connection = await guest.connect()
        answer = await connection.ask(guest.request(method, live(own), UPGRADE | headers) + body)
        assert answer.status == status
        await until(lambda: connection.is_closed)


@pytest.mark.parametrize("sent", [0.5, 0.9, 0.99])
async def test_half_a_handshake_is_not_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, sent: float
) -> None:
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        monkeypatch.setattr(http_protocol, "REQUEST_TIMEOUT_S", 0.2)
        head = guest.request("GET", live(own))
        connection = await guest.connect()
        connection.send(head[: int(len(head) * sent)])
        await until(lambda: connection.is_closed and inside.is_calm)


async def test_what_is_sent_behind_a_handshake_is_dropped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A client must wait for the answer (RFC 6455, 4.1). The socket opens, and the connection is not lost."""
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        connection = await guest.connect()
        page = Listening(connection)
        connection.on_data = page.take
        answer = await connection.ask(guest.request("GET", live(own)) + frame(TEXT, b"{}") * 3000)
        assert answer.status == 101
        await asyncio.sleep(0)
        page.send({"move": "doubt", "seq": 1})
        await until(lambda: bool(page.answers) or connection.is_closed)
        assert inside.limiter.total <= 1


async def stuck(
    inside: Inside, guest: Guest, own: Own, monkeypatch: pytest.MonkeyPatch
) -> tuple[Connection, asyncio.Event]:
    """A socket whose table takes long to be found; until the event is set it is not answered."""
    found, really = asyncio.Event(), TableService.get

    async def slow(service: TableService, table: str) -> Table:
        await found.wait()
        return await really(service, table)

    monkeypatch.setattr(TableService, "get", slow)
    connection = await guest.connect()
    connection.send(guest.request("GET", live(own)))
    await until(lambda: inside.open_streams == 1)
    return connection, found


@pytest.mark.parametrize(
    "sent",
    [frame(CLOSE, (1000).to_bytes(2)), frame(PING), b"\xff" * 20, frame(TEXT, b"{}")],
    ids=["close", "ping", "nonsense", "text"],
)
async def test_what_is_sent_before_the_answer_ends_the_connection(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        connection, found = await stuck(inside, guest, own, monkeypatch)
        connection.send(sent)
        await until(lambda: connection.is_closed)
        found.set()


@pytest.mark.parametrize("exists", [True, False])
async def test_a_client_that_is_gone_before_the_answer_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, *, exists: bool
) -> None:
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        there = own if exists else Own("nowhere1", own.tokens)
        connection, found = await stuck(inside, guest, there, monkeypatch)
        connection.abort()
        await until(lambda: inside.limiter.total == 0)
        found.set()


async def test_a_server_that_stops_in_the_middle_of_a_handshake_stops(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asyncio.timeout(60), serving(tmp_path, LIFTED) as inside:
        guest = inside.guest(rounds=1)
        own = await guest.own_game()
        connection, found = await stuck(inside, guest, own, monkeypatch)
        inside.server.should_exit = True
        await until(lambda: connection.is_closed)
        found.set()
    assert [record.getMessage() for record in errors(caplog.records)] == []


async def test_a_page_that_does_not_read_is_cut_off(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_connection, "STALL_TIMEOUT_S", 0.2)
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        page = await guest.stream(live(own), asleep=True)
        assert page is not None
        while inside.open_streams:  # until it is gone although it has not left
            await guest.ask("DELETE", f"{own.path}/seats/me", own.bearer)
            await guest.ask("PUT", f"{own.path}/seats/me", own.bearer)
        assert inside.limiter.total <= 1


async def test_a_page_that_does_not_read_does_not_keep_a_server_that_stops(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with asyncio.timeout(60), serving(tmp_path, LIFTED) as inside:
        guest = inside.guest(rounds=1)
        own = await guest.own_game()
        asleep = await guest.stream(live(own), asleep=True)
        assert asleep is not None
        while not inside.unsent_bytes:
            await guest.ask("DELETE", f"{own.path}/seats/me", own.bearer)
            await guest.ask("PUT", f"{own.path}/seats/me", own.bearer)
        awake = await listening(guest, live(own))
        inside.server.should_exit = True
        assert await closed(awake) == 1012
        await until(lambda: not inside.server.server_state.connections)
    assert [record.getMessage() for record in errors(caplog.records)] == []


async def test_other_upgrades_are_answered_as_if_they_had_not_been_asked_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with at_a_table(tmp_path, caplog) as (_, guest, own):
        for asked in ("h2c", "websocket, h2c", ""):
            upgrade = {"connection": "upgrade", "upgrade": asked}
            answer = await guest.ask("GET", own.path, upgrade)
            assert answer.status == 200


async def test_a_handshake_behind_a_request_is_never_answered(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        connection = await guest.connect()
        answer = await connection.ask(guest.request("GET", "/rules") + guest.request("GET", live(own)))
        assert answer.status == 200
        await until(lambda: connection.is_closed)
        assert inside.open_streams == 0


async def test_sockets_that_come_and_go_leave_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with at_a_table(tmp_path, caplog) as (inside, guest, own):
        for number in range(60):
            try:
                connection = await guest.connect()
                connection.send(guest.request("GET", live(own, number)))
                for _ in range(number % 4):
                    await asyncio.sleep(0)
                connection.abort()
            except Gone:
                continue
        await guest.leave()
        await inside.until_calm()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING and record.exc_info]

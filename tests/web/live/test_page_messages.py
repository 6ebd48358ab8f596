"""What pages are told, in this process: rendered once for all, pictures for everybody, a fault costs nobody else."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from harness.answers import errors
from harness.siege.guest import Own
from harness.siege.inside import Inside, serving
from harness.sockets.frames import BINARY, CLOSE, TEXT, FrameReader
from harness.sockets.listening import Listening, listening

from illusion.rules import Doubt, Place
from illusion.tables import Table, TableService
from illusion.tables.live_table import Notice
from illusion.tables.model import commands
from illusion.tables.model.table_cards import cards_to_prefetch
from illusion.tables.public.view import public_view
from illusion.web import Limits
from illusion.web.live import page_messages
from illusion.web.live.broadcast import Broadcast
from illusion.web.live.frames import text_frame
from illusion.web.live.page_messages import HEARTBEAT_S, PageMessages, condensed
from tests.web.live.reader import Reader

LIFTED = Limits.lifted()


async def game(inside: Inside) -> tuple[Own, TableService]:
    own = await inside.guest(rounds=1).own_game(2)
    return own, inside.context.service


async def follow(inside: Inside, own: Own, after: int) -> Listening:
    cookie = {"cookie": f"seat-{own.table}={'.'.join(own.tokens)}"}
    return await listening(inside.guest(rounds=1), f"/table/{own.table}/live?after={after}", cookie)


def opcodes(frames: bytes) -> list[int]:
    return [frame.opcode for frame in FrameReader().take(frames)]


def place(state: Table, now: float) -> list[Any]:
    _, seat = state.running()
    return list(commands.move(state, now, seat, Place(0), state.seq))


def doubt(state: Table, now: float) -> list[Any]:
    _, seat = state.running()
    return list(commands.move(state, now, seat, Doubt(), state.seq))


async def test_a_message_is_rendered_once_for_all_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[int] = []

    def counting(state: Table) -> object:
        rendered.append(state.seq)
        return public_view(state)

    async with serving(tmp_path, LIFTED) as inside:
        own, service = await game(inside)
        state = await service.get(own.table)
        pages = [await follow(inside, own, state.seq) for _ in range(5)]
        monkeypatch.setattr(page_messages, "public_view", counting)
        await service.execute(own.table, place)
        seq = await service.execute(own.table, doubt)
        for page in pages:
            await page.hear(seq)
        assert rendered == [seq]
        assert all(page.frames == pages[0].frames for page in pages)


async def test_a_page_that_comes_back_takes_no_picture_from_the_others(tmp_path: Path) -> None:
    """It is told of a move that the others are about to hear of, and they still get the new card's picture."""
    async with serving(tmp_path, LIFTED) as inside:
        own, service = await game(inside)
        state = await service.get(own.table)
        for card in cards_to_prefetch(state):
            await service.pictures.drawn(card)
        form = PageMessages(service, state)
        before = state.seq
        seq = await service.execute(own.table, place)
        told = Notice(seq, b'{"happened":[]}')
        assert opcodes(form.caught_up([told])) == [TEXT]
        assert opcodes(form(told)) == [BINARY, TEXT]
        assert opcodes(form(told)) == [TEXT]  # once is enough
        assert before == seq - 1


async def test_a_heartbeat_breaks_a_silence_of_five_seconds(tmp_path: Path) -> None:
    async with serving(tmp_path, LIFTED) as inside:
        own, service = await game(inside)
        broadcast = Broadcast(PageMessages(service, await service.get(own.table)).form())
        reader = Reader()
        broadcast.add(reader)
        broadcast.heartbeat(broadcast.last_sent + HEARTBEAT_S - 0.1)
        broadcast.publish(Notice(None, b'{"seat":0}'))
        assert reader.read() == text_frame(b'{"reaction":{"seat":0}}')
        broadcast.heartbeat(broadcast.last_sent + HEARTBEAT_S)
        assert reader.read() == text_frame(b"{}")


async def test_a_page_that_cannot_be_rendered_costs_nobody_else_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Acknowledge, then tell: the move is answered as stored, programs hear of it, and the page is to come back."""

    def broken(_: object) -> object:
        raise ZeroDivisionError

    async with serving(tmp_path, LIFTED) as inside:
        own, service = await game(inside)
        before = await service.execute(own.table, place)
        page = await follow(inside, own, before)
        program = await inside.guest(rounds=1).stream(f"{own.path}/events?after={before}")
        assert program is not None
        heard = bytearray()
        program.on_data = heard.extend
        with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "illusion"):
            patch.setattr(page_messages, "public_view", broken)
            page.send({"move": "doubt", "seq": before})
            await page.until(lambda: any(frame.opcode == CLOSE for frame in page.frames))
        assert page.answers == [{"answer": {"seq": before + 1}}]
        assert page.frames[-1].close_code == 1012
        assert [record.getMessage() for record in errors(caplog.records)] == ["reader-failed"]
        again = await follow(inside, own, before)
        await again.hear(before + 1)
        seq = await service.execute(own.table, place)
        await again.hear(seq)
        assert [message["seq"] for message in again.messages] == [before + 1, seq]
        async with asyncio.timeout(10):
            while b"id: %d\n" % seq not in heard:
                await asyncio.sleep(0.01)


async def test_a_move_that_breaks_is_answered_and_logged_and_the_page_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError("a secret")

    async with serving(tmp_path, LIFTED) as inside:
        own, service = await game(inside)
        seq = (await service.get(own.table)).seq
        page = await follow(inside, own, seq)
        with monkeypatch.context() as patch:
            patch.setattr(commands, "move", broken)
            page.send({"move": "place", "gap": 0, "seq": seq})
            await page.until(lambda: len(page.answers) == 1)
        page.send({"move": "place", "gap": 0, "seq": seq})
        await page.until(lambda: len(page.answers) == 2)
    assert page.answers[0]["problem"]["code"] == "broken"
    assert page.answers[1] == {"answer": {"seq": seq + 1}}
    (record,) = errors(caplog.records)
    assert record.getMessage() == "broken"
    assert record.fields["error"] == "ZeroDivisionError"  # type: ignore[attr-defined]


async def test_a_page_that_has_too_much_unread_is_told_to_connect_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path, LIFTED) as inside:
        own, service = await game(inside)
        page = await follow(inside, own, (await service.get(own.table)).seq)
        monkeypatch.setattr("illusion.web.live.broadcast.MAX_UNREAD_BYTES", -1)  # even nothing is too much
        await service.execute(own.table, place)
        await page.until(lambda: any(frame.opcode == CLOSE for frame in page.frames))
        assert page.frames[-1].close_code == 1012
        await service.execute(own.table, place)
        assert len(page.messages) == 1


def test_what_a_page_missed_is_the_last_event_with_the_last_row_that_was_turned_over() -> None:
    doubted: dict[str, Any] = {
        "seq": 7,
        "entry": "doubted",
        "happened": [{"event": "row-doubted"}, {"event": "round-started"}],
    }
    placed: list[dict[str, Any]] = [
        {"seq": seq, "entry": "placed", "happened": [{"event": "card-placed", "gap": seq}]} for seq in (8, 9)
    ]
    missed = [Notice(event["seq"], json.dumps(event).encode()) for event in (doubted, *placed)]
    one = condensed(missed)
    assert one.seq == 9
    assert [each["event"] for each in json.loads(one.json)["happened"]] == ["row-doubted", "card-placed"]
    assert json.loads(condensed(missed[1:]).json) == placed[-1]
    assert json.loads(condensed(missed[:1]).json) == doubted

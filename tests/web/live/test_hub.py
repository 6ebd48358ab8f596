"""A message is written once for all; each connection stands alone, in order and with a bound; none is left behind."""

import asyncio
import json
import logging
from pathlib import Path

import pytest
from harness.answers import errors
from harness.asgi import Page, Stream, doubt, game, place, running_app

from illusion.tables import StoreFailed, Table, TableService
from illusion.tables.public.view import public_view
from illusion.web.live import hub
from illusion.web.live.events import MISSED_AT_ONCE, RETRY
from illusion.web.live.hub import MAX_WAITING, Inbox

DEALT = 4
"""The last entry of a game of two that has just begun."""


async def test_an_inbox_takes_no_event_twice_and_keeps_their_order() -> None:
    """An event that a new connection has among those it missed may still be on its way to the older ones."""
    inbox = Inbox()
    inbox.seq = 2
    for seq in (1, 2, 3):
        inbox.put(str(seq), seq)
    inbox.put("a reaction")
    inbox.put("3 again", 3)
    assert await inbox.take() == ["3", "a reaction"]


async def test_a_silence_is_broken_by_heartbeats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a page takes its connection for dead, and a proxy closes a stream."""
    monkeypatch.setattr(hub, "BEAT_S", 0.01)
    async with running_app(tmp_path) as (app, context):
        table, _ = await game(context.service)
        page = await Page(app, table, after=DEALT).opened()
        program = Stream(app, f"/api/tables/{table}/events", f"after={DEALT}")
        await page.until(lambda: page.texts[:2] == [hub.PAGES_HEARTBEAT] * 2)
        await program.until(lambda: program.pieces.count(hub.PROGRAMS_HEARTBEAT) == 2)
        await page.hang_up()
        await program.hang_up()


async def test_whoever_has_just_heard_an_event_needs_no_heartbeat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "BEAT_S", 0.2)
    loop = asyncio.get_running_loop()
    async with running_app(tmp_path) as (app, context):
        table, _ = await game(context.service)
        page = await Page(app, table, after=DEALT).opened()
        await asyncio.sleep(0.1)  # the next beat is not far
        began = loop.time()
        await context.service.execute(table, place)
        await page.until(lambda: hub.PAGES_HEARTBEAT in page.texts)
        assert loop.time() - began >= hub.BEAT_S
        await page.hang_up()


async def test_what_waits_goes_in_one_text(tmp_path: Path) -> None:
    """The answer to a move and its event; a doubt and who looks at the row; those who go on together, told once."""
    async with running_app(tmp_path) as (app, context):
        table, tokens = await game(context.service)
        state = await context.service.get(table)
        page = await Page(app, table, tokens, after=DEALT).opened()
        for move in ({"move": "place", "gap": 0}, {"move": "doubt"}):
            page.say({"id": 1, "seq": state.seq} | move)
            await page.hear(state.seq + 1)
        both = await Page(app, table, tokens, after=DEALT + 2).opened()
        for one in (page, both):
            one.say({"read": state.seq})
        await both.until(lambda: {"reading": []} in both.told)
        sent = [text.split("\n") for text in page.sent_texts]
        assert [len(lines) for lines in sent] == [2, 3, 1]
        assert [next(iter(json.loads(line))) for line in sent[1]] == ["id", "seq", "reading"]
        for one in (page, both):
            await one.hang_up()


async def test_a_message_is_written_once_for_all_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def counting(state: Table) -> object:
        written.append(state.seq)
        return public_view(state)

    async with running_app(tmp_path) as (app, context):
        table, _ = await game(context.service)
        five = [await Page(app, table, after=DEALT).opened() for _ in range(5)]
        monkeypatch.setattr(hub, "public_view", counting)
        await context.service.execute(table, place)
        last = await context.service.execute(table, doubt)
        for page in five:
            await page.hear(last)
        assert written == [DEALT + 1, last]
        assert all(page.texts == five[0].texts for page in five)
        for page in five:
            await page.hang_up()
        assert len(context.hubs) == 0


async def test_a_page_that_comes_back_takes_no_picture_from_the_others(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        service = context.service
        table, _ = await game(service)
        state = await service.get(table)
        for card in state.cards_to_prefetch():
            await service.pictures.drawn(card)
        seq = state.seq
        here = await Page(app, table, after=seq).opened()
        moved = await service.execute(table, place)
        back = await Page(app, table, after=seq).opened()  # before the others have heard of the move
        await here.hear(moved)
        await back.hear(moved)
        assert list(here.messages[0]["pictures"]) == [here.messages[0]["view"]["next_card"]]
        assert "pictures" not in back.messages[0]
        await here.hang_up()
        await back.hang_up()


async def test_a_page_that_cannot_be_told_costs_nobody_else_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Acknowledge, then tell: the move is answered as stored, and everybody is to come back for it."""

    def broken(_: object) -> object:
        raise ZeroDivisionError

    async with running_app(tmp_path) as (app, context):
        table, tokens = await game(context.service)
        seq = await context.service.execute(table, place)
        page = await Page(app, table, tokens, after=seq).opened()
        with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "illusion"):
            patch.setattr(hub, "public_view", broken)
            page.say({"id": 7, "move": "doubt", "seq": seq})
            await page.until(lambda: page.close_code is not None)
        assert page.answers == [{"id": 7, "answer": {"seq": seq + 1}}]
        assert page.close_code == 1012
        await page.hang_up()
        assert [record.getMessage() for record in errors(caplog.records)] == ["reader-failed"]
        again = await Page(app, table, after=seq).opened()
        last = await context.service.execute(table, place)
        await again.hear(last)
        assert [message["seq"] for message in again.messages] == [seq + 1, last]
        await again.hang_up()


async def test_a_move_that_breaks_is_answered_and_logged_and_the_page_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError("a secret")

    async with running_app(tmp_path) as (app, context):
        table, tokens = await game(context.service)
        page = await Page(app, table, tokens, after=DEALT).opened()
        with monkeypatch.context() as patch:
            patch.setattr("illusion.tables.model.commands.move", broken)
            page.say({"id": 1, "move": "place", "gap": 0, "seq": DEALT})
            await page.until(lambda: len(page.answers) == 1)
        page.say({"id": 2, "move": "place", "gap": 0, "seq": DEALT})
        await page.until(lambda: len(page.answers) == 2)
        await page.hang_up()
    assert page.answers[0]["problem"]["code"] == "broken"
    assert page.answers[1] == {"id": 2, "answer": {"seq": DEALT + 1}}
    (record,) = errors(caplog.records)
    assert record.fields["error"] == "ZeroDivisionError"  # type: ignore[attr-defined]


async def test_who_does_not_read_is_closed_with_little_kept_and_delays_nobody(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        table, _ = await game(context.service)
        slow, quick = [await Page(app, table, after=DEALT).opened() for _ in range(2)]
        program = Stream(app, f"/api/tables/{table}/events", f"after={DEALT}")
        await program.until(lambda: bool(program.pieces))
        slow.reads.clear()
        program.reads.clear()
        for _ in range(MAX_WAITING + 3):
            last = await context.service.execute(table, place)
            await quick.hear(last)
        slow.reads.set()
        program.reads.set()
        await slow.until(lambda: slow.close_code is not None)
        assert slow.close_code == 1012
        assert len(slow.messages) <= 2
        await program.task
        assert program.has_ended
        await quick.hang_up()
        await slow.hang_up()
        assert len(context.hubs) == 0


async def test_a_program_that_missed_much_gets_every_event_in_bounded_pieces(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        table, _ = await game(context.service)
        seqs = [await context.service.execute(table, place) for _ in range(MISSED_AT_ONCE + 20)]
        client = Stream(app, f"/api/tables/{table}/events", "after=0")
        await client.hear(seqs[-1])
        assert client.heard == list(range(1, seqs[-1] + 1))
        assert max(piece.count("id: ") for piece in client.pieces) == MISSED_AT_ONCE
        await client.hang_up()


async def test_a_stream_ends_at_once_when_the_store_fails_so_that_the_client_retries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StoreFailed

    async with running_app(tmp_path) as (app, context):
        table, _ = await game(context.service)
        monkeypatch.setattr(TableService, "subscribe", fail)
        client = Stream(app, f"/api/tables/{table}/events")
        await client.task
        assert client.pieces == [RETRY]
        assert client.has_ended
        assert len(context.hubs) == 0


async def test_a_connection_that_breaks_in_the_middle_costs_nobody_else_anything(tmp_path: Path) -> None:
    async with running_app(tmp_path) as (app, context):
        table, _ = await game(context.service)
        clients = [Stream(app, f"/api/tables/{table}/events", f"after={DEALT}") for _ in range(3)]
        for client in clients:
            await client.until(lambda client=client: bool(client.pieces))  # type: ignore[misc]
        clients[1].breaks = True
        first = await context.service.execute(table, place)
        await asyncio.wait([clients[1].task])
        last = await context.service.execute(table, place)
        for client in (clients[0], clients[2]):
            await client.hear(last)
            assert client.heard == [first, last]
            await client.hang_up()
        assert len(context.hubs) == 0

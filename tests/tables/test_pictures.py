"""Pictures are ready before they are needed, and come whatever happens to what draws them."""

import asyncio
import gzip
import os
import signal
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import pytest
from harness.tables.services import SomePage, dealt_table

from illusion.bots import sight_of
from illusion.bots.drawing import draw, draw_some
from illusion.child import begin
from illusion.deck import PALETTES, Card, make_deck
from illusion.rules import Doubt, Place
from illusion.tables import TableService
from illusion.tables import pictures as pictures_module
from illusion.tables.pictures import AT_ONCE, ENTRY_BYTES, SIGHT_BYTES, Pictures, in_palette
from illusion.tables.worker import TooMuchWork, Where


@pytest.fixture(scope="module")
def cards() -> tuple[Card, ...]:
    return make_deck(5).cards


@asynccontextmanager
async def drawing(where: Where = Where.PROCESS, **options: Any) -> AsyncIterator[Pictures]:
    pictures = Pictures(where, **options)
    try:
        async with asyncio.timeout(300):
            yield pictures
    finally:
        await pictures.stop()


async def until_kept(pictures: Pictures, count: int) -> None:
    while len(pictures) < count:
        await asyncio.sleep(0.01)


def test_a_process_that_draws_holds_no_tables(cards: tuple[Card, ...]) -> None:
    """Nor asyncio: each would take megabytes."""
    with ProcessPoolExecutor(1, get_context("spawn"), begin, (0,)) as executor:
        executor.submit(draw_some, cards[:2]).result()
        loaded = set(executor.submit(eval, "list(__import__('sys').modules)").result())
    assert "illusion.bots.drawing" in loaded
    assert not {"illusion.tables", "illusion.web", "asyncio", "ssl"} & loaded


async def pid_of(pictures: Pictures) -> int:
    """Of the process that draws, once it has drawn something."""
    await pictures.drawn(make_deck(6).cards[0])
    (process,) = pictures.processes
    assert process.pid is not None
    return process.pid


@pytest.mark.parametrize("where", Where)
async def test_a_drawing_is_the_card_as_it_is_drawn_anywhere(cards: tuple[Card, ...], where: Where) -> None:
    async with drawing(where) as pictures:
        assert pictures.ready(cards[0]) is None
        drawn = await pictures.drawn(cards[0])
        assert pictures.ready(cards[0]) is drawn
        assert drawn.sight == sight_of(cards[0])
        for palette in PALETTES:
            assert gzip.decompress(in_palette(drawn.front, palette)).decode() == cards[0].svg(palette)
        assert await pictures.sights(cards[:3]) == {card.number: sight_of(card) for card in cards[:3]}


async def test_what_somebody_waits_for_goes_before_what_may_come(cards: tuple[Card, ...]) -> None:
    async with drawing(Where.THREAD) as pictures:
        pictures.prefetch(cards[:30])
        await asyncio.gather(*map(pictures.drawn, cards[28:34]))
        assert len(pictures) <= 6 + AT_ONCE  # with those that were under way
        await until_kept(pictures, 34)


async def test_cards_that_may_come_are_gathered_and_whoever_asks_does_not_wait_for_that(
    cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures_module, "GATHER_S", 3600)
    async with drawing(Where.THREAD) as pictures:
        pictures.prefetch(cards[: AT_ONCE - 2])
        await asyncio.sleep(0.1)
        assert len(pictures) == 0
        await pictures.drawn(cards[20])
        assert len(pictures) == 1
        pictures.prefetch(cards[10:13])
        pictures.prefetch(cards[:1])
        await pictures.drawn(cards[21])
        await until_kept(pictures, 2 + AT_ONCE)


async def test_many_who_ask_for_one_card_get_one_drawing_and_one_who_leaves_takes_it_from_nobody(
    cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while it is drawn because it may come."""
    monkeypatch.setattr(pictures_module, "GATHER_S", 0)
    async with drawing(Where.THREAD) as pictures:
        pictures.prefetch(cards[:AT_ONCE])
        await asyncio.sleep(0.01)
        leaving, *staying = [asyncio.create_task(pictures.drawn(cards[0])) for _ in range(10)]
        await asyncio.sleep(0)
        leaving.cancel()
        drawn = await asyncio.gather(*staying)
        assert len({id(each) for each in drawn}) == 1
        assert pictures.ready(cards[0]) is drawn[0] == draw(cards[0])


async def test_a_process_that_is_killed_is_replaced_and_its_card_drawn_again(
    cards: tuple[Card, ...], caplog: pytest.LogCaptureFixture
) -> None:
    async with drawing() as pictures:
        first = await pid_of(pictures)
        os.kill(first, signal.SIGSTOP)
        waiting = asyncio.create_task(pictures.drawn(cards[1]))
        await asyncio.sleep(0.05)
        os.kill(first, signal.SIGKILL)
        assert await waiting == draw(cards[1])
        assert await pid_of(pictures) != first
        assert [record.getMessage() for record in caplog.records] == ["worker-lost"]


@pytest.mark.parametrize("where", [Where.PROCESS, Where.THREAD])
async def test_whoever_asks_for_a_card_that_cannot_be_drawn_is_told_and_others_are_drawn(
    cards: tuple[Card, ...], where: Where, caplog: pytest.LogCaptureFixture
) -> None:
    broken = replace(cards[0], family="no such pattern")
    async with drawing(where) as pictures:
        pictures.prefetch([replace(broken, number=99)])  # nobody hears of that
        asked = [asyncio.create_task(pictures.drawn(card)) for card in (cards[1], broken, broken, cards[2])]
        await asyncio.wait(asked)
        assert [type(each.exception()) for each in asked] == [type(None), KeyError, KeyError, type(None)]
        with pytest.raises(KeyError):
            await pictures.drawn(broken)
    assert {record.getMessage() for record in caplog.records} == {"drawing-failed"}


async def test_what_is_kept_is_bounded_and_what_was_used_last_stays(cards: tuple[Card, ...]) -> None:
    sizes = [len(draw(card).front) + SIGHT_BYTES + ENTRY_BYTES for card in cards[:12]]
    async with drawing(Where.THREAD, max_kept_bytes=max(sizes) + sizes[0] + sizes[-1]) as pictures:
        for card in cards[:12]:
            await pictures.drawn(card)
            assert pictures.ready(cards[0]) is not None
        assert 2 <= len(pictures) < 12
        assert pictures.ready(cards[11]) is not None


async def test_what_may_come_is_bounded_and_the_oldest_is_forgotten(
    cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures_module, "MAX_AHEAD", 4)
    async with drawing(Where.THREAD) as pictures:
        pictures.prefetch(cards[:20])
        await until_kept(pictures, 4)
        await pictures.drawn(cards[30])
        assert [pictures.ready(card) is not None for card in cards[:20]] == [False] * 16 + [True] * 4


async def test_too_much_is_refused(cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures_module, "MAX_WAITING", 5)
    async with drawing(Where.THREAD) as pictures:
        asked = [asyncio.create_task(pictures.drawn(card)) for card in cards[:5]]
        await asyncio.sleep(0)
        with pytest.raises(TooMuchWork):
            await pictures.drawn(cards[5])
        await asyncio.gather(*asked)
        await pictures.drawn(cards[5])


async def test_what_comes_next_at_a_table_is_drawn_before_it_is_seen(service: TableService) -> None:
    """After every move the cards that the next move may show are ready or being drawn."""
    async with asyncio.timeout(300):
        table, _ = await dealt_table(service, seats=2, bots=[])
        state = await service.get(table)
        service.open_page(table, SomePage(), 0)
        for chosen in (Place(0), Place(0), Doubt(), Place(1)):
            ahead = state.cards_to_prefetch()
            assert len(ahead) == 3
            while not all(map(service.pictures.ready, ahead)):
                await asyncio.sleep(0.01)
            await service.move(table, state.running()[1], chosen, state.seq)
            assert all(map(service.pictures.ready, state.visible_cards()))

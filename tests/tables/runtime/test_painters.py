"""Painters: pictures are ready before they are needed, whatever happens to those who draw them."""

import asyncio
import gzip
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import uvloop
from harness.tables.services import dealt_table

from illusion.bots import sight_of
from illusion.deck import PALETTES, Card, make_deck
from illusion.rules import Doubt, Place
from illusion.tables import SqliteStore, TableService
from illusion.tables.model.table_cards import CARDS_AHEAD, coming_cards, visible_cards
from illusion.tables.runtime import fair_queue as fair_queue_module
from illusion.tables.runtime import painters as painters_module
from illusion.tables.runtime.fair_queue import TooMuchWork, set_payer
from illusion.tables.runtime.fair_worker import FairWorker
from illusion.tables.runtime.painters import FORESEEN_COST_S, MAX_AT_ONCE, Painters
from illusion.tables.runtime.painting import in_palette, paint


@pytest.fixture(scope="module")
def cards() -> tuple[Card, ...]:
    return make_deck(5).cards


@asynccontextmanager
async def employed(count: int, **options: int) -> AsyncIterator[Painters]:
    worker = FairWorker()
    painters = Painters(worker, **options)
    painters.start(count)
    try:
        async with asyncio.timeout(300):
            yield painters
    finally:
        await painters.stop()
        worker.stop()


async def until_kept(painters: Painters, count: int) -> None:
    while len(painters) < count:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("count", [0, 1])
async def test_a_painting_is_the_card_as_it_is_drawn_anywhere(cards: tuple[Card, ...], count: int) -> None:
    async with employed(count) as painters:
        drawn_here = paint(cards[0])
        front = await painters.front(cards[0])
        assert front == drawn_here.front
        assert sight_of(cards[0]) == drawn_here.sight
        for palette in PALETTES:
            assert gzip.decompress(in_palette(front, palette)).decode() == cards[0].svg(palette)


async def test_what_somebody_waits_for_goes_before_what_may_come(cards: tuple[Card, ...]) -> None:
    async with employed(1) as painters:
        painters.foresee(cards[:60])
        await painters.front(cards[70])
        assert len(painters) < 30
        await until_kept(painters, 61)


async def test_cards_that_may_come_are_gathered_and_drawn_with_the_next_that_is_seen(
    cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(painters_module, "GATHER_S", 3600)
    async with employed(1) as painters:
        await painters.front(cards[0])
        painters.foresee([cards[0]], [cards[1]])  # the first is ready, so that nothing has to begin
        painters.foresee((), cards[1:3])
        await asyncio.sleep(0.1)
        assert len(painters) == 1
        painters.foresee([cards[3]], [cards[4]])
        await until_kept(painters, 5)


async def test_a_card_that_is_seen_goes_before_all_that_may_come(
    cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(painters_module, "GATHER_S", 3600)
    async with employed(1) as painters:
        painters.foresee((), cards[:60])
        painters.foresee([cards[59]])  # three were laid at once: it had been one that may come
        while painters.ready(cards[59]) is None:
            await asyncio.sleep(0.001)
        assert len(painters) <= 2 * MAX_AT_ONCE
        await until_kept(painters, 60)


async def test_cards_that_may_come_do_not_wait_for_others_for_long(cards: tuple[Card, ...]) -> None:
    async with employed(1) as painters:
        for upto in (3, 6):
            painters.foresee((), cards[:upto])
            await until_kept(painters, upto)


async def test_one_who_asks_for_much_does_not_make_another_wait(cards: tuple[Card, ...]) -> None:
    async with employed(1) as painters:
        set_payer("rude")
        asked = [asyncio.create_task(painters.front(card)) for card in cards[:40]]
        await until_kept(painters, 1)
        set_payer("honest")
        await painters.front(cards[50])
        assert sum(task.done() for task in asked) < 20
        await asyncio.gather(*asked)


async def test_what_a_card_costs_tells_nothing_of_it_before_somebody_waits_for_it(cards: tuple[Card, ...]) -> None:
    costs: list[tuple[str, float]] = []
    async with employed(1) as painters:
        painters.on_cost = lambda *cost: costs.append(cost)
        set_payer("a guest")
        painters.foresee((), cards[:12])
        await until_kept(painters, 12)
        assert costs == [("a guest", FORESEEN_COST_S)] * 12
        for card in cards[12:15]:
            await painters.front(card)
        assert len({cost for _, cost in costs}) == 4


async def test_many_who_ask_for_one_card_get_one_drawing(cards: tuple[Card, ...]) -> None:
    async with employed(1) as painters:
        costs: list[str] = []
        painters.on_cost = lambda payer, _: costs.append(payer)
        painted = await asyncio.gather(*(painters.front(cards[0]) for _ in range(10)))
        assert len({id(front) for front in painted}) == 1
        assert costs == [""]


def test_a_painter_that_is_killed_while_it_has_nothing_to_do_is_replaced(cards: tuple[Card, ...]) -> None:
    """On uvloop, as servers run: there a pipe to a dead process refuses what is written to it in its own way."""

    async def kill_and_ask() -> None:
        async with employed(1) as painters:
            await painters.front(cards[0])
            (first,) = painters.processes
            os.kill(first.pid, signal.SIGKILL)
            await first.wait()
            assert first.stdin is not None
            while not first.stdin.is_closing():
                await asyncio.sleep(0.01)
            assert await painters.front(cards[1]) == paint(cards[1]).front
            assert first not in painters.processes

    uvloop.run(kill_and_ask())


async def test_a_painter_that_is_killed_is_replaced_and_its_card_drawn_again(
    cards: tuple[Card, ...], caplog: pytest.LogCaptureFixture
) -> None:
    async with employed(1) as painters:
        await painters.front(cards[0])
        (first,) = painters.processes
        os.kill(first.pid, signal.SIGSTOP)
        waiting = asyncio.create_task(painters.front(cards[1]))
        await asyncio.sleep(0.05)
        os.kill(first.pid, signal.SIGKILL)
        assert await waiting == paint(cards[1]).front
        (second,) = painters.processes
        assert second.pid != first.pid
        assert [record.getMessage() for record in caplog.records] == ["painter-died"]


async def test_a_painter_that_hangs_is_replaced_and_its_cards_drawn_again(
    cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(painters_module, "PAINTING_TIMEOUT_S", 0.5)
    async with employed(1) as painters:
        await painters.front(cards[0])
        (hanging,) = painters.processes
        os.kill(hanging.pid, signal.SIGSTOP)
        painters.foresee((), cards[1:3])
        await asyncio.gather(*map(painters.front, cards[3:5]))
        await until_kept(painters, 5)
        assert hanging not in painters.processes
        assert hanging.returncode == -signal.SIGKILL


async def test_a_painter_that_dies_while_one_payer_has_all_that_may_wait_is_replaced(
    cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_queue_module, "MAX_WAITING", 5)
    async with employed(1) as painters:
        await painters.front(cards[0])
        (painter,) = painters.processes
        os.kill(painter.pid, signal.SIGSTOP)
        asked = [asyncio.create_task(painters.front(cards[1]))]
        await asyncio.sleep(0.1)  # the painter has it
        asked += [asyncio.create_task(painters.front(card)) for card in cards[2:7]]
        await asyncio.sleep(0)
        with pytest.raises(TooMuchWork):
            await painters.front(cards[7])
        os.kill(painter.pid, signal.SIGKILL)
        await asyncio.gather(*asked)
        await painters.front(cards[7])


async def test_all_that_a_killed_painter_was_given_is_drawn_again(cards: tuple[Card, ...]) -> None:
    async with employed(1) as painters:
        await painters.front(cards[0])
        (first,) = painters.processes
        os.kill(first.pid, signal.SIGSTOP)
        painters.foresee(cards[1 : 2 * MAX_AT_ONCE])
        await asyncio.sleep(0.05)
        os.kill(first.pid, signal.SIGKILL)
        await until_kept(painters, 2 * MAX_AT_ONCE)


async def test_a_card_that_no_painter_survives_is_drawn_all_the_same(
    cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(painters_module, "START", "raise SystemExit")
    monkeypatch.setattr(painters_module, "RESTART_S", 0.01)
    async with employed(2) as painters:
        assert await painters.front(cards[0]) == paint(cards[0]).front


async def test_painters_end_with_their_server(cards: tuple[Card, ...]) -> None:
    async with employed(2) as painters:
        painters.foresee(cards[:10])
        await until_kept(painters, 10)
        pids = [process.pid for process in painters.processes]
    assert pids
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_what_is_kept_is_bounded(cards: tuple[Card, ...]) -> None:
    most = 3 * (len(paint(cards[0]).front) + painters_module.ENTRY_BYTES)
    async with employed(1, max_kept_bytes=most) as painters:
        kept = [await painters.front(card) for card in cards[:12]]
        assert 0 < len(painters) < 12
        assert sum(len(front) + painters_module.ENTRY_BYTES for front in kept[-len(painters) :]) <= most


async def test_what_two_painters_draw_at_once_is_counted_once(cards: tuple[Card, ...]) -> None:
    """Somebody asks for a card that one painter draws as one that may come, and another one draws it, too."""
    most = 3 * (max(len(paint(card).front) for card in cards[:12]) + painters_module.ENTRY_BYTES)
    async with employed(2, max_kept_bytes=most) as painters:
        await asyncio.gather(*(painters.front(card) for card in cards[20:24]))  # both are there
        costs: list[float] = []
        painters.on_cost = lambda _, seconds: costs.append(seconds)
        for card in cards[:12]:
            painters.foresee([card])
            for _ in range(5):  # one painter takes it
                await asyncio.sleep(0)
            before = len(costs)
            await painters.front(card)
            with suppress(TimeoutError):
                async with asyncio.timeout(5):
                    while len(costs) < before + 2:
                        await asyncio.sleep(0.01)
        assert len(costs) > 12
        assert len(painters) >= 3


async def test_what_comes_next_at_a_table_is_drawn_before_it_is_seen(tmp_path: object) -> None:
    """After every move the cards that the next move may show are ready or being drawn."""
    store = SqliteStore(f"{tmp_path}/tables.db")
    await store.open()
    service = TableService(store)
    service.painters.start(1)
    async with asyncio.timeout(300):
        table, _ = await dealt_table(service, seats=2, bots=[])
        state = await service.get(table)
        for chosen in (Place(0), Place(0), Doubt(), Place(1)):
            ahead = coming_cards(state)
            assert len(ahead) == CARDS_AHEAD
            while not all(card in service.painters for card in ahead):
                await asyncio.sleep(0.01)
            assert state.game is not None
            await service.move(table, state.game.to_play or 0, chosen, state.seq)
            assert all(card in service.painters for card in visible_cards(state))
    await service.painters.stop()
    await store.close()


async def test_a_server_that_stops_at_once_leaves_no_painter_behind() -> None:
    """Whenever it stops: while painters are being started, or while they leave."""
    for turns in (0, 1, 5, 20, 60):
        worker = FairWorker()
        painters = Painters(worker)
        painters.start(1)
        for _ in range(turns):
            await asyncio.sleep(0.001)
        async with asyncio.timeout(300):
            await painters.stop()
        worker.stop()
        assert not painters.processes

"""How long bots take: about as long as asked, by lot, fixed before they look. That it tells nothing: `tests/lab`.

And nobody plays on behind a reveal: bots and clocks wait for the people who look at a row that was turned over.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

import pytest
from harness.tables.services import SomePage, dealt_table, listening, open_store, running_service

from illusion.bots import Bot
from illusion.rules import Doubt, Place, Variant
from illusion.tables import Pace, Table, TableService
from illusion.tables.pace import LONGEST, SHORTEST, RevealReaders, turn_rng


def delays(pace: Pace, cards_in_row: int) -> list[float]:
    return [pace.thinking_s(cards_in_row, turn_rng("a game", move)) for move in range(2000)]


@pytest.mark.parametrize("bot_s", [0.05, 1.5, 4.0])
def test_a_bot_takes_about_as_long_as_asked_and_longer_for_a_longer_row(bot_s: float) -> None:
    pace = Pace(bot_s=bot_s)
    for cards_in_row in (1, 5, 10, 40):
        drawn = delays(pace, cards_in_row)
        assert SHORTEST * bot_s <= min(drawn) < 0.8 * bot_s
        assert 1.8 * bot_s < max(drawn) <= LONGEST * bot_s
        assert 0.75 * bot_s < median(drawn) < 1.5 * bot_s
    assert sum(delays(pace, 2)) * 1.2 < sum(delays(pace, 9))


def test_only_whole_steps_are_told_and_none_where_bots_take_no_time() -> None:
    assert {drawn % 0.25 for cards_in_row in (1, 5, 12) for drawn in delays(Pace(bot_s=1.5), cards_in_row)} == {0.0}
    pace = Pace(bot_s=0)
    assert set(delays(pace, 5)) == {0.0}
    assert pace.left_s(0.0, 0.0) == pace.left_s(0.0, 12.3) == 0


def test_the_lot_is_the_same_after_a_restart_and_another_in_every_turn() -> None:
    assert turn_rng("a game", 3).random() == turn_rng("a game", 3).random()
    lots = {turn_rng(game, move).random() for game in ("a game", "another") for move in range(20)}
    assert len(lots) == 40


def test_what_is_left_counts_from_the_beginning_of_the_turn_and_a_late_bot_moves_at_the_next_whole_step() -> None:
    pace, rng = Pace(bot_s=1.5), Random(1)
    for _ in range(200):
        thought_s, late_s = rng.uniform(0, 1.5), rng.uniform(1.5, 9)
        assert thought_s + pace.left_s(1.5, thought_s) == pytest.approx(1.5)
        moves_at_s = late_s + pace.left_s(1.5, late_s)
        assert 0 <= moves_at_s - late_s < 0.25
        assert moves_at_s / 0.25 == pytest.approx(round(moves_at_s / 0.25))
    assert pace.left_s(1.5, -3600.0) == 1.5  # the wall clock was set back


@dataclass(frozen=True)
class NotingPace(Pace):
    """Notes what the automation asks it for, in order with what else is noted."""

    notes: list[tuple[int, float] | str] = field(default_factory=list)

    def thinking_s(self, cards_in_row: int, rng: Random) -> float:
        thinking_s = super().thinking_s(cards_in_row, rng)
        self.notes.append((cards_in_row, thinking_s))
        return thinking_s


@asynccontextmanager
async def a_person_places(service: TableService, id: str) -> AsyncIterator[None]:
    """Whenever it is the turn of the only person, the card goes to the left at once."""

    async def place() -> None:
        while True:
            state = await service.get(id)
            if state.game is not None and state.game.to_play == 0:
                await service.move(id, 0, Place(0), state.seq)
            await asyncio.sleep(0.002)

    placing = asyncio.create_task(place())
    yield
    placing.cancel()
    await asyncio.gather(placing, return_exceptions=True)


async def test_whatever_bots_decide_they_move_at_the_same_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One table, played twice: by bots that place every card at the left, and by bots that place it at the right."""
    async with open_store(str(tmp_path / "dealt.db")) as store:
        service = TableService(store)
        id, _ = await dealt_table(service, seats=5, bots=["keen"] * 4)
        dealt = await store.read(id)
    fixed: list[list[tuple[int, float] | str]] = []
    for side, gap in (("left", 0), ("right", -1)):
        monkeypatch.setattr(Bot, "decide", lambda _, view, __, gap=gap: Place(view.legal.gaps[gap]))
        pace = NotingPace(bot_s=0.03)
        async with open_store(str(tmp_path / f"{side}.db")) as store:
            await store.append(id, 1, dealt)
        async with (
            running_service(str(tmp_path / f"{side}.db"), pace) as service,
            listening(service, id, len(dealt)) as events,
            a_person_places(service, id),
        ):
            await events.next_seqs(7)
        fixed.append(list(dict.fromkeys(pace.notes))[:5])  # a turn that is considered twice is noted twice
    assert fixed[0] == fixed[1]
    assert len(set(fixed[0])) == 5


def test_the_wait_ends_when_the_last_one_has_gone_on_or_it_has_been_long_enough() -> None:
    reveal, ana, bob = RevealReaders(), SomePage(), SomePage()
    for page in (ana, bob):
        reveal.open(page, 5)
    assert reveal.left_s(100, 12) == 0
    reveal.turn_over(8, 100)
    assert reveal.left_s(103, 12) == 9
    assert not reveal.go_on(ana, 8, 104)
    assert (reveal.left_s(105, 12), reveal.left_s(112, 12), reveal.ended_at(12)) == (7, 0, 112)
    assert reveal.go_on(bob, 8, 106)
    assert (reveal.left_s(106, 12), reveal.ended_at(12)) == (0, 106)
    assert not reveal.go_on(bob, 9, 107)
    reveal.turn_over(10, 200)
    for page in (ana, bob):
        reveal.go_on(page, 10, 230)
    assert reveal.ended_at(12) == 212
    assert (Pace().reading_s, Pace(bot_s=0).reading_s, Pace(bot_s=0).reading_alone_s) == (60, 0, 0)


def test_a_page_that_is_closed_or_opened_meanwhile_is_not_waited_for() -> None:
    reveal, ana, late = RevealReaders(), SomePage(), SomePage()
    reveal.open(ana, 5)
    reveal.turn_over(8, 100)
    reveal.open(late, 8)  # it shows the table as it is
    assert reveal.are_reading
    reveal.close(ana, 103)
    assert not reveal.are_reading
    assert reveal.ended_at(12) == 103


def test_what_was_read_before_does_not_count_for_the_next_row() -> None:
    reveal, ana = RevealReaders(), SomePage()
    reveal.open(ana, 5)
    reveal.turn_over(8, 100)
    reveal.go_on(ana, 8, 101)
    reveal.turn_over(14, 130)
    reveal.go_on(ana, 8, 131)
    assert reveal.left_s(131, 12) == 11
    reveal.go_on(SomePage(), 14, 132)  # a stranger's page
    assert reveal.are_reading


async def test_bots_wait_for_a_page_until_it_has_gone_on_and_for_whoever_is_alone_without_end(tmp_path: Path) -> None:
    page, now = SomePage(), [100.0]
    async with running_service(tmp_path / "t.db", Pace(bot_s=0.005), now=lambda: now[0]) as service:
        table, _ = await dealt_table(service, variant=Variant.TWELVE_ROUNDS)
        service.open_page(table, page, 0)
        for is_closed in (False, True):
            state = await _doubted_with_a_bot_next(service, table, page)
            seq = state.seq
            now[0] += 3000  # longer than people at a table are waited for
            await asyncio.sleep(0.2)
            assert state.seq == seq
            if is_closed:
                service.close_page(table, page)
            else:
                service.go_on(table, page, seq)
            async with asyncio.timeout(60):
                while state.seq == seq:
                    await asyncio.sleep(0.01)


async def test_a_page_that_says_again_and_again_that_it_has_gone_on_keeps_no_bot_from_moving(tmp_path: Path) -> None:
    page = SomePage()
    async with (
        running_service(tmp_path / "t.db", Pace(bot_s=0.1), now=lambda: 100.0) as service,
        asyncio.timeout(60),
    ):
        table, _ = await dealt_table(service, variant=Variant.TWELVE_ROUNDS)
        service.open_page(table, page, 0)
        state = await _doubted_with_a_bot_next(service, table, page)
        seq = state.seq
        while state.seq == seq:
            service.go_on(table, page, seq)
            await asyncio.sleep(0.002)


async def _doubted_with_a_bot_next(service: TableService, table: str, page: SomePage) -> Table:
    """Ana doubts as soon as she may, until it is a bot that begins the next round."""
    read = 0
    while True:
        state = await service.get(table)
        game, seat = state.running()
        if state.sitter(seat).is_bot:
            if state.seq > read:
                read = state.seq
                service.go_on(table, page, read)
            await asyncio.sleep(0.002)
        elif len(game.row) == 1:
            await service.move(table, seat, Place(1), state.seq)
        else:
            await service.move(table, seat, Doubt(), state.seq)
            _, following = state.running()
            if state.sitter(following).is_bot:
                return state
            service.go_on(table, page, state.seq)

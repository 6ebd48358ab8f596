"""Nobody plays on behind a reveal: bots and clocks wait for the people who look at a row that was turned over."""

import asyncio
from pathlib import Path

from harness.tables.services import dealt_table, running_service

from illusion.rules import Doubt, Place, Variant
from illusion.tables import Pace, Table, TableService
from illusion.tables.pace import RevealReaders


def test_the_wait_ends_when_the_last_one_has_gone_on_or_it_has_been_long_enough() -> None:
    reveal, ana, bob = RevealReaders(), object(), object()
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
    reveal, ana, late = RevealReaders(), object(), object()
    reveal.open(ana, 5)
    reveal.turn_over(8, 100)
    reveal.open(late, 8)  # it shows the table as it is
    assert reveal.are_reading
    reveal.close(ana, 103)
    assert not reveal.are_reading
    assert reveal.ended_at(12) == 103


def test_what_was_read_before_does_not_count_for_the_next_row() -> None:
    reveal, ana = RevealReaders(), object()
    reveal.open(ana, 5)
    reveal.turn_over(8, 100)
    reveal.go_on(ana, 8, 101)
    reveal.turn_over(14, 130)
    reveal.go_on(ana, 8, 131)
    assert reveal.left_s(131, 12) == 11
    reveal.go_on(object(), 14, 132)  # a stranger's page
    assert reveal.are_reading


async def test_bots_wait_for_a_page_until_it_has_gone_on_and_for_whoever_is_alone_without_end(tmp_path: Path) -> None:
    page, now = object(), [100.0]
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
    page = object()
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


async def _doubted_with_a_bot_next(service: TableService, table: str, page: object) -> Table:
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

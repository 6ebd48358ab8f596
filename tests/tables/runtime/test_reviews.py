"""Reviews: reckoned once and elsewhere, whoever asks, and whatever happens to the process that reckons."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from harness.tables.records import finished_record
from harness.tables.services import dealt_table, until_over

from illusion.review import Progress, Review
from illusion.review.seat_looks import Round, SeatLooks, SeatTurn, SeenCard
from illusion.rules import Colour
from illusion.tables import RefusalCode, Refused, TableService
from illusion.tables.public.looking_back import DatedLooks, WhatEyesAreLike, look_back, recorded_game
from illusion.tables.public.record import InvalidRecord, Record
from illusion.tables.runtime.fair_queue import MAX_WAITING, TooMuchWork, set_payer
from illusion.tables.runtime.reviews import reviews as reviews_module
from illusion.tables.runtime.reviews.reviewer import Progress as Told
from illusion.tables.runtime.reviews.reviews import NoAnswer, Reviews


class Echo(msgspec.Struct, frozen=True):
    """A question that is answered at once."""

    text: str
    steps: int = 16

    def answer(self, progress: Progress) -> bytes:
        progress(8, 16)
        return self.text.encode()


class Deadly(msgspec.Struct, frozen=True):
    """A question that no reviewer survives, or only a few do not: each leaves a file."""

    folder: str
    deaths: int
    steps: int = 1

    def answer(self, progress: Progress) -> bytes:  # noqa: ARG002
        tries = len(os.listdir(self.folder))
        Path(self.folder, str(tries)).touch()
        if tries < self.deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        return str(tries).encode()


@asynccontextmanager
async def asked(**options: int) -> AsyncIterator[Reviews]:
    reviews = Reviews(**options)
    try:
        async with asyncio.timeout(120):
            yield reviews
    finally:
        await reviews.stop()


async def until_kept(reviews: Reviews, key: str) -> bytes:
    while (answer := reviews.kept(key)) is None:
        await asyncio.sleep(0.01)
    return answer


async def test_what_is_asked_is_answered_and_kept() -> None:
    async with asked() as reviews:
        paid: list[str] = []
        reviews.on_cost = lambda payer, _: paid.append(payer)
        assert reviews.kept("a") is None
        assert reviews.progress("a") is None
        set_payer("guest")
        assert reviews.ask("a", Echo("first")) == Told(0, 16)
        reviews.ask("a", Echo("never asked"))
        assert reviews.progress("a") is not None
        assert await until_kept(reviews, "a") == b"first"
        assert paid == ["guest"]
        assert reviews.progress("a") is None


async def test_what_is_kept_is_bounded_and_the_oldest_goes_first() -> None:
    async with asked(max_kept_bytes=2 * reviews_module.ENTRY_BYTES + 10) as reviews:
        for key in ("a", "b", "c"):
            reviews.ask(key, Echo(key * 4))
            await until_kept(reviews, key)
        assert reviews.kept("a") is None
        assert reviews.kept("b") == b"bbbb"


async def test_answers_of_a_few_bytes_are_bounded_too() -> None:
    async with asked(max_kept_bytes=4 * reviews_module.ENTRY_BYTES) as reviews:
        for number in range(12):
            reviews.ask(str(number), Echo(""))
            await until_kept(reviews, str(number))
        assert [reviews.kept(str(number)) for number in range(12)] == [None] * 8 + [b""] * 4


async def test_what_is_reckoned_again_is_counted_once() -> None:
    async with asked(max_kept_bytes=2 * reviews_module.ENTRY_BYTES + 10) as reviews:
        for text in ("1", "2", "3", "4"):
            reviews.ask("a", Echo(text))
            while reviews.progress("a") is not None:
                await asyncio.sleep(0.01)
            assert reviews.kept("a") == text.encode()


async def test_a_long_fit_tells_how_far_it_is_so_that_nobody_takes_it_for_dead() -> None:
    """A reviewer that is silent for a minute is killed, and a code may hold hundreds of games."""
    cards = [SeenCard(2.0 + at, 1.0, "f") for at in range(12)]
    turns = [SeatTurn(list(range(at)), at, at, right=True, row_wrong=False) for at in range(1, 12)]
    seat = msgspec.json.encode(DatedLooks(0.0, SeatLooks([Round(Colour.RED, cards, turns)] * 2)))
    told: list[int] = []
    WhatEyesAreLike([seat] * 4).answer(lambda done, _all: told.append(done))
    assert told == list(range(1, 9))


async def test_nobody_can_fill_the_queue() -> None:
    async with asked() as reviews:
        set_payer("rude")
        for number in range(MAX_WAITING):
            reviews.ask(number, Echo("x"))
        with pytest.raises(TooMuchWork):
            reviews.ask(MAX_WAITING, Echo("x"))
        set_payer("honest")
        reviews.ask("mine", Echo("y"))
        assert await until_kept(reviews, "mine") == b"y"


async def test_a_reviewer_that_dies_is_replaced_and_asked_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with asked() as reviews:
        reviews.ask("a", Deadly(str(tmp_path), 1))
        assert await until_kept(reviews, "a") == b"1"
        assert [record.getMessage() for record in caplog.records] == ["reviewer-died"]


async def test_a_question_that_no_reviewer_survives_has_no_answer_and_others_have(tmp_path: Path) -> None:
    async with asked() as reviews:
        reviews.ask("a", Deadly(str(tmp_path), 1000))
        reviews.ask("b", Echo("fine"))
        assert await until_kept(reviews, "b") == b"fine"
        with pytest.raises(NoAnswer):
            reviews.kept("a")
        assert len(list(tmp_path.iterdir())) == reviews_module.MAX_TRIES
        assert reviews.kept("a") is None  # it may be asked for again


async def test_a_reviewer_that_cannot_be_started_leaves_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews_module, "START", "raise SystemExit")
    async with asked() as reviews:
        reviews.ask("a", Echo("a"))
        with pytest.raises(NoAnswer):
            await until_kept(reviews, "a")


async def test_a_server_that_stops_at_once_leaves_no_reviewer() -> None:
    async with asked() as reviews:
        reviews.ask("a", Echo("a"))
        await asyncio.sleep(0)
    assert reviews.process is None


async def test_a_reviewer_goes_when_nobody_asks_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews_module, "IDLE_S", 0.05)
    async with asked() as reviews:
        reviews.ask("a", Echo("a"))
        await until_kept(reviews, "a")
        while reviews.process is not None:
            await asyncio.sleep(0.01)
        reviews.ask("b", Echo("b"))
        assert await until_kept(reviews, "b") == b"b"


async def test_a_server_that_stops_while_a_reviewer_goes_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews_module, "IDLE_S", 0.01)
    async with asked() as reviews:
        reviews.ask("a", Echo("a"))
        await until_kept(reviews, "a")
        assert reviews.process is not None
        pid = reviews.process.pid
        while reviews.process is not None:
            await asyncio.sleep(0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_it_ends_with_its_server_even_while_it_works() -> None:
    async with asked() as reviews:
        reviews.ask("a", Echo("a"))
        await until_kept(reviews, "a")
        assert reviews.process is not None
        pid = reviews.process.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_table_has_a_review_once_its_game_is_over(service: TableService) -> None:
    table, _ = await dealt_table(service)
    with pytest.raises(Refused) as refused:
        await service.review(table)
    assert refused.value.code is RefusalCode.NOT_OVER
    await until_over(service, table)
    try:
        async with asyncio.timeout(120):
            while not isinstance(found := await service.review(table), bytes):
                await asyncio.sleep(0.02)
    finally:
        await service.reviews.stop()
    reviewed = msgspec.json.decode(found, type=Review)
    record = await service.record(table)
    assert len(reviewed.decisions) == len(record.moves)
    again = look_back(recorded_game(record))
    state = await service.get(table)
    assert [each.seq for each in again.decisions] == list(range(1, len(record.moves) + 1))
    assert [each.eye for each in again.decisions] == [each.eye for each in reviewed.decisions]
    assert again.seats == reviewed.seats
    assert reviewed.decisions[-1].seq <= state.seq
    assert state.game is not None
    assert reviewed.chances_at_end == tuple(float(seat in state.game.winners) for seat in range(3))


def test_a_record_has_a_review() -> None:
    record = finished_record()
    found = look_back(recorded_game(record))
    assert len(found.decisions) == len(record.moves)
    assert all(each.eye + each.judgement + each.luck == each.after - each.before for each in found.decisions)


def test_a_record_that_does_not_verify_has_none() -> None:
    record = finished_record()
    broken: Record = msgspec.structs.replace(record, moves=record.moves[:-1])
    with pytest.raises(InvalidRecord):
        recorded_game(broken)

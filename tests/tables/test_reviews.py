"""Reviews: reckoned once and elsewhere, whoever asks, and whatever happens to the process that reckons."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from harness.tables.services import dealt_table, until_over

from illusion.review import Review
from illusion.tables import RefusalCode, Refused, TableService
from illusion.tables import reviews as reviews_module
from illusion.tables.pictures import ENTRY_BYTES
from illusion.tables.reviews import MAX_KEPT_BYTES, MAX_WAITING, NoAnswer, Reviews
from illusion.tables.worker import TooMuchWork
from tests.tables.work import deadly, fail


@asynccontextmanager
async def asked(max_kept_bytes: int = MAX_KEPT_BYTES) -> AsyncIterator[Reviews]:
    reviews = Reviews(max_kept_bytes=max_kept_bytes)
    try:
        async with asyncio.timeout(120):
            yield reviews
    finally:
        await reviews.stop()


async def until_kept(reviews: Reviews, key: str) -> bytes:
    while (answer := reviews.kept(key)) is None:
        await asyncio.sleep(0.01)
    return answer


async def test_what_is_asked_is_answered_and_kept_and_nobody_can_fill_the_queue() -> None:
    async with asked() as reviews:
        assert (reviews.kept("0"), reviews.is_asked("0")) == (None, False)
        for number in range(MAX_WAITING):
            reviews.ask(str(number), str.encode, "first")
        reviews.ask("0", str.encode, "never asked")
        assert reviews.is_asked("0")
        with pytest.raises(TooMuchWork):
            reviews.ask("mine", str.encode, "y")
        assert await until_kept(reviews, "0") == b"first"
        assert not reviews.is_asked("0")
        reviews.ask("mine", str.encode, "y")
        assert await until_kept(reviews, "mine") == b"y"


async def test_a_question_that_no_process_survives_has_no_answer_and_others_have(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that is killed is replaced, and asked again. What is kept is bounded, and the oldest goes first."""
    for name in ("once", "always"):
        (tmp_path / name).mkdir()
    async with asked(max_kept_bytes=2 * ENTRY_BYTES + 10) as reviews:
        reviews.ask("a", deadly, str(tmp_path / "once"), 1)
        assert await until_kept(reviews, "a") == b"1"
        assert [record.getMessage() for record in caplog.records] == ["worker-lost", "review-failed"]
        for key in ("d", "e"):
            reviews.ask(key, str.encode, "fine")
            assert await until_kept(reviews, key) == b"fine"
        assert (reviews.kept("a"), reviews.kept("d")) == (None, b"fine")
        for key, work in (("b", (deadly, str(tmp_path / "always"), 1000)), ("c", (fail,))):
            reviews.ask(key, *work)
            reviews.ask(f"after {key}", str.encode, "fine")
            assert await until_kept(reviews, f"after {key}") == b"fine"
            with pytest.raises(NoAnswer):
                reviews.kept(key)
            assert reviews.kept(key) is None  # it may be asked for again
        assert len(list((tmp_path / "always").iterdir())) == reviews_module.MAX_TRIES


async def test_a_process_goes_when_nobody_asks_and_another_one_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews_module, "IDLE_S", 0.05)
    async with asked() as reviews:
        for key in ("a", "b"):
            reviews.ask(key, str.encode, key)
            assert await until_kept(reviews, key) == key.encode()
            while reviews.processes:
                await asyncio.sleep(0.01)


async def test_a_table_has_a_review_once_its_game_is_over(service: TableService) -> None:
    table, _ = await dealt_table(service)
    with pytest.raises(Refused) as refused:
        await service.review(table)
    assert refused.value.code is RefusalCode.NOT_OVER
    await until_over(service, table)
    async with asyncio.timeout(120):
        while not isinstance(found := await service.review(table), bytes):
            await asyncio.sleep(0.02)
    reviewed = msgspec.json.decode(found, type=Review)
    state = await service.get(table)
    assert [each.seq for each in reviewed.decisions] == [each.seq for each in state.moves]
    assert reviewed.decisions[-1].seq <= state.seq
    assert state.game is not None
    assert reviewed.chances_at_end == tuple(float(seat in state.game.winners) for seat in range(3))

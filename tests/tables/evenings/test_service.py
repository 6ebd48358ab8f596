"""Evenings on both stores: rounds are played as every other game, and results come in by themselves."""

import asyncio
import threading
from pathlib import Path
from random import Random

import pytest
from harness.tables.services import open_store, running_service, until_over

from illusion.rules import Place
from illusion.tables import Phase, RefusalCode, Refused, TableService
from illusion.tables.evenings import commands
from illusion.tables.evenings.evening import KEY, Evening, EveningEntry, Mark, TableEnded, decode
from illusion.tables.evenings.service import MAX_IN_MEMORY, EveningService
from illusion.tables.model import commands as at_table
from illusion.tables.model.commands import hashed
from illusion.tables.model.entries import PRINTED
from illusion.tables.transfer import CannotTransfer, exported_lines, import_lines

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus"]


@pytest.fixture
def evenings(service: TableService) -> EveningService:
    return EveningService(service)


async def opened(evenings: EveningService, people: int = 7) -> tuple[str, list[str], list[str]]:
    """An evening, its host's hashes, and everybody's token."""
    id, token = await evenings.open("Tuesday", PRINTED, rated=False)
    return id, [hashed(token)], [(await evenings.come(id, name))[1] for name in NAMES[:people]]


async def play(service: TableService, evening: Evening) -> None:
    for table in evening.rounds[-1]:
        await until_over(service, table.id)


async def test_commands_keep_the_event_loop_free(evenings: EveningService) -> None:
    """A draw for a hundred people who have met takes 40 ms."""
    id, _, _ = await opened(evenings, 1)
    threads = list[int]()

    def look(_state: Evening, _now: float) -> list[EveningEntry]:
        threads.append(threading.get_ident())
        return []

    await evenings.execute(id, look)
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


async def test_an_evening_of_two_rounds(service: TableService, evenings: EveningService) -> None:
    id, host, tokens = await opened(evenings)
    for number in (1, 2):
        evening = await evenings.draw(id, host, number)
        for drawn in evening.rounds[-1]:
            table = await service.get(drawn.id)
            assert table.phase is Phase.PLAYING
            assert [sitter.name for sitter in table.sitters] == [NAMES[person] for person in drawn.people]
            seats = [await service.seat(drawn.id, tokens[person]) for person in drawn.people]
            assert seats == list(range(len(seats)))  # the token of the evening holds the seat
        await play(service, evening)
        for drawn in (await evenings.get(id)).rounds[-1]:
            game = (await service.get(drawn.id)).game
            assert game is not None
            assert drawn.arrows == [len(won) for won in game.arrows_won]
            assert [seat for seat, place in enumerate(drawn.places) if place == 1] == list(game.winners)
    standings = (await evenings.public(id)).standings
    assert [each.games for each in standings] == [2] * 7
    assert sum(each.points for each in standings) == 2 * (12 * 3 + 12 * 4)


async def test_nothing_of_an_evening_is_in_memory_alone(database: str) -> None:
    """The server that drew the round is killed before it has opened the tables, or after the first of two steps, and
    the next one before anybody has looked at the result."""
    async with running_service(database) as service:
        evenings = EveningService(service)
        id, host, _ = await opened(evenings)
        drawn = await evenings.execute(id, lambda state, now: commands.draw(state, now, host, 1, Random(1)))
        one, other = drawn.playing
        people = [(drawn.people[each].name, drawn.people[each].token_hash) for each in other.people]
        await service.open_with(other.id, at_table.open_drawn(service.now(), people, PRINTED))
    async with running_service(database) as service:
        evening = await EveningService(service).get(id)
        for drawn_table in (one, other):
            assert (await service.get(drawn_table.id)).phase is Phase.PLAYING
        await play(service, evening)
    async with running_service(database) as service:
        again = EveningService(service)
        assert all(table.ended for table in (await again.get(id)).tables)
        assert len((await again.draw(id, host, 2)).rounds) == 2


async def test_whoever_leaves_or_is_removed_leaves_the_table_too(
    service: TableService, evenings: EveningService
) -> None:
    id, host, tokens = await opened(evenings, 4)
    evening = await evenings.draw(id, host, 1)
    (drawn,) = evening.playing
    await evenings.mark(id, [hashed(tokens[2])], 2, Mark.AWAY)
    await evenings.mark(id, host, 3, Mark.REMOVED)
    table = await service.get(drawn.id)
    assert {table.sitter(drawn.people.index(person)).away for person in (2, 3)} == {True}
    assert await service.seat(drawn.id, tokens[2]) == drawn.people.index(2)  # who may come back
    with pytest.raises(Refused):
        await service.seat(drawn.id, tokens[3])
    await play(service, evening)
    assert min((await evenings.get(id)).rounds[0][0].places) == 1
    await evenings.mark(id, host, 3, Mark.HERE)
    (drawn,) = (await evenings.draw(id, host, 2)).playing
    await service.execute(drawn.id, at_table.close)  # an abandoned table is left out by itself
    assert len((await evenings.draw(id, host, 3)).rounds) == 3
    assert not (await evenings.get(id)).rounds[1][0].counts


async def test_whatever_comes_twenty_times_at_once_is_done_once(database: str) -> None:
    """At one server; another test has two."""
    async with running_service(database) as service:
        evenings = EveningService(service)
        id, host, _ = await opened(evenings, 6)
        token = at_table.new_token()
        came = await asyncio.gather(*(evenings.come(id, f"Zoë {n}", token) for n in range(20)))
        assert len({number for number, _ in came}) == 1
        draws = await asyncio.gather(*(evenings.draw(id, host, 1) for _ in range(20)), return_exceptions=True)
        (evening,) = (each for each in draws if isinstance(each, Evening))
        assert len(evening.rounds) == 1
        await play(service, evening)
        seen = await asyncio.gather(*(evenings.public(id) for _ in range(20)))
        assert len({each.seq for each in seen}) == 1
        assert len(seen[0].standings) == 7
        stored = [decode(entry) for entry in await service.store.read(KEY + id)]
        assert sum(isinstance(entry, TableEnded) for entry in stored) == len(evening.rounds[0])


async def test_an_evening_is_no_table_to_anybody_and_what_is_not_there_is_none(
    service: TableService, evenings: EveningService
) -> None:
    id, _, _ = await opened(evenings, 3)
    assert await service.store.claim([KEY + id], 10) == []
    with pytest.raises(Refused):
        await service.get(KEY + id)
    for nowhere in ("nwhere22", "", "x" * 1000, "../../etc", KEY + id):
        with pytest.raises(Refused) as refusal:
            await evenings.get(nowhere)
        assert refusal.value.code is RefusalCode.NO_SUCH_EVENING


async def test_memory_holds_a_bounded_number_of_evenings(evenings: EveningService) -> None:
    made = [await evenings.open("Tuesday", PRINTED, rated=False) for _ in range(MAX_IN_MEMORY + 2)]
    known = [evenings.is_known(id, [hashed(token)]) for id, token in made]
    assert known == [False] * 2 + [True] * MAX_IN_MEMORY
    assert (await evenings.get(made[0][0])).name == "Tuesday"


async def test_two_servers_draw_one_round_and_tell_one_result(postgres: str) -> None:
    async with running_service(postgres) as one, running_service(postgres) as other:
        here, there = EveningService(one), EveningService(other)
        id, host, tokens = await opened(here)
        await asyncio.gather(*(each.come(id, "Zoë") for each in (here, there)))
        draws = await asyncio.gather(*(each.draw(id, host, 1) for each in (here, there)), return_exceptions=True)
        (lost,) = (each for each in draws if isinstance(each, Refused))
        assert lost.code is RefusalCode.ROUND_DRAWN
        evening, same = await here.get(id), await there.get(id)
        assert evening == same
        assert [person.name for person in evening.people] == [*NAMES, "Zoë", "Zoë 2"]
        for drawn in evening.playing:
            table = await other.get_current(drawn.id)
            assert len(table.sitters) == len(drawn.people)
            seat = table.game.to_play if table.game else None
            assert seat is not None
            if drawn.people[seat] < len(tokens):
                assert await other.move(
                    drawn.id, await other.seat(drawn.id, tokens[drawn.people[seat]]), Place(0), table.seq
                )
        for drawn in evening.playing:
            await until_over(one, drawn.id)
        await asyncio.gather(*(each.draw(id, host, 2) for each in (here, there)), return_exceptions=True)
        assert await here.get(id) == await there.get(id)
        assert all(table.ended for table in (await there.get(id)).rounds[0])


async def test_a_backup_holds_evenings(database: str, tmp_path: Path) -> None:
    async with running_service(database) as service:
        evenings = EveningService(service)
        id, host, _ = await opened(evenings)
        await play(service, await evenings.draw(id, host, 1))
        evening = await evenings.get(id)
        lines = [line async for line in exported_lines(service.store)]
    async with open_store(str(tmp_path / "copy.db")) as store:
        assert (await import_lines(store, lines)).tables == 3
        assert (await import_lines(store, lines)).known == 3
        assert await store.unfinished() == 0
        (mine,) = (line for line in lines if KEY.encode() in line)
        with pytest.raises(CannotTransfer, match="entry 2"):
            await import_lines(
                store, [mine.replace(KEY.encode() + id.encode(), KEY.encode() + b"nwhere22").replace(b'"Ada"', b'""')]
            )
    async with running_service(str(tmp_path / "copy.db")) as service:
        assert await EveningService(service).get(id) == evening

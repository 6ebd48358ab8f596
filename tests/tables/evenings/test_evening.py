"""An evening's log, its draws and its standings, without a clock or a store."""

import csv
import io
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.rules.setup import MOST_PLAYERS
from illusion.tables.evenings import commands
from illusion.tables.evenings.evening import (
    FEWEST_AT_TABLE,
    Came,
    Counted,
    Drawn,
    Evening,
    EveningEntry,
    EveningOpened,
    HostAdded,
    Lot,
    Mark,
    Marked,
    TableEnded,
    decode,
    encode,
)
from illusion.tables.evenings.standings import BOM, WIN, points, public_evening, results_csv, standings_csv
from illusion.tables.model.commands import RefusalCode, Refused, hashed, new_id
from illusion.tables.model.entries import PRINTED, InvalidLog

HOST = [hashed("host")]
NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida"]


def evening(people: int = 0, *, rated: bool = False) -> Evening:
    opened = Evening(new_id())
    opened.apply(commands.open_evening(0, "host", "Tuesday", PRINTED, rated=rated))
    for name in NAMES[:people]:
        do(opened, commands.come, name, name)
    return opened


def do(
    state: Evening, command: Callable[..., list[EveningEntry]], *arguments: object, **options: object
) -> list[EveningEntry]:
    """Execute a command as the service does, through the bytes of the log."""
    entries = [decode(encode(entry)) for entry in command(state, 1.0, *arguments, **options)]
    for entry in entries:
        state.apply(entry)
    return entries


def draw(state: Evening, seed: int = 1) -> None:
    do(state, commands.draw, HOST, len(state.rounds) + 1, Random(seed))


def play(state: Evening, *, winner: int | None = None) -> None:
    """Each table ends in the order of its seats, but for one winner, with the arrows of such an end."""
    for table in state.playing:
        order = sorted(range(len(table.people)), key=lambda seat: (table.people[seat] != winner, seat))
        places = [order.index(seat) + 1 for seat in range(len(table.people))]
        state.apply(TableEnded(2, table.id, [max(4 - place, 0) for place in places], places))


def refused(command: Callable[..., object], *arguments: object, **options: object) -> RefusalCode:
    with pytest.raises(Refused) as refusal:
        command(*arguments, **options)
    return refusal.value.code


@given(st.integers(3, commands.MAX_PEOPLE), st.integers())
def test_everybody_sits_once_at_tables_of_three_to_five_as_even_as_can_be(people: int, seed: int) -> None:
    lots = commands.by_lot(range(people), Counter(), Random(seed))
    assert sorted(person for lot in lots for person in lot) == list(range(people))
    sizes = {len(lot) for lot in lots}
    assert sizes <= set(range(FEWEST_AT_TABLE, MOST_PLAYERS + 1))
    assert max(sizes) - min(sizes) <= 1
    if people % commands.AT_TABLE == 0:
        assert sizes == {commands.AT_TABLE}


@pytest.mark.parametrize("seed", range(5))
def test_few_meet_again(seed: int) -> None:
    """Of twenty people at tables of four nobody has to in the first rounds, which use up thirty of 190 pairs each."""
    met, rng = Counter[frozenset[int]](), Random(seed)
    for _ in range(3):
        for lot in commands.by_lot(range(20), met, rng):
            met.update(frozenset(pair) for pair in combinations(lot, 2))
    assert sum(times > 1 for times in met.values()) <= 3
    blind = Counter[frozenset[int]]()
    for _ in range(3):
        for lot in commands.by_lot(range(20), Counter(), rng):
            blind.update(frozenset(pair) for pair in combinations(lot, 2))
    assert sum(times > 1 for times in blind.values()) > 3


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3)), min_size=3, max_size=5))
def test_a_table_shares_out_the_same_points_whatever_its_size_and_ties(best: list[tuple[bool, int]]) -> None:
    places = [1 + sum(other > mine for other in best) for mine in best]
    shared = points(places)
    assert sum(shared) * 2 == WIN * len(best)
    assert sorted(shared, reverse=True) == [share for _, share in sorted(zip(places, shared, strict=True))]
    assert max(shared) == WIN or places.count(1) > 1
    assert points([4, 3, 1, 2]) == [0, 8, 24, 16]  # as people are told
    assert points([1, 2, 2, 4, 5]) == [24, 15, 15, 6, 0]


def test_whoever_presses_twice_draws_once_and_nobody_draws_while_a_table_plays() -> None:
    state = evening(7)
    draw(state)
    assert refused(commands.draw, state, 1, HOST, 1, Random(1)) is RefusalCode.ROUND_DRAWN
    assert refused(commands.draw, state, 1, HOST, 2, Random(1)) is RefusalCode.ROUND_NOT_OVER
    one, other = state.playing
    do(state, commands.count, HOST, one.id, counts=False)
    assert refused(commands.draw, state, 1, HOST, 2, Random(1)) is RefusalCode.ROUND_NOT_OVER
    state.apply(TableEnded(2, other.id, [3, 1, 0, 0], [1, 2, 3, 3]))
    draw(state)
    assert len(state.rounds) == 2


def test_it_takes_three_who_are_here_and_late_comers_play_from_the_next_round() -> None:
    state = evening(3)
    do(state, commands.mark, [hashed("Ada")], 0, Mark.AWAY)
    assert refused(commands.draw, state, 1, HOST, 1, Random(1)) is RefusalCode.TOO_FEW_HERE
    do(state, commands.come, "Ada", "somebody")  # the same phone: here again, under the name they had
    assert [person.name for person in state.people] == NAMES[:3]
    draw(state)
    assert sorted(state.rounds[0][0].people) == [0, 1, 2]
    for name in ("Yan", "Zoë"):
        do(state, commands.come, name, name)
    assert state.table_of(4) is None
    play(state)
    do(state, commands.mark, HOST, 2, Mark.AWAY)
    draw(state)
    assert sorted(state.rounds[1][0].people) == [0, 1, 3, 4]


def test_a_host_makes_others_hosts_and_takes_it_back_by_removing_them() -> None:
    state, ben = evening(3), [hashed("Ben")]
    assert refused(commands.add_host, state, 1, ben, 1) is RefusalCode.NOT_HOST
    do(state, commands.add_host, HOST, 1)
    assert do(state, commands.add_host, HOST, 1) == []
    do(state, commands.set_door, ben, open=False)
    do(state, commands.mark, HOST, 1, Mark.REMOVED)
    assert refused(commands.set_door, state, 1, ben, open=True) is RefusalCode.NOT_HOST
    for number in (1, 3, -1):
        assert refused(commands.add_host, state, 1, HOST, number) is RefusalCode.NO_SUCH_PERSON


def test_whoever_was_removed_stays_away_until_the_host_says_otherwise() -> None:
    state = evening(4)
    ben = [hashed("Ben")]
    assert refused(commands.mark, state, 1, ben, 1, Mark.REMOVED) is RefusalCode.NOT_HOST
    do(state, commands.mark, HOST, 1, Mark.REMOVED)
    assert refused(commands.mark, state, 1, ben, 1, Mark.HERE) is RefusalCode.NOT_HOST
    assert refused(commands.come, state, 1, "Ben", "Ben") is RefusalCode.NOT_HOST
    assert "Ben" not in encode(public_evening(state)).decode()
    do(state, commands.mark, HOST, 1, Mark.HERE)
    assert state.here == [0, 1, 2, 3]
    for number in (-1, 4, 10**9):
        assert refused(commands.mark, state, 1, HOST, number, Mark.HERE) is RefusalCode.NO_SUCH_PERSON


def test_a_thousand_guests_who_are_one_fill_no_memory_and_the_door_can_be_closed() -> None:
    state = evening()
    for n in range(commands.MAX_PEOPLE):
        do(state, commands.come, f"token {n}", "Zoë")
        assert do(state, commands.come, f"token {n}", f"again {n}") == []
    assert len({person.name for person in state.people}) == commands.MAX_PEOPLE
    assert refused(commands.come, state, 1, "one more", "Ada") is RefusalCode.EVENING_FULL
    do(state, commands.mark, HOST, 0, Mark.REMOVED)
    do(state, commands.set_door, HOST, open=False)
    assert refused(commands.come, state, 1, "one more", "Ada") is RefusalCode.DOOR_CLOSED
    assert do(state, commands.come, "token 1", "Zoë") == []  # who is in stays in
    do(state, commands.set_door, HOST, open=True)
    do(state, commands.come, "one more", "Ada")


def test_no_guest_wears_out_an_evening() -> None:
    state, ada = evening(3), [hashed("Ada")]
    for _ in range(commands.MAX_MARKS):
        do(state, commands.mark, ada, 0, Mark.AWAY if state.people[0].mark is Mark.HERE else Mark.HERE)
    assert refused(commands.mark, state, 1, ada, 0, Mark.AWAY) is RefusalCode.EVENING_WORN_OUT
    do(state, commands.mark, HOST, 0, Mark.REMOVED)
    while state.seq < commands.MAX_ENTRIES - commands.FOR_HOST:
        do(state, commands.mark, HOST, 1, Mark.AWAY if state.people[1].mark is Mark.HERE else Mark.HERE)
    assert refused(commands.come, state, 1, "late", "Zoë") is RefusalCode.EVENING_WORN_OUT
    for person in range(3):
        do(state, commands.mark, HOST, person, Mark.HERE)
    draw(state)
    while state.seq < commands.MAX_ENTRIES:
        do(state, commands.set_door, HOST, open=not state.door_open)
    assert refused(commands.set_door, state, 1, HOST, open=not state.door_open) is RefusalCode.EVENING_WORN_OUT
    play(state)
    assert state.playing == []  # a result is never refused


def test_an_evening_has_an_end() -> None:
    state = evening(3)
    for seed in range(commands.MAX_ROUNDS):
        draw(state, seed)
        play(state)
    assert refused(commands.draw, state, 1, HOST, commands.MAX_ROUNDS + 1, Random(1)) is RefusalCode.EVENING_WORN_OUT


@pytest.mark.parametrize("name", ["", "\u3164", "a" * 10_000])
def test_nobody_is_called_what_cannot_be_read(name: str) -> None:
    assert refused(commands.come, evening(), 1, "token", name) is RefusalCode.BAD_NAME
    assert refused(commands.open_evening, 1, "token", name, PRINTED, rated=False) is RefusalCode.BAD_NAME


def test_standings_over_rounds() -> None:
    state = evening(8)
    for seed in range(3):
        draw(state, seed)
        play(state, winner=5)
    standings = public_evening(state).standings
    assert standings[0].person == 5
    assert (standings[0].points, standings[0].games, standings[0].place) == (3 * WIN, 3, 1)
    assert [each.place for each in standings] == [
        1 + sum(other.points > each.points for other in standings) for each in standings
    ]
    left_out = state.rounds[2][0]
    before = {each.person: each.points for each in standings}
    do(state, commands.count, HOST, left_out.id, counts=False)
    after = {each.person: each.points for each in public_evening(state).standings}
    shares = dict(zip(left_out.people, points(left_out.places), strict=True))
    assert all(before[person] - after[person] == shares.get(person, 0) for person in before)
    do(state, commands.count, HOST, left_out.id, counts=True)
    assert public_evening(state).standings == standings


def test_a_rating_follows_whom_one_was_ahead_of_and_is_points_without_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After one game the order is that of the places, ties and all: openskill's default model has it otherwise."""
    state = evening(5, rated=True)
    draw(state)
    table = state.playing[0]
    state.apply(TableEnded(2, table.id, [3, 1, 1, 1, 0], [1, 2, 2, 2, 5]))
    standings = public_evening(state).standings
    assert [each.place for each in standings] == [1, 2, 2, 2, 5]
    assert [each.person for each in standings] == [table.people[0], *sorted(table.people[1:4]), table.people[4]]
    ratings = [each.rating for each in standings]
    assert ratings == sorted(ratings, key=lambda rating: -(rating or 0))
    monkeypatch.setattr("illusion.tables.evenings.standings.can_rate", lambda: False)
    standings = public_evening(state).standings
    assert [each.points for each in standings] == [24, 12, 12, 12, 0]
    assert {each.rating for each in standings} == {None}


def test_a_spreadsheet_reads_names_as_names_and_nothing_public_is_secret() -> None:
    state = evening()
    names = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(1)", "\uff1d1", 'a "b", c', "Zoë", "b;=1+1", "c; @SUM(1)"]
    for name in names:
        do(state, commands.come, name, name)
    draw(state)
    play(state)
    told = encode(public_evening(state)).decode()
    assert not [hash for hash in (state.host_hash, *(person.token_hash for person in state.people)) if hash in told]
    for file in (results_csv, standings_csv):
        text = file(public_evening(state))
        assert text.startswith(BOM)
        head, *rows = csv.reader(io.StringIO(text.removeprefix(BOM)))
        at = head.index("name")
        assert {row[at].replace("'", "") for row in rows} == set(names)
        assert not [row for row in rows for cell in row if cell[:1] in ("=", "+", "@", "\uff1d")]
        assert not [row for row in rows if row[at][:1] == "-"]
        cells = [cell.strip() for line in text.splitlines() for cell in line.split(";")]  # as in many a country
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "@")]


@pytest.mark.parametrize(
    "entry",
    [
        EveningOpened(1, "Again", hashed("x"), PRINTED, rated=False),
        Came(1, "", hashed("x")),
        Came(1, "x" * 25, hashed("x")),
        Marked(1, 9, Mark.HERE),
        Marked(1, -1, Mark.HERE),
        HostAdded(1, 9),
        Drawn(1, [Lot(new_id(), [0, 1])]),
        Drawn(1, [Lot(new_id(), [0, 1, 1])]),
        Drawn(1, [Lot(new_id(), [0, 1, 2]), Lot(new_id(), [2, 3, 4])]),
        Drawn(1, [Lot(new_id(), [0, 1, 9])]),
        Drawn(1, [Lot("same5678", [0, 1, 2]), Lot("same5678", [3, 4, 5])]),
        TableEnded(1, new_id(), [3, 0, 0], [1, 2, 2]),
        Counted(1, new_id(), counts=False),
    ],
)
def test_an_entry_that_no_command_writes_is_refused(entry: EveningEntry) -> None:
    state = evening(6)
    with pytest.raises(InvalidLog):
        state.apply(entry)

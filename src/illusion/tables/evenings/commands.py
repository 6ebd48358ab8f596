"""Commands of an evening: functions of the state that return the entries to append, or raise Refused."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Final

from illusion.tables.evenings.evening import (
    FEWEST_AT_TABLE,
    Came,
    Counted,
    DoorSet,
    Drawn,
    DrawnTable,
    Evening,
    EveningEntry,
    EveningOpened,
    HostAdded,
    Lot,
    Mark,
    Marked,
    TableEnded,
)
from illusion.tables.model.commands import (
    RefusalCode,
    Refused,
    check_clock,
    clean_name,
    distinct_name,
    hashed,
    new_id,
)
from illusion.tables.model.entries import InvalidLog, Terms
from illusion.tables.model.table import Table

MAX_PEOPLE: Final = 100
MAX_ENTRIES: Final = 2000
"""Limit of an evening's log, except for results. A hundred people over five rounds have four hundred."""
FOR_HOST: Final = 1000
"""Entries reserved for the host, so that guests cannot use up an evening's log."""
MAX_MARKS: Final = 20
"""Limit on coming and going, per person."""
MAX_ROUNDS: Final = 15
"""A page of an evening of forty takes 40 ms."""
AT_TABLE: Final = 4
"""The preferred number of people at a table."""
EXCHANGES: Final = 2000
"""Exchanges tried when tables are drawn, so that few people meet again."""

Command = Callable[[Evening, float], list[EveningEntry]]
"""Called with the state and the time; returns the entries to append."""


def open_evening(now: float, token: str, name: str, terms: Terms, *, rated: bool) -> EveningOpened:
    check_clock(terms)
    return EveningOpened(now, clean_name(name), hashed(token), terms, rated)


def come(evening: Evening, now: float, token: str, name: str) -> list[EveningEntry]:
    """Add a person, once per token; one who was away is here again."""
    known = evening.person_of([hashed(token)])
    if known is not None:
        return mark(evening, now, [hashed(token)], known.number, Mark.HERE)
    if not evening.door_open:
        raise Refused(RefusalCode.DOOR_CLOSED)
    if sum(person.mark is not Mark.REMOVED for person in evening.people) >= MAX_PEOPLE:
        raise Refused(RefusalCode.EVENING_FULL, most=MAX_PEOPLE)
    _not_worn_out(evening, FOR_HOST)
    return [Came(now, distinct_name(clean_name(name), [each.name for each in evening.people]), hashed(token))]


def mark(evening: Evening, now: float, hashes: Sequence[str], number: int, mark: Mark) -> list[EveningEntry]:
    """Mark whether a person is here: people themselves, or the host, who can also remove people."""
    if not 0 <= number < len(evening.people):
        raise Refused(RefusalCode.NO_SUCH_PERSON)
    person, is_host = evening.people[number], evening.is_host(hashes)
    if not is_host and (person.token_hash not in hashes or Mark.REMOVED in (mark, person.mark)):
        raise Refused(RefusalCode.NOT_HOST)
    if person.mark is mark:
        return []
    if not is_host and person.marks >= MAX_MARKS:
        raise Refused(RefusalCode.EVENING_WORN_OUT)
    _not_worn_out(evening, 0 if is_host else FOR_HOST)
    return [Marked(now, number, mark)]


def add_host(evening: Evening, now: float, hashes: Sequence[str], number: int) -> list[EveningEntry]:
    _host(evening, hashes)
    if not 0 <= number < len(evening.people) or evening.people[number].mark is Mark.REMOVED:
        raise Refused(RefusalCode.NO_SUCH_PERSON)
    if evening.people[number].hosts:
        return []
    _not_worn_out(evening)
    return [HostAdded(now, number)]


def set_door(evening: Evening, now: float, hashes: Sequence[str], *, open: bool) -> list[EveningEntry]:
    _host(evening, hashes)
    if evening.door_open is open:
        return []
    _not_worn_out(evening)
    return [DoorSet(now, open)]


def count(evening: Evening, now: float, hashes: Sequence[str], table: str, *, counts: bool) -> list[EveningEntry]:
    """The host excludes a table's result, or includes it again."""
    _host(evening, hashes)
    try:
        drawn = evening.table(table)
    except InvalidLog:
        raise Refused(RefusalCode.NO_SUCH_TABLE) from None
    if drawn.counts is counts:
        return []
    _not_worn_out(evening)
    return [Counted(now, table, counts)]


def draw(evening: Evening, now: float, hashes: Sequence[str], round: int, rng: Random) -> list[EveningEntry]:
    """The host draws the next round; refused if the round of this number has been drawn (a form sent twice)."""
    _host(evening, hashes)
    if round != len(evening.rounds) + 1:
        raise Refused(RefusalCode.ROUND_DRAWN)
    for table in evening.playing:
        if table.counts:
            raise Refused(RefusalCode.ROUND_NOT_OVER, table=table.number)
    here = evening.here
    if len(here) < FEWEST_AT_TABLE:
        raise Refused(RefusalCode.TOO_FEW_HERE, fewest=FEWEST_AT_TABLE)
    if round > MAX_ROUNDS:
        raise Refused(RefusalCode.EVENING_WORN_OUT)
    _not_worn_out(evening)
    return [Drawn(now, [Lot(new_id(), people) for people in by_lot(here, meetings(evening), rng)])]


def end(evening: Evening, now: float, drawn: DrawnTable, table: Table) -> list[EveningEntry]:
    """The result of a table whose game is over; people who were not dealt to come last."""
    if drawn.ended or table.game is None:
        return []
    seats = [table.seat_of(evening.people[person].token_hash) for person in drawn.people]
    won = [-1 if seat is None else len(table.game.arrows_won[seat]) for seat in seats]
    best = [(seat in table.game.winners, arrows) for seat, arrows in zip(seats, won, strict=True)]
    places = [1 + sum(other > mine for other in best) for mine in best]
    return [TableEnded(now, drawn.id, [max(arrows, 0) for arrows in won], places)]


def meetings(evening: Evening) -> Counter[frozenset[int]]:
    """How often each pair has sat at one table."""
    return Counter(frozenset(pair) for table in evening.tables for pair in combinations(table.people, 2))


def by_lot(people: Sequence[int], met: Counter[frozenset[int]], rng: Random) -> list[list[int]]:
    """Tables of three to five, as even as possible, where few meet again: a shuffle, then local search by exchanges."""
    drawn = list(people)
    rng.shuffle(drawn)
    tables = max(len(drawn) // AT_TABLE, -(-len(drawn) // (AT_TABLE + 1)))
    ends = [len(drawn) * n // tables for n in range(tables + 1)]
    lots = [drawn[first:last] for first, last in pairwise(ends)]
    for _ in range(EXCHANGES if met and tables > 1 else 0):
        one, other = rng.sample(lots, 2)
        at, there = rng.randrange(len(one)), rng.randrange(len(other))
        before = _again(one, met) + _again(other, met)
        one[at], other[there] = other[there], one[at]
        if _again(one, met) + _again(other, met) > before:
            one[at], other[there] = other[there], one[at]
    return lots


def _again(people: Iterable[int], met: Counter[frozenset[int]]) -> int:
    """The cost of meeting again: a third meeting weighs more than two second ones."""
    return sum(met[frozenset(pair)] ** 2 for pair in combinations(people, 2))


def _host(evening: Evening, hashes: Sequence[str]) -> None:
    if not evening.is_host(hashes):
        raise Refused(RefusalCode.NOT_HOST)


def _not_worn_out(evening: Evening, kept: int = 0) -> None:
    if evening.seq >= MAX_ENTRIES - kept:
        raise Refused(RefusalCode.EVENING_WORN_OUT)

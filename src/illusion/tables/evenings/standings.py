"""The public view of an evening: people, rounds, points and ratings; also as CSV."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

import msgspec

from illusion.tables.evenings.evening import DrawnTable, Evening, Mark
from illusion.tables.model.entries import Terms

WIN: Final = 24
"""Points for a win; they make the points for all places at tables of three, four and five whole numbers."""
NOBODY: Final = "—"
"""Shown instead of a removed person's name, which may be the reason of the removal."""
FORMULA: Final = re.compile(r"(^|[;|])(?=\s*[=+@\-\uff1d\uff0b\uff0d\uff20])")
"""Where a formula may begin, in both widths (OWASP, CSV injection); many a spreadsheet separates by semicolons."""
BOM: Final = "\ufeff"
"""For Excel to recognize UTF-8."""


class Guest(msgspec.Struct, frozen=True):
    """A person at the evening."""

    number: int
    name: str
    mark: Mark


class Result(msgspec.Struct, frozen=True):
    """A person's result at a table; null before the table has ended."""

    person: int
    place: int | None
    arrows: int | None
    points: int | None


class RoundTable(msgspec.Struct, frozen=True):
    """A table of a round, with its people in the order of their seats."""

    table: str
    number: int
    counts: bool
    ended: bool
    people: list[Result]


class Standing(msgspec.Struct, frozen=True):
    """A line of the standings, which are ordered by points, or by rating if the evening is rated."""

    place: int
    person: int
    points: int
    games: int
    rating: float | None
    """Null without the extra `club`."""


class PublicEvening(msgspec.Struct, frozen=True):
    """An evening as everybody sees it."""

    evening: str
    seq: int
    name: str
    terms: Terms
    rated: bool
    door_open: bool
    people: list[Guest]
    rounds: list[list[RoundTable]]
    standings: list[Standing]

    def name_of(self, person: int) -> str:
        return self.people[person].name


def public_evening(evening: Evening) -> PublicEvening:
    return PublicEvening(
        evening.id,
        evening.seq,
        evening.name,
        evening.terms,
        evening.rated,
        evening.door_open,
        [Guest(each.number, NOBODY if each.mark is Mark.REMOVED else each.name, each.mark) for each in evening.people],
        [[_table(table) for table in round] for round in evening.rounds],
        standings(evening),
    )


def _table(table: DrawnTable) -> RoundTable:
    nothing = [None] * len(table.people)
    columns = (table.places, table.arrows, points(table.places)) if table.ended else (nothing, nothing, nothing)
    people = [Result(*each) for each in zip(table.people, *columns, strict=True)]
    return RoundTable(table.id, table.number, table.counts, table.ended, people)


def points(places: Sequence[int]) -> list[int]:
    """Points by place: an equal share for each player one is ahead of, and half a share for each tie."""
    others = len(places) - 1
    return [WIN // 2 * (sum((mine < other) + (mine <= other) for other in places) - 1) // others for mine in places]


def standings(evening: Evening) -> list[Standing]:
    """Standings of all who have played and were not removed. Ties share a place, in the order of coming."""
    counted = [table for table in evening.tables if table.ended and table.counts]
    won, games = dict[int, int](), dict[int, int]()
    for table in counted:
        for person, each in zip(table.people, points(table.places), strict=True):
            won[person], games[person] = won.get(person, 0) + each, games.get(person, 0) + 1
    rated = ratings(counted)
    merit = rated if evening.rated and rated else won
    shown = sorted(p for p in won if evening.people[p].mark is not Mark.REMOVED)
    order = sorted(shown, key=lambda person: -merit[person])
    places = {person: 1 + sum(merit[other] > merit[person] for other in shown) for person in order}
    return [Standing(places[person], person, won[person], games[person], rated.get(person)) for person in order]


def ratings(tables: Iterable[DrawnTable]) -> dict[int, float]:
    """Ratings by the Bradley-Terry model of openskill (Joshy 2024): mean minus three standard deviations.

    Its default, Plackett-Luce, would rank the fourth before two players who share the second place.
    """
    if not can_rate():
        return {}
    from openskill.models import BradleyTerryFull  # noqa: PLC0415  (an extra)

    model, known = BradleyTerryFull(), dict[int, Any]()
    for table in tables:
        teams = [[known.get(person) or model.rating()] for person in table.people]
        for person, (rating,) in zip(table.people, model.rate(teams, ranks=[*table.places]), strict=True):
            known[person] = rating
    return {person: round(rating.ordinal(), 2) for person, rating in known.items()}


@cache
def can_rate() -> bool:
    """Whether the extra `club` is installed."""
    return find_spec("openskill") is not None


def results_csv(evening: PublicEvening) -> str:
    """A line per person and finished table."""
    rows = [
        (
            n,
            table.number,
            evening.name_of(each.person),
            each.place,
            each.arrows,
            each.points,
            "yes" if table.counts else "no",
        )
        for n, round in enumerate(evening.rounds, 1)
        for table in round
        if table.ended
        for each in table.people
    ]
    return _csv(("round", "table", "name", "place", "arrows", "points", "counts"), rows)


def standings_csv(evening: PublicEvening) -> str:
    rows = [
        (each.place, evening.name_of(each.person), each.points, each.games, each.rating) for each in evening.standings
    ]
    return _csv(("place", "name", "points", "games", "rating"), rows)


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows([head, *([_safe(value) for value in row] for row in rows)])
    return BOM + written.getvalue()


def _safe(value: object) -> object:
    """Escapes texts that a spreadsheet might take for a formula; numbers stay numbers."""
    return FORMULA.sub(r"\1'", value) if isinstance(value, str) else value

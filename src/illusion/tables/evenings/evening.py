"""An evening's log, and the state derived from it: people, drawn tables, results."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from hmac import compare_digest
from itertools import chain
from typing import Final, TypeAlias

import msgspec

from illusion.rules.setup import MOST_PLAYERS
from illusion.tables.model.commands import is_possible_name
from illusion.tables.model.entries import PRINTED, TABLE_ID, Entry, InvalidLog, TableId, Terms, TokenHash

KEY: Final = "evening-"
"""The prefix of an evening's key in the store, which makes it different from any table's id."""
FEWEST_AT_TABLE: Final = 3


class Mark(StrEnum):
    """A person's state for the next draw."""

    HERE = "here"
    AWAY = "away"
    REMOVED = "removed"


class EveningOpened(Entry, frozen=True, tag="evening-opened"):
    """The host, who has the token with this hash, opened the evening."""

    name: str
    host_hash: TokenHash
    terms: Terms
    rated: bool
    """Whether standings are by rating instead of points."""


class Came(Entry, frozen=True, tag="came"):
    name: str
    token_hash: TokenHash


class Marked(Entry, frozen=True, tag="marked"):
    person: int
    mark: Mark


class HostAdded(Entry, frozen=True, tag="host-added"):
    """This person hosts, too: on a second device, or when the host has to go."""

    person: int


class DoorSet(Entry, frozen=True, tag="door-set"):
    """The host opened or closed the door for newcomers."""

    open: bool


class Lot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened, and its people in the order of the seats."""

    table: TableId
    people: list[int]


class Drawn(Entry, frozen=True, tag="drawn"):
    """A round was drawn. Its tables are opened afterwards, by the first server that looks."""

    lots: list[Lot]


class TableEnded(Entry, frozen=True, tag="table-ended"):
    """A table ended: arrows and places (from 1) of the people drawn there."""

    table: TableId
    arrows: list[int]
    places: list[int]


class Counted(Entry, frozen=True, tag="counted"):
    """The host decided whether a table's result counts. A table that does not count delays no round."""

    table: TableId
    counts: bool


EveningEntry: TypeAlias = EveningOpened | Came | Marked | HostAdded | DoorSet | Drawn | TableEnded | Counted
encode: Final = msgspec.json.Encoder().encode
decode: Final[Callable[[bytes | msgspec.Raw], EveningEntry]] = msgspec.json.Decoder[EveningEntry](EveningEntry).decode


@dataclass(slots=True)
class Person:
    """A person; `number` counts from 0 in the order of coming."""

    number: int
    name: str
    token_hash: str
    mark: Mark = Mark.HERE
    marks: int = 0
    """The number of marks so far."""
    hosts: bool = False


@dataclass(slots=True)
class DrawnTable:
    """A table of a round: its number in the round, and its result."""

    id: str
    number: int
    people: list[int]
    arrows: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    counts: bool = True

    @property
    def ended(self) -> bool:
        return bool(self.places)


@dataclass(slots=True)
class Evening:
    """The state after `seq` entries. Only `apply` changes it."""

    id: str
    seq: int = 0
    name: str = ""
    host_hash: str = ""
    terms: Terms = PRINTED
    rated: bool = False
    door_open: bool = True
    people: list[Person] = field(default_factory=list)
    rounds: list[list[DrawnTable]] = field(default_factory=list)
    at: float = 0.0
    """When something last happened, in seconds since 1970."""

    @property
    def here(self) -> list[int]:
        return [person.number for person in self.people if person.mark is Mark.HERE]

    @property
    def tables(self) -> Iterable[DrawnTable]:
        """The tables of all rounds."""
        return chain.from_iterable(self.rounds)

    @property
    def playing(self) -> list[DrawnTable]:
        """The tables of this round that have not ended."""
        return [table for table in self.rounds[-1] if not table.ended] if self.rounds else []

    def is_host(self, token_hashes: Iterable[str]) -> bool:
        added = (person.token_hash for person in self.people if person.hosts and person.mark is not Mark.REMOVED)
        return any(compare_digest(host, each) for host in (self.host_hash, *added) for each in token_hashes)

    def person_of(self, token_hashes: Iterable[str]) -> Person | None:
        """The person with one of these tokens, removed or not."""
        hashes = frozenset(token_hashes)
        return next((person for person in self.people if person.token_hash in hashes), None)

    def person(self, number: int) -> Person:
        if not 0 <= number < len(self.people):
            raise InvalidLog(f"nobody here has the number {number}")
        return self.people[number]

    def table(self, id: str) -> DrawnTable:
        found = next((table for table in self.tables if table.id == id), None)
        if found is None:
            raise InvalidLog("no such table was drawn")
        return found

    def table_of(self, person: int) -> DrawnTable | None:
        """The person's table in this round."""
        return next((table for table in self.rounds[-1] if person in table.people), None) if self.rounds else None

    def apply(self, entry: EveningEntry) -> None:
        """Apply the next entry. Raises InvalidLog for one that does not fit."""
        if isinstance(entry, EveningOpened) != (self.seq == 0):
            raise InvalidLog("an evening is opened by its first entry and by no other")
        match entry:
            case EveningOpened():
                self.name, self.host_hash = _possible(entry.name), entry.host_hash
                self.terms, self.rated = entry.terms, entry.rated
            case Came():
                self.people.append(Person(len(self.people), _possible(entry.name), entry.token_hash))
            case Marked():
                person = self.person(entry.person)
                person.mark, person.marks = entry.mark, person.marks + 1
            case HostAdded():
                self.person(entry.person).hosts = True
            case DoorSet():
                self.door_open = entry.open
            case Drawn():
                self._draw(entry)
            case TableEnded():
                self._end(entry)
            case Counted():
                self.table(entry.table).counts = entry.counts
        self.seq, self.at = self.seq + 1, entry.at

    def _draw(self, drawn: Drawn) -> None:
        people = [person for lot in drawn.lots for person in lot.people]
        if len(set(people)) != len(people) or not all(self.person(each).mark is Mark.HERE for each in people):
            raise InvalidLog("nobody sits at two tables, or is drawn without being here")
        if not all(FEWEST_AT_TABLE <= len(lot.people) <= MOST_PLAYERS for lot in drawn.lots):
            raise InvalidLog(f"a table has {FEWEST_AT_TABLE} to {MOST_PLAYERS} people")
        known, ids = {table.id for table in self.tables}, {lot.table for lot in drawn.lots}
        if len(ids) != len(drawn.lots) or known & ids:
            raise InvalidLog("a table is drawn once")
        self.rounds.append([DrawnTable(lot.table, n, lot.people) for n, lot in enumerate(drawn.lots, 1)])

    def _end(self, ended: TableEnded) -> None:
        table = self.table(ended.table)
        if table.ended or not len(table.people) == len(ended.arrows) == len(ended.places):
            raise InvalidLog("a table ends once, with a place for everybody")
        table.arrows, table.places = ended.arrows, ended.places


def is_evening_key(text: str) -> bool:
    return text.startswith(KEY) and re.match(TABLE_ID, text.removeprefix(KEY)) is not None


def _possible(name: str) -> str:
    if not is_possible_name(name):
        raise InvalidLog("nobody can be called that")
    return name

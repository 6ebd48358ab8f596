"""Moving tables between stores, as JSON lines: a table and its whole log on each.

The lines hold everything, secrets of running games and hashes of seat tokens too: they are for the host alone.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import NamedTuple

import msgspec

from illusion.rules import RulesError
from illusion.tables.model.commands import ID_LENGTH, ID_SIGNS
from illusion.tables.model.entries import AnyEntry, Opened
from illusion.tables.model.table import Phase, Table
from illusion.tables.stores.base import Stale, Store


class CannotTransfer(Exception):
    """A table cannot be taken out or put in; the message says which and why. Lines before it have been taken."""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as it is moved. Entries are kept as they were written, byte by byte."""

    table: str
    log: list[msgspec.Raw]


class Moved(NamedTuple):
    """How many tables a file brought, and how many of them were there already."""

    tables: int
    known: int


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Line)
_entry = msgspec.json.Decoder(AnyEntry)


async def exported_lines(store: Store, tables: Sequence[str] = ()) -> AsyncIterator[bytes]:
    """A line for each of these tables, or for all."""
    for table in tables or await store.tables():
        log = await store.read(table)
        if not log:
            raise CannotTransfer(f"there is no table {table}")
        yield _encoder.encode(Line(table, [msgspec.Raw(entry) for entry in log])) + b"\n"


async def import_lines(store: Store, lines: Iterable[bytes]) -> Moved:
    """Put tables into a store. One that is there already is left alone, or goes on where its log ends."""
    tables = known = 0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = _decoder.decode(text)
            ended = _ended(line)
        except msgspec.DecodeError as error:
            raise CannotTransfer(f"line {number} is not a table: {error}") from None
        log = [bytes(entry) for entry in line.log]
        there = await store.read(line.table)
        if there[: len(log)] != log[: len(there)]:
            raise CannotTransfer(f"line {number}: another table {line.table} is there already")
        tables += 1
        if len(there) >= len(log):
            known += 1
            continue
        try:
            await store.append(line.table, len(there) + 1, log[len(there) :], ended=ended)
        except Stale:
            raise CannotTransfer(f"line {number}: somebody plays at table {line.table} right now") from None
    return Moved(tables, known)


def _ended(line: Line) -> bool:
    """Whether the table has ended; its log is played through, so that no store gets one that does not make a table."""
    if len(line.table) != ID_LENGTH or not set(line.table) <= set(ID_SIGNS):
        raise msgspec.ValidationError("its name is not that of a table")
    table = Table(line.table)
    for number, raw in enumerate(line.log, 1):
        try:
            entry: AnyEntry = _entry.decode(raw)
            if isinstance(entry, Opened) != (number == 1):
                raise msgspec.ValidationError("a table is opened once, and first")
            table.apply(entry)
        except msgspec.DecodeError as error:
            raise msgspec.ValidationError(f"entry {number}: {error}") from None
        except (RulesError, AssertionError, LookupError, ValueError):
            raise msgspec.ValidationError(f"entry {number} does not fit those before it") from None
    if not line.log:
        raise msgspec.ValidationError("its log is empty")
    return table.phase in (Phase.OVER, Phase.CLOSED)

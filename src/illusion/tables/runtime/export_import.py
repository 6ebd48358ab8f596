"""Export and import of tables as JSON lines: one table with its whole log per line.

The lines hold everything, including the secrets of running games and the hashes of seat tokens: keep them private.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import NamedTuple

import msgspec

from illusion.tables.model.commands import ID_ALPHABET, ID_LENGTH
from illusion.tables.model.entries import AnyEntry
from illusion.tables.model.errors import InvalidLog
from illusion.tables.model.table import Phase, Table
from illusion.tables.stores.base import Stale, Store


class CannotTransfer(Exception):
    """A table cannot be exported or imported; the message says which and why. Earlier lines have been imported."""


class ExportedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a file. Entries are kept byte by byte."""

    table: str
    log: list[msgspec.Raw]


class Imported(NamedTuple):
    """How many tables a file held, and how many of them were in the store already."""

    tables: int
    known: int


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(ExportedTable)
_entry = msgspec.json.Decoder(AnyEntry)


async def exported_lines(store: Store, tables: Sequence[str] = ()) -> AsyncIterator[bytes]:
    """A line for each of these tables, or for all tables."""
    for table in tables or await store.tables():
        log = await store.read(table)
        if not log:
            raise CannotTransfer(f"there is no table {table}")
        yield _encoder.encode(ExportedTable(table, [msgspec.Raw(entry) for entry in log])) + b"\n"


async def import_lines(store: Store, lines: Iterable[bytes]) -> Imported:
    """Import tables. One that is in the store already is left alone, or continued where its log ends."""
    tables = known = 0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = _decoder.decode(text)
            ended = _check(line)
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
    return Imported(tables, known)


def _check(line: ExportedTable) -> bool:
    """Replay a log, so that no store gets an invalid one; returns whether the table has ended."""
    if len(line.table) != ID_LENGTH or not set(line.table) <= set(ID_ALPHABET):
        raise msgspec.ValidationError("its name is not that of a table")
    table = Table(line.table)
    for number, raw in enumerate(line.log, 1):
        try:
            table.apply(_entry.decode(raw))
        except msgspec.DecodeError as error:
            raise msgspec.ValidationError(f"entry {number}: {error}") from None
        except InvalidLog as error:
            raise msgspec.ValidationError(f"entry {number} does not fit: {error}") from None
    if not line.log:
        raise msgspec.ValidationError("its log is empty")
    return table.phase in (Phase.OVER, Phase.CLOSED)

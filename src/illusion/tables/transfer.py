"""Export and import of tables as JSON lines: one table with its whole log per line.

The lines hold everything, including the secrets of running games and the hashes of seat tokens: keep them private.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import IO, Final, NamedTuple

import msgspec

from illusion.tables.model.entries import AnyEntry
from illusion.tables.model.errors import InvalidLog, in_brief
from illusion.tables.model.log_check import MAX_ENTRY_BYTES, MAX_LOG_ENTRIES, apply_checked, is_table_id
from illusion.tables.model.table import Phase, Table
from illusion.tables.stores.store import Stale, Store

MAX_LINE_BYTES: Final = 32 * 1024 * 1024
"""More than the longest log has, and little enough to hold in memory."""
MAX_BLANK_LINES: Final = 1000


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
            raise CannotTransfer(f"there is no table {in_brief(ValueError(table))}")
        yield _encoder.encode(ExportedTable(table, [msgspec.Raw(entry) for entry in log])) + b"\n"


async def import_file(store: Store, file: IO[bytes]) -> Imported:
    """Import the tables of a file, however long it or one of its lines is."""
    return await import_lines(store, _lines(file))


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    number = blank = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        blank += not line.strip()
        if len(line) > MAX_LINE_BYTES:
            raise CannotTransfer(f"line {number} is not a table: it is longer than {MAX_LINE_BYTES} bytes")
        if blank > MAX_BLANK_LINES:
            raise CannotTransfer(f"line {number} is blank, as {MAX_BLANK_LINES} others are: this is no file of tables")
        yield line


async def import_lines(store: Store, lines: Iterable[bytes]) -> Imported:
    """Import tables. One that is in the store already is left alone, or continued where its log ends."""
    tables = known = 0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = _decoder.decode(text)
            ended = _check(line)
        except (ValueError, RecursionError) as error:
            raise CannotTransfer(f"line {number} is not a table: {in_brief(error)}") from None
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
    if not is_table_id(line.table):
        raise InvalidLog("its name is not that of a table")
    if len(line.log) > MAX_LOG_ENTRIES:
        raise InvalidLog(f"a log has at most {MAX_LOG_ENTRIES} entries")
    table = Table(line.table)
    for number, raw in enumerate(line.log, 1):
        if len(bytes(raw)) > MAX_ENTRY_BYTES:
            raise InvalidLog(f"entry {number} is longer than {MAX_ENTRY_BYTES} bytes")
        try:
            apply_checked(table, _entry.decode(raw))
        except InvalidLog as error:
            raise InvalidLog(f"entry {number} does not fit: {error}") from None
        except (ValueError, RecursionError) as error:
            raise InvalidLog(f"entry {number}: {in_brief(error)}") from None
    if not line.log:
        raise InvalidLog("its log is empty")
    return table.phase in (Phase.OVER, Phase.CLOSED)

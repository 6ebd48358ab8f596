"""Export and import of tables as JSON lines: one table with its whole log per line.

They include the secrets of running games and the hashes of seat tokens: keep them private.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import IO, Annotated, Final, NamedTuple

import msgspec

from illusion.bots import LEVEL_NAMES
from illusion.tables.evenings import evening as evenings
from illusion.tables.model import entries
from illusion.tables.model.commands import CLOCKS_S, MAX_CHARACTERS, is_possible_name, is_table_id
from illusion.tables.model.entries import AnyEntry, InvalidLog, in_brief
from illusion.tables.model.table import Phase, Table
from illusion.tables.stores import Stale, Store

MAX_LINE_BYTES: Final = 32 * 1024 * 1024
"""More than the longest possible log; still fits into memory."""
MAX_BLANK_LINES: Final = 1000
MAX_LOG_ENTRIES: Final = 100_000
"""Per log: far above any game."""


NOTICES: Final = "notices-"
"""In front of a table's id: the log of addresses (`tables.notices`)."""


class CannotTransfer(Exception):
    """A table cannot be exported or imported; the message says which and why. Earlier lines stay imported."""


class ExportedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a file, with the entries' bytes unchanged."""

    table: str
    log: Annotated[list[msgspec.Raw], msgspec.Meta(min_length=1, max_length=MAX_LOG_ENTRIES)]


class Imported(NamedTuple):
    """The number of tables in a file, and of those that were in the store already."""

    tables: int
    known: int


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(ExportedTable)
_entry = msgspec.json.Decoder(AnyEntry)


async def exported_lines(store: Store, tables: Sequence[str] = ()) -> AsyncIterator[bytes]:
    """A line for each of these tables, by default for all. Addresses of notices are left out: they are of people."""
    for table in tables or [each for each in await store.tables() if not each.startswith(NOTICES)]:
        log = await store.read(table)
        if not log:
            raise CannotTransfer(f"there is no table {in_brief(ValueError(table))}")
        yield _encoder.encode(ExportedTable(table, [msgspec.Raw(entry) for entry in log])) + b"\n"


async def import_file(store: Store, file: IO[bytes]) -> Imported:
    """Import the tables of a file of any size."""
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
    """Import tables. If a table is in the store already, entries that are missing there are appended."""
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
    if evenings.is_evening_key(line.table):
        return _check_evening(line)
    if not is_table_id(line.table):
        raise InvalidLog("its name is not that of a table")
    table = Table(line.table)
    for number, raw in enumerate(line.log, 1):
        try:
            entry = _entry.decode(raw)
            _check_entry(table, entry)
            table.apply(entry)
        except InvalidLog as error:
            raise InvalidLog(f"entry {number} does not fit: {error}") from None
        except (ValueError, RecursionError) as error:
            raise InvalidLog(f"entry {number}: {in_brief(error)}") from None
    return table.phase in (Phase.OVER, Phase.CLOSED)


def _check_evening(line: ExportedTable) -> bool:
    """An evening's log, which needs no automation."""
    evening = evenings.Evening(line.table.removeprefix(evenings.KEY))
    for number, raw in enumerate(line.log, 1):
        try:
            evening.apply(evenings.decode(raw))
        except (ValueError, RecursionError) as error:
            raise InvalidLog(f"entry {number}: {in_brief(error)}") from None
    return True


def _check_entry(table: Table, entry: AnyEntry) -> None:
    """Raises InvalidLog for an entry that no command would write here, although `Table.apply` takes it."""
    match entry:
        case entries.Opened() | entries.Arranged() if entry.terms.clock not in CLOCKS_S:
            raise InvalidLog("there is no such clock")
        case entries.SatDown():
            _check_sitter(table, entry)
        case entries.Dealt() if all(sitter.is_bot for sitter in table.sitters):
            raise InvalidLog("this cannot be dealt: nobody but bots sits here")
        case entries.WentAway() | entries.CameBack() if table.phase is not Phase.PLAYING:
            raise InvalidLog(f"the table is {table.phase}, not playing")
        case entries.WentAway() | entries.CameBack() if table.sitter(entry.seat).is_bot:
            raise InvalidLog(f"a bot sits in seat {entry.seat}")
        case entries.Promised():
            _check_promise(table, entry)
        case entries.SentAway() | entries.Locked() if table.phase is Phase.CLOSED:
            raise InvalidLog("the table is closed")
        case entries.PlayedAgain() if table.phase is not Phase.OVER or table.rematch is not None:
            raise InvalidLog("it can have no rematch")
        case entries.PlayedAgain():
            table.sitter(entry.seat)  # or it is invalid
        case entries.Closed() if table.phase is Phase.CLOSED:
            raise InvalidLog("the table is closed")


def _check_sitter(table: Table, entry: entries.SatDown) -> None:
    _check_name(entry.name)
    if (entry.level is None) == (entry.token_hash is None):
        raise InvalidLog("a person has the hash of a token, a bot has a level")
    if entry.level is not None and entry.level not in LEVEL_NAMES:
        raise InvalidLog("there is no such level")
    if entry.token_hash is not None and table.seat_of(entry.token_hash) is not None:
        raise InvalidLog("its token holds another seat")
    is_promised = entry.token_hash is not None and table.promise_of(entry.token_hash) is not None
    if table.phase is Phase.WAITING and not is_promised and table.chairs.count(None) <= len(table.promised):
        raise InvalidLog("all chairs that are free were promised")
    if table.phase is Phase.PLAYING and not table.may_be_taken(entry.seat, has_promise=is_promised):
        raise InvalidLog("it was promised to others")


def _check_promise(table: Table, entry: entries.Promised) -> None:
    _check_name(entry.name)
    if table.phase is Phase.CLOSED or not table.has_room:
        raise InvalidLog("nobody can be promised a seat")
    if table.phase is Phase.WAITING and table.chairs.count(None) <= len(table.promised):
        raise InvalidLog("no chair is free")
    if table.seat_of(entry.token_hash) is not None or table.promise_of(entry.token_hash) is not None:
        raise InvalidLog("its token holds another seat")


def _check_name(name: str) -> None:
    if not is_possible_name(name):
        raise InvalidLog(f"nobody can be called that: a name has 1 to {MAX_CHARACTERS} visible characters")

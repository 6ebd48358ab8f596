"""Tables and finished games as files: `illusion export`, `import`, `verify` and `replay`."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import IO, TypeVar

from illusion.cli.arguments import DATABASE
from illusion.cli.serve import announce
from illusion.deck.deck_files import finished_or_removed
from illusion.tables import Store, default_database, exclusive_use, store_at
from illusion.tables.model.entries import encode
from illusion.tables.public.record import MAX_RECORD_BYTES, InvalidRecord, Record, entries, find_mismatch, read_record
from illusion.tables.transfer import Imported, exported_lines, import_file

Result = TypeVar("Result")


def add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.add_argument("--table", action="append", default=[], metavar="ID", help="only this table; may be repeated")
    parser.add_argument("file", metavar="FILE", help="the file to write; - is standard output")
    parser.set_defaults(run=_export)


def add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.add_argument("file", metavar="FILE", help="the file to read; - is standard input")
    parser.set_defaults(run=_import)


def _export(chosen: argparse.Namespace) -> None:
    """Written atomically, and readable by its owner alone: it holds the secrets of running games."""

    async def export(store: Store, file: IO[bytes]) -> None:
        async for line in exported_lines(store, chosen.table):
            file.write(line)

    if chosen.file == "-":
        asyncio.run(with_store(chosen.database, lambda store: export(store, sys.stdout.buffer)))
        return
    with finished_or_removed(Path(chosen.file)) as unfinished:
        unfinished.touch(0o600)
        with unfinished.open("wb") as file:
            asyncio.run(with_store(chosen.database, lambda store: export(store, file)))


def _import(chosen: argparse.Namespace) -> None:
    database = chosen.database or default_database()
    try:
        with (
            sys.stdin.buffer if chosen.file == "-" else open(chosen.file, "rb") as file,
            exclusive_use(database, upgrades=False),
        ):
            moved: Imported = asyncio.run(with_store(database, lambda store: import_file(store, file)))
    except OSError as error:
        raise SystemExit(f"illusion: {chosen.file} cannot be read: {error.strerror}") from None
    print(f"Taken in: {moved.tables - moved.known} tables; {moved.known} were there already.")


async def with_store(database: Path | str | None, work: Callable[[Store], Awaitable[Result]]) -> Result:
    store = store_at(database or default_database())
    await store.open()
    try:
        return await work(store)
    finally:
        await store.close()


def add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="TABLE.json", help="from the table's page or /api/tables/ID/record")
    parser.set_defaults(run=_verify)


def add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="GAME.json", help="saved after a game, with “Save this game”")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.set_defaults(run=_replay)


def _verify(chosen: argparse.Namespace) -> None:
    record = _verified(chosen.file)
    print(f"As promised: the commitment fits, and all cards of table {record.table} came in the order it fixed.")


def _replay(chosen: argparse.Namespace) -> None:
    """Replays the game at a table in a temporary database."""
    record = _verified(chosen.file)
    from illusion.web import serve  # noqa: PLC0415  (a server is slow to load)

    with tempfile.TemporaryDirectory(prefix="illusion-replay-") as folder:
        database = Path(folder, "tables.db")
        log = [encode(entry) for entry in entries(record)]
        asyncio.run(with_store(database, lambda store: store.append(record.table, 1, log, ended=True)))
        page = f"table/{record.table}/replay"
        serve(database, ready=partial(announce, page=page, open_browser=not chosen.no_browser))


def _verified(path: Path) -> Record:
    """The record in a file; ends with a sentence if it is invalid or not as promised."""
    try:
        with path.open("rb") as file:
            record = read_record(file.read(MAX_RECORD_BYTES + 1))
    except OSError as error:
        raise SystemExit(f"illusion: {path} cannot be read: {error.strerror}") from None
    except InvalidRecord as refusal:
        raise SystemExit(f"illusion: {path} is not the record of a game: {refusal}") from None
    doubts = find_mismatch(record)
    if doubts is not None:
        raise SystemExit(f"illusion: not as promised: {doubts}")
    return record

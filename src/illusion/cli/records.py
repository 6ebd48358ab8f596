"""`illusion verify` and `illusion replay`: what can be done with the record of a finished game."""

import argparse
import asyncio
import tempfile
from pathlib import Path

from illusion.cli.transfer import with_store
from illusion.tables.model.entries import encode
from illusion.tables.public.record import MAX_RECORD_BYTES, InvalidRecord, Record, entries, find_mismatch, read_record


def add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="TABLE.json", help="from the table's page, or /api/tables/ID/record")
    parser.set_defaults(run=_verify)


def add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="GAME.json", help="saved after a game, with “Save this game”")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.set_defaults(run=_replay)


def _verify(chosen: argparse.Namespace) -> None:
    record = _verified(chosen.file)
    print(f"As promised: the commitment fits, and all cards of table {record.table} came in the order it fixed.")


def _replay(chosen: argparse.Namespace) -> None:
    """The game gets a table of its own, in a database that is gone afterwards."""
    record = _verified(chosen.file)
    from illusion.web import CannotListen, serve  # noqa: PLC0415  (a server is slow to load)

    with tempfile.TemporaryDirectory(prefix="illusion-replay-") as folder:
        database = Path(folder, "tables.db")
        log = [encode(entry) for entry in entries(record)]
        asyncio.run(with_store(database, lambda store: store.append(record.table, 1, log, ended=True)))
        try:
            serve(database=database, open_browser=not chosen.no_browser, page=f"table/{record.table}/replay")
        except CannotListen as refusal:
            raise SystemExit(f"illusion: {refusal}") from None


def _verified(path: Path) -> Record:
    """The record in a file; ends with one sentence if it is none, or not as promised."""
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

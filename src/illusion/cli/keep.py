"""Maintenance of a database: `illusion backup`, `restore` and `check`."""

import argparse
import asyncio
import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from illusion import __version__
from illusion.cli.arguments import DATABASE
from illusion.deck.deck_files import CannotWrite, finished_or_removed
from illusion.tables import CannotOpen, default_database, exclusive_use, is_shared
from illusion.tables.stores.layout import LAYOUT, Outlook, connected, copy, free_name, megabytes, outlook
from illusion.tables.stores.sqlite import file_at

BESIDE = ("", "-wal", "-shm")
"""The files of one database, as a killed server leaves them."""


def add_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write, which must not exist")
    parser.set_defaults(run=_backup)


def add_restore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.add_argument("file", type=Path, metavar="FILE", help="a file written by illusion backup")
    parser.set_defaults(run=_restore)


def add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", metavar="DB", help=DATABASE)
    parser.set_defaults(run=_check)


def _backup(chosen: argparse.Namespace) -> None:
    """Works while people play. The file is written atomically and readable by its owner alone."""
    path = _file(chosen.database, "pg_dump --format=custom --file FILE DATABASE")
    if not os.path.exists(path):
        raise CannotOpen(f"there is none at {path}")
    if os.path.lexists(chosen.file):
        raise CannotWrite(f"{chosen.file} is there already; choose another name")
    with finished_or_removed(chosen.file) as unfinished:
        copy(path, str(unfinished))
        saved = outlook(str(unfinished))
    print(f"Saved: {_told(saved)}, in {chosen.file}")


def _restore(chosen: argparse.Namespace) -> None:
    """An existing database is kept under another name. Refuses one that a server uses."""
    path = _file(chosen.database, "pg_restore --clean --if-exists --dbname DATABASE FILE")
    if not chosen.file.exists():
        raise CannotOpen(f"there is no file {chosen.file}")
    source = file_at(chosen.file)
    if source == path:
        raise CannotOpen(f"{chosen.file} is the database itself")
    if not outlook(source).version:
        raise CannotOpen(f"{chosen.file} holds no tables of Illusion")
    with exclusive_use(path, upgrades=False):
        try:
            workplace = Path(tempfile.mkdtemp(prefix=".illusion-", dir=os.path.dirname(path)))
        except OSError as error:
            raise CannotWrite(f"nothing can be written beside {path}: {error.strerror}") from None
        try:
            copied = workplace / "tables.db"
            copy(source, str(copied), is_live=False)
            kept = _put_aside(path)
            os.replace(copied, path)
        finally:
            for left in workplace.iterdir():
                left.unlink()
            workplace.rmdir()
    print(f"Restored: {_told(outlook(path))}, in {path}")
    if kept:
        print(f"What was there before is {kept}")


def _put_aside(path: str) -> str | None:
    """Rename an unused database, with the time in its new name; returns that name, or None if there is no database."""
    if not os.path.exists(path):
        return None
    with closing(connected(path, "mode=rw")) as line, suppress(sqlite3.Error):
        line.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # its newest moves become part of it
    kept = free_name(f"{path}-before-{datetime.now(UTC):%Y-%m-%d-%H%M}")
    for ending in BESIDE:
        if os.path.lexists(path + ending):
            os.rename(path + ending, kept + ending)
    return kept


def _check(chosen: argparse.Namespace) -> None:
    """Prints what this version would do to a database, changing nothing. Exits with 1 if it could not use it."""
    database = chosen.database or default_database()
    if is_shared(database):
        from illusion.tables.stores.postgres import schema_of  # noqa: PLC0415  (an extra)

        print(
            f"{_own()} PostgreSQL: schema {asyncio.run(schema_of(str(database))) or 'none yet'}. Nothing would change."
        )
        return
    path = file_at(database)
    found = outlook(path)
    if not found.version:
        print(f"{_own()} {path}: nothing there yet. It would be made.")
        return
    print(f"{_own()} {path}: schema {found.version}, {_told(found)}.")
    if not found.steps:
        print("Nothing would change.")
        return
    print(
        f"It would first be copied beside itself, and then changed to schema {found.steps[-1]}. "
        f"That needs {megabytes(found.needed)}; {megabytes(found.free)} are free."
    )
    if found.free < found.needed:
        raise CannotOpen("there is not enough room; it would be refused, and left as it is")


def _own() -> str:
    return f"Illusion {__version__} uses schema {LAYOUT.version}."


def _told(found: Outlook) -> str:
    return f"{found.tables:,} table{'' if found.tables == 1 else 's'}, {megabytes(found.size)}"


def _file(database: str | None, instead: str) -> str:
    chosen = database or default_database()
    if is_shared(chosen):
        raise CannotOpen(f"PostgreSQL keeps copies itself: {instead} (docs/operating.md)")
    return file_at(chosen)

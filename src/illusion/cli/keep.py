"""Maintenance of a database: `illusion backup`, `restore` and `check`."""

import argparse
import asyncio
import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from illusion import __version__
from illusion.cli.arguments import DATABASE
from illusion.deck.deck_files import CannotWrite, finished_or_removed
from illusion.tables import CannotOpen, default_database, exclusive_use, is_shared
from illusion.tables.stores import for_postgres
from illusion.tables.stores.layout import LAYOUT, Layout, Outlook, connected, copy, free_name, megabytes, outlook
from illusion.tables.stores.sqlite import file_at

if TYPE_CHECKING:
    from illusion.tables.stores.postgres_layout import SharedOutlook  # it needs an extra

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
    database = chosen.database or default_database()
    path = None if is_shared(database) else file_at(database)
    if path and not os.path.exists(path):
        raise CannotOpen(f"there is none at {path}")
    if os.path.lexists(chosen.file):
        raise CannotWrite(f"{chosen.file} is there already; choose another name")
    with finished_or_removed(chosen.file.absolute()) as unfinished:
        if path:
            copy(path, str(unfinished))
        else:
            asyncio.run(for_postgres().backup(str(database), str(unfinished)))
        saved = outlook(str(unfinished))
    print(f"Saved: {_told(saved)}, in {chosen.file}")


def _restore(chosen: argparse.Namespace) -> None:
    """What is in the database is kept under another name. Refuses one that a server uses."""
    database = chosen.database or default_database()
    path = None if is_shared(database) else file_at(database)
    if not chosen.file.exists():
        raise CannotOpen(f"there is no file {chosen.file}")
    source = file_at(chosen.file)
    if source == path:
        raise CannotOpen(f"{chosen.file} is the database itself")
    given = outlook(source)
    if not given.version:
        raise CannotOpen(f"{chosen.file} holds no tables of Illusion")
    if path:
        kept = _restore_file(source, path)
    elif given.steps:
        raise CannotOpen(f"{chosen.file} was saved by an older Illusion: restore it with that one, then start this one")
    else:
        kept = _restore_shared(source, str(database))
    print(f"Restored: {_told(given)}, in {path or 'PostgreSQL'}")
    if kept:
        print(f"What was there before is {kept}")


def _restore_file(source: str, path: str) -> str | None:
    """Returns where the former database is, if there was one."""
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
    return kept


def _restore_shared(source: str, url: str) -> str | None:
    with tempfile.TemporaryDirectory(prefix="illusion-") as folder:
        copied = str(Path(folder, "tables.db"))
        copy(source, copied, is_live=False)
        kept = asyncio.run(for_postgres().restore(url, copied))
    return kept and f"in its schema {kept}"


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
        there = for_postgres()
        shared = asyncio.run(there.outlook(str(database)))
        copied = f"into its schema before_schema_{there.LAYOUT.version}"
        room = f"{megabytes(2 * shared.size)} where PostgreSQL keeps its files"
        _print_outlook("PostgreSQL", there.LAYOUT, shared, copied, room)
        return
    path = file_at(database)
    found = outlook(path)
    _print_outlook(path, LAYOUT, found, "beside itself", f"{megabytes(found.needed)}; {megabytes(found.free)} are free")
    if found.steps and found.free < found.needed:
        raise CannotOpen("there is not enough room; it would be refused, and left as it is")


def _print_outlook(name: str, layout: Layout, found: "Outlook | SharedOutlook", copied: str, room: str) -> None:
    """`copied` says where the copy goes, `room` what it and the change need."""
    own = f"Illusion {__version__} uses schema {layout.version}. {name}:"
    if not found.version:
        print(f"{own} nothing there yet. It would be made.")
        return
    print(f"{own} schema {found.version}, {_told(found)}.")
    if not found.steps:
        print("Nothing would change.")
        return
    print(f"It would first be copied {copied}, and then changed to schema {found.steps[-1]}. That needs {room}.")


def _told(found: "Outlook | SharedOutlook") -> str:
    return f"{found.tables:,} table{'' if found.tables == 1 else 's'}, {megabytes(found.size)}"

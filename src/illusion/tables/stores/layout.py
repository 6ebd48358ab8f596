"""The schema of the SQLite file, and its migrations: check, copy, upgrade.

A later version adds its migration to `Layout.upgrades`. A database is copied before it is changed.
"""

import logging
import os
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple

from illusion.tables.stores import CannotOpen

VERSION: Final = 3
SCHEMA: Final = f"""
    CREATE TABLE log (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        entry BLOB NOT NULL,
        unfinished INTEGER, -- 1 in the first row of a table that has not ended
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID;
    CREATE INDEX unfinished ON log (table_id) WHERE unfinished;
    PRAGMA user_version = {VERSION};
"""


class Layout(NamedTuple):
    """A schema and its migrations."""

    version: int
    """SQLite's `user_version`."""
    schema: str
    """SQL that creates a new database."""
    upgrades: Mapping[int, str]
    """By version: SQL that upgrades to it from the version before."""

    def steps_from(self, version: int) -> Sequence[int]:
        """The upgrades from a version to this one, in order. Raises CannotOpen."""
        if version > self.version:
            raise CannotOpen(f"it was made by a newer Illusion (schema {version}; this one knows {self.version})")
        steps = range(version + 1, self.version + 1)
        if not self.upgrades.keys() >= set(steps):
            raise CannotOpen("its layout is not one that this Illusion knows")
        return steps


LAYOUT: Final = Layout(VERSION, SCHEMA, {})
COLUMNS: Final = 4
"""Of the table `log`."""
INSERT: Final = "INSERT INTO log VALUES (?, ?, ?, ?)"
LOG: Final = logging.getLogger("illusion")


def connected(path: str, options: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{Path(path).as_uri()}?{options}", uri=True, isolation_level=None)


class Outlook(NamedTuple):
    """What opening a database with this version of the program would do."""

    version: int
    """The version of its schema; 0 for an empty database."""
    steps: Sequence[int]
    """The versions that it would be upgraded to, in order."""
    tables: int
    size: int
    """Bytes for a copy."""
    free: int
    """Free bytes on the disk."""

    @property
    def needed(self) -> int:
        """Bytes needed for the copy and the -wal file."""
        return 2 * self.size if self.steps else 0


def outlook(path: str) -> Outlook:
    """Checks a database without changing anything. Raises CannotOpen for a schema that this version cannot use."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return Outlook(0, (), 0, 0, 0)
    try:
        with closing(connected(path, "mode=ro" if os.path.exists(f"{path}-wal") else "mode=ro&immutable=1")) as looking:
            version, pages, page = (
                looking.execute(f"PRAGMA {what}").fetchone()[0] for what in ("user_version", "page_count", "page_size")
            )
            steps = _steps(version, looking)
            (tables,) = (
                looking.execute("SELECT count(*) FROM log WHERE seq = 1 AND table_id NOT LIKE '%-%'").fetchone()
                if version
                else (0,)
            )
    except sqlite3.Error as error:
        raise CannotOpen(f"{path} is not a database that can be read: {error}") from None
    return Outlook(version, steps, tables, pages * page, shutil.disk_usage(os.path.dirname(path)).free)


def _steps(version: int, connection: sqlite3.Connection) -> Sequence[int]:
    """The steps to the current version; none for a database that is still empty."""
    if not version and connection.execute("SELECT count(*) = 0 FROM sqlite_master").fetchone()[0]:
        return ()
    steps = LAYOUT.steps_from(version)
    programs = "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger')"
    columns = "SELECT count(*) FROM pragma_table_info('log') WHERE name IN ('table_id', 'seq', 'entry', 'unfinished')"
    found = [connection.execute(each).fetchone()[0] for each in (programs, columns)]
    if found != [0, COLUMNS]:  # a view could be endless, and a trigger change the log
        raise CannotOpen("its layout is not one that this Illusion knows")
    return steps


def copy(source: str, target: str, *, is_live: bool = True) -> None:
    """Copy a database into a new private file, consistently while others write (SQLite's online backup).

    Raises CannotOpen if it is damaged.
    """
    _new_file(target)
    options = "mode=rw" if is_live else "mode=ro" if os.path.exists(f"{source}-wal") else "mode=ro&immutable=1"
    try:
        with closing(connected(source, options)) as there, closing(connected(target, "mode=rw")) as here:
            there.backup(here)
            here.execute("PRAGMA journal_mode = DELETE")  # so that the copy is one file
        check_pages(target, of=source)
    except sqlite3.Error as error:
        raise CannotOpen(f"{source} cannot be copied: {error}") from None


def check_pages(path: str, of: str = "") -> None:
    """Reads all of a database. Raises CannotOpen, with the name of what it was copied from, if it is damaged."""
    with closing(connected(path, "mode=ro")) as reading:
        (found,) = reading.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise CannotOpen(f"{of or path} is damaged: {' '.join(found.split())}")


def _new_file(path: str) -> None:
    """An empty file that only its owner may read."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def upgrade(path: str) -> None:
    """Upgrade a database to the current schema in one transaction, after copying it. The caller must have its lock."""
    found = outlook(path)
    if not found.steps:
        return
    aside = free_name(f"{path}-before-schema-{found.steps[-1]}")
    if found.free < found.needed:
        raise CannotOpen(
            "its layout is of an older Illusion, and there is no room for a copy: "
            f"{megabytes(found.needed)} are needed, {megabytes(found.free)} free. Nothing was changed"
        )
    unfinished = free_name(f"{aside}-unfinished")
    try:
        copy(path, unfinished)
        os.replace(unfinished, aside)
    except OSError as error:
        raise CannotOpen(f"it cannot be copied to {aside}: {error.strerror}. Nothing was changed") from None
    finally:
        with suppress(FileNotFoundError):
            os.remove(unfinished)
    try:
        with closing(connected(path, "mode=rw")) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            for step in found.steps:
                for statement in LAYOUT.upgrades[step].split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {step}")
    except sqlite3.Error as error:
        raise CannotOpen(f"it could not be brought to schema {found.steps[-1]}, and is as it was: {error}") from None
    LOG.warning("database-upgraded")


def free_name(name: str) -> str:
    """The name, with a number appended if it is taken."""
    names = (name, *(f"{name}-{number}" for number in range(2, 1000)))
    return next(each for each in names if not os.path.lexists(each))


def megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"


def make_new(path: str) -> None:
    """An empty database in a new private file."""
    _new_file(path)
    make(path)


def make(path: str) -> None:
    """Create the schema in an empty file. Raises CannotOpen for another schema."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection, connection:
        connection.execute("BEGIN IMMEDIATE")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if _steps(version, connection):
            raise CannotOpen("its layout is of an older Illusion: start this one, which copies it and then changes it")
        if version:
            return
        for statement in LAYOUT.schema.split(";"):
            connection.execute(statement)

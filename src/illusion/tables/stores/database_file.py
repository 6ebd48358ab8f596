"""Which file may be our database: looked at before anything is touched, so that a mistyped path harms nothing."""

import os
import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from illusion.tables.stores.store import CannotOpen

OURS: Final = "SELECT count(*) = 0 OR max(name = 'log' AND sql LIKE '%table_id%seq%entry%') FROM sqlite_master"
"""Whether a database is still empty, or has our log."""


def file_at(database: Path | str) -> str:
    """The real path of a database of ours, or of one to be made. Raises CannotOpen before anything is touched.

    A folder, a device or somebody else's file must not get the mode of a private file, nor files beside it. A second
    name (a hard link) would let a second server in: locks and -wal files go by name.
    """
    path = os.path.realpath(database)  # a file even if it is called :memory:, and the one that a link leads to
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return path
    except OSError as error:
        raise CannotOpen(f"{database} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(found.st_mode):
        raise CannotOpen(f"{database} is not a file")
    if found.st_nlink > 1:
        raise CannotOpen(f"{database} has a second name (a hard link), under which another Illusion could use it")
    if found.st_size > 0 and not _is_ours(path, database):
        raise CannotOpen(f"{database} is a database of another program")
    return path


def identity(path: str) -> tuple[int, int] | None:
    """Tells a file from another one that took its place; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def make_private(path: str) -> None:
    """Let only the owner read and write a file, new or not. SQLite gives its -wal and -shm files the same mode.

    A path that cannot be created is reported by SQLite, which tries it next. Nothing but plain files of our own user
    is touched: somebody else may have put a link where SQLite would make a file.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):
            found = os.lstat(path + suffix)
            is_ours = stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_uid == _user()
            if is_ours and stat.S_IMODE(found.st_mode) & ~0o700:
                os.chmod(path + suffix, 0o600)


def _is_ours(path: str, database: Path | str) -> bool:
    """SQLite looks itself: closing a file that it has open in this process would take its locks away.

    Read-only, and immutable where nobody has written beside the file, it makes no -wal and -shm files either.
    """
    options = "mode=ro" if os.path.exists(f"{path}-wal") else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{Path(path).as_uri()}?{options}", uri=True)) as connection:
            return bool(connection.execute(OURS).fetchone()[0])
    except sqlite3.Error as error:
        raise CannotOpen(f"{database} is not a database that can be read: {error}") from None


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0  # Windows says 0 of every file

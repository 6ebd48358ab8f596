"""The file of a database: which one may be ours, that its owner alone can read it, and one process alone serves it.

It is looked at before anything is touched, so that a mistyped path harms nothing.
"""

import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from illusion.tables.stores.store import CannotOpen

OURS: Final = "SELECT count(*) = 0 OR max(name = 'log' AND sql LIKE '%table_id%seq%entry%') FROM sqlite_master"
"""Whether a database is still empty, or has our log."""
LOCK_SUFFIX: Final = "-lock"
"""A file of its own: on NFS a lock on the database itself would be taken for one of SQLite's."""
MAX_PID_BYTES: Final = 20

if sys.platform == "win32":
    import msvcrt

    LOCKED_BYTE: Final = 1 << 30
    """Far behind the process id, which others must be able to read: here a locked byte cannot be read."""

    def _try_to_lock(file: int) -> bool:
        os.lseek(file, LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_to_lock(file: int) -> bool:
        """A file system that knows no locks (some network ones) does not keep anybody from playing."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True


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


@contextmanager
def exclusive_use(database: Path | str) -> Iterator[None]:
    """Raises CannotOpen while another process is in here with the same file, under whatever name.

    An advisory lock: the system takes it back when that process ends.

    The lock file holds that process's id and stays: if it were removed, two processes could lock two different ones.
    """
    path = file_at(database)
    try:
        file = os.open(path + LOCK_SUFFIX, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise CannotOpen(f"{database} cannot be written: {error.strerror}") from None
    try:
        if not _try_to_lock(file):
            raise CannotOpen(f"another Illusion{_process_in(file)} is using {database}; end that one first")
        os.lseek(file, 0, os.SEEK_SET)
        os.truncate(file, 0)
        os.write(file, b"%d\n" % os.getpid())
        yield
    finally:
        os.close(file)


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


def _process_in(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    said = os.read(file, MAX_PID_BYTES).decode("ascii", "replace").strip()
    return f" (process {said})" if said.isdigit() else ""

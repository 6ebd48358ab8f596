"""At most one process serves a SQLite file: an advisory lock that the system takes back when its process ends.

The lock is on a file of its own beside the database, because on NFS a lock on the database itself would be taken for
one of SQLite's own.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from illusion.tables.stores.database_file import file_at
from illusion.tables.stores.store import CannotOpen

SUFFIX: Final = "-lock"
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


@contextmanager
def exclusive_use(database: Path | str) -> Iterator[None]:
    """Raises CannotOpen while another process is in here with the same file, under whatever name.

    The lock file holds that process's id and stays: if it were removed, two processes could lock two different ones.
    """
    path = file_at(database)
    try:
        file = os.open(path + SUFFIX, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
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


def _process_in(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    said = os.read(file, MAX_PID_BYTES).decode("ascii", "replace").strip()
    return f" (process {said})" if said.isdigit() else ""

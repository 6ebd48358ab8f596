"""Which file may be a database of ours, and that only its owner can read it."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from illusion.tables.stores.store import CannotOpen


def file_at(database: Path | str) -> str:
    """The real path of a database, which is a file or nothing yet. Raises CannotOpen before anything is touched.

    A folder or a device must not get the mode of a private file, nor files beside it: for root, `/` and `/dev/null`
    would let it happen.
    """
    path = os.path.realpath(database)  # a file even if it is called :memory:, and the one that a link leads to
    try:
        is_file = stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return path
    except OSError as error:
        raise CannotOpen(f"{database} cannot be read: {error.strerror}") from None
    if not is_file:
        raise CannotOpen(f"{database} is not a file")
    return path


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


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0  # Windows says 0 of every file

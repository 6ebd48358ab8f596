"""Opens the store that an address names: a path is SQLite, `postgresql://…` is PostgreSQL."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import platformdirs

from illusion.extras import how_to_install
from illusion.tables.stores import database_file
from illusion.tables.stores.sqlite import SqliteStore
from illusion.tables.stores.store import CannotOpen, Store


def default_database() -> Path:
    """A file in the user's data folder, which is for that user alone where we make it. Raises CannotOpen."""
    folder = Path(platformdirs.user_data_dir("illusion", appauthor=False))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise CannotOpen(f"the folder {folder} cannot be made: {error.strerror}") from None
    return folder / "tables.db"


def is_shared(database: Path | str) -> bool:
    """Whether several processes may use it at once."""
    return str(database).startswith(("postgresql://", "postgres://"))


def exclusive_use(database: Path | str) -> AbstractContextManager[None]:
    """For whoever writes to a database that only one process may write to. Raises CannotOpen if another one does."""
    return nullcontext() if is_shared(database) else database_file.exclusive_use(database)


def store_at(database: Path | str) -> Store:
    """The store, still to be opened. Raises CannotOpen."""
    if not is_shared(database):
        return SqliteStore(database)
    try:
        from illusion.tables.stores.postgres import PostgresStore  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError:
        raise CannotOpen(f"PostgreSQL needs the extra 'postgres': run {how_to_install('postgres')}") from None
    return PostgresStore(str(database))

"""Opens the store that an address names: a path is SQLite, `postgresql://…` is PostgreSQL."""

from pathlib import Path

import platformdirs

from illusion.tables.stores.base import CannotOpen, Store
from illusion.tables.stores.sqlite.store import SqliteStore


def default_database() -> Path:
    """A file in the user's data folder."""
    folder = Path(platformdirs.user_data_dir("illusion", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "tables.db"


def is_shared(database: Path | str) -> bool:
    """Whether several processes may use it at once."""
    return str(database).startswith(("postgresql://", "postgres://"))


def store_at(database: Path | str) -> Store:
    """The store, still to be opened. Raises CannotOpen."""
    if not is_shared(database):
        return SqliteStore(database)
    try:
        from illusion.tables.stores.postgres.store import PostgresStore  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError:
        raise CannotOpen(
            "PostgreSQL needs the extra 'postgres': "
            "run pip install --require-hashes -r locks/postgres.lock in Illusion's source folder"
        ) from None
    return PostgresStore(str(database))

"""Which store an address means: a file is SQLite, `postgresql://…` is PostgreSQL."""

from pathlib import Path

from illusion.tables.sqlite import SqliteStore
from illusion.tables.store import CannotOpen, Store


def is_shared(database: Path | str) -> bool:
    """Whether several processes may use it at once."""
    return str(database).startswith(("postgresql://", "postgres://"))


def store_at(database: Path | str) -> Store:
    """The store, still to be opened. Raises CannotOpen."""
    if not is_shared(database):
        return SqliteStore(database)
    try:
        from illusion.tables.postgres import PostgresStore  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError:
        raise CannotOpen("PostgreSQL needs an extra: pip install 'illusion[postgres]'") from None
    return PostgresStore(str(database))

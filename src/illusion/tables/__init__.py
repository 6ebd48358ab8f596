"""Tables people sit at: seats, clocks, the append-only log, stores, and who is told what."""

from illusion.tables.driver import Driver, Pace
from illusion.tables.errors import Code, Refused
from illusion.tables.following import Following
from illusion.tables.hall import Hall
from illusion.tables.public import PublicView, address, public_view
from illusion.tables.reactions import Reaction
from illusion.tables.sqlite import SqliteStore
from illusion.tables.store import CannotOpen, Stale, Store, StoreFailed
from illusion.tables.stores import default_database, is_shared, store_at
from illusion.tables.table import Phase, Table

__all__ = [
    "CannotOpen",
    "Code",
    "Driver",
    "Following",
    "Hall",
    "Pace",
    "Phase",
    "PublicView",
    "Reaction",
    "Refused",
    "SqliteStore",
    "Stale",
    "Store",
    "StoreFailed",
    "Table",
    "address",
    "default_database",
    "is_shared",
    "public_view",
    "store_at",
]

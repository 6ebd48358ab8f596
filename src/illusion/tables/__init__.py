"""Tables people sit at: seats, clocks, the append-only log, its stores, and what clients may know."""

from illusion.tables.automation import Automation
from illusion.tables.model.commands import RefusalCode, Refused
from illusion.tables.model.table import Phase, Table
from illusion.tables.pace import Pace
from illusion.tables.public.view import PublicView, public_view
from illusion.tables.service import Reaction, ServiceObserver, TableService
from illusion.tables.stores import (
    CannotOpen,
    InUse,
    Stale,
    Store,
    StoreFailed,
    StoreObserver,
    default_database,
    exclusive_use,
    is_shared,
    store_at,
)
from illusion.tables.stores.sqlite import SqliteStore

__all__ = [
    "Automation",
    "CannotOpen",
    "InUse",
    "Pace",
    "Phase",
    "PublicView",
    "Reaction",
    "RefusalCode",
    "Refused",
    "ServiceObserver",
    "SqliteStore",
    "Stale",
    "Store",
    "StoreFailed",
    "StoreObserver",
    "Table",
    "TableService",
    "default_database",
    "exclusive_use",
    "is_shared",
    "public_view",
    "store_at",
]

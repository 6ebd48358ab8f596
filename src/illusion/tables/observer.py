"""Who is told what happens at tables: bots and clocks, metrics, limits."""

from collections.abc import Sequence

from illusion.tables.model.entries import AnyEntry


class ServiceObserver:
    """Given to a `TableService` when it is made; overrides what it wants to know. It must not block."""

    def loaded(self, table: str) -> None:
        """A table was loaded."""

    def changed(self, table: str) -> None:
        """This server has stored something there, and readers have been told."""

    def changed_elsewhere(self, table: str) -> None:
        """Another server has."""

    def row_read(self, table: str) -> None:
        """All pages have been through with a row that was turned over, or are gone."""

    def ended(self, table: str) -> None:
        """Its game is over, or it was closed."""

    def stored(self, entries: Sequence[AnyEntry], seconds: float | None) -> None:
        """Entries became durable within so many seconds; None if the store failed."""

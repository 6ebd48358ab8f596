"""Who is told what happens at tables: bots and clocks, metrics, limits."""

from collections.abc import Sequence

from illusion.tables.model.entries import AnyEntry


class ServiceObserver:
    """Given to a `TableService` when it is made; overrides what it wants to know. It must not block."""

    def loaded(self, table: str) -> None:
        """A table is new in memory."""

    def changed(self, table: str) -> None:
        """Something was stored there, and readers have been told."""

    def row_read(self, table: str) -> None:
        """All pages have been through with a row that was turned over, or are gone."""

    def ended(self, table: str) -> None:
        """Its game is over, or it was closed."""

    def used_elsewhere(self, table: str, writer: str) -> None:
        """The process of that name has stored something there, and nobody uses the table here."""

    def stored(self, entries: Sequence[AnyEntry], seconds: float | None) -> None:
        """Entries became durable within so many seconds; None if the store failed."""

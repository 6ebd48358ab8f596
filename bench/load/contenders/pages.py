"""Our own server by the transport of its pages, pictures aside: four pages a table that fetch none."""

from collections.abc import Callable

from bench.load.contenders.contender import Contender
from bench.load.evening.pages_table import PagesTable
from bench.load.page import Events, Page
from bench.load.table import PLAYERS, Table


class _Blind:
    """Hears of moves alone; nothing may go wrong."""

    def __init__(self, delivered: Callable[[Table], object]) -> None:
        self._delivered = delivered

    def delivered(self, table: Table) -> None:
        self._delivered(table)

    def complete(self, due: float) -> None:
        """Pictures that come unasked are not measured."""

    def trouble(self, what: str) -> None:
        raise AssertionError(what)


class Pages(Contender):
    def table(self, seed: int, delivered: Callable[[Table], object]) -> Table:
        return PagesTable(self._pages, seed, _Blind(delivered))

    def _pages(self, table: Events) -> list[Page]:
        return [Page(self.port, "en", table, looks=False) for _ in range(PLAYERS)]

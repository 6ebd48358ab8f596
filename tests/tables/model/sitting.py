"""A table and its log, without a store, for the tests of this folder."""

import pytest

from illusion.rules import Doubt, Place
from illusion.tables import Refused, Table
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry

NOW = 1000.0


class Sitting:
    """A table and its log, without a store."""

    def __init__(self, **options: object) -> None:
        self.table = Table("abcdefgh")
        self.log: list[AnyEntry] = []
        self.take(commands.open_table(NOW, "host", "Ana", **{"seats": 4, **options}))  # type: ignore[arg-type]

    def take(self, entries: list[AnyEntry]) -> None:
        for entry in entries:
            self.table.apply(entry)
            self.log.append(entry)

    def sit(self, token: str, name: str) -> None:
        self.take(commands.sit(self.table, NOW, token, name))

    def start(self) -> None:
        self.take(commands.start(self.table, NOW, 0))

    def move(self, move: Place | Doubt) -> None:
        assert self.table.game is not None
        assert self.table.game.to_play is not None
        self.take(commands.move(self.table, NOW, self.table.game.to_play, move, self.table.seq))


def rebuilt(id: str, log: list[AnyEntry]) -> Table:
    """The table that this log tells of."""
    table = Table(id)
    for entry in log:
        table.apply(entry)
    return table


def refused(code: str) -> "pytest.RaisesExc[Refused]":
    return pytest.raises(Refused, check=lambda refusal: refusal.code == code)

"""The record of a finished game, as a player can keep it."""

from illusion.deck import PICTURES_VERSION
from illusion.rules import Variant
from illusion.tables import Phase, Table
from illusion.tables.model.entries import Dealt, Doubted, Opened, Placed, SatDown
from illusion.tables.public.record import Record, record

NAMES = ("Ana", "Bob", "Iris")


def finished_record() -> Record:
    """Of the same game every time: three people, who place in the middle and doubt rows of five."""
    table = Table("abcdefgh")
    table.apply(Opened(0, len(NAMES), Variant.FIRST_TO_THREE, None))
    for seat, name in enumerate(NAMES):
        table.apply(SatDown(0, seat, name))
    table.apply(Dealt(0, "5a" * 32, "11" * 16, PICTURES_VERSION))
    while table.phase is Phase.PLAYING:
        game, seat = table.running()
        table.apply(Doubted(0, seat) if len(game.row) > 4 else Placed(0, seat, len(game.row) // 2))
    return record(table)

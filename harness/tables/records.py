"""A fixed whole game: as a log, as a table, and as a record."""

from illusion.deck import PICTURES_VERSION
from illusion.rules import Penalty, Variant
from illusion.tables import Phase, Table
from illusion.tables.model.entries import AnyEntry, Dealt, Doubted, Opened, Placed, SatDown, Terms
from illusion.tables.public.record import Record, record

NAMES = ("Ana", "Iris", "Bob")


def finished_log(variant: Variant = Variant.FIRST_TO_THREE) -> list[AnyEntry]:
    """Two people and a bot place in the middle, and doubt rows of five."""
    table, log = Table("abcdefgh"), list[AnyEntry]()
    people = (SatDown(0, 0, "Ana", "a" * 64), SatDown(0, 1, "Iris", level="keen"), SatDown(0, 2, "Bob", "b" * 64))
    for entry in (
        Opened(0, len(NAMES), Terms(variant, penalty=Penalty.ARROW)),
        *people,
        Dealt(0, "5a" * 32, "11" * 16, PICTURES_VERSION),
    ):
        table.apply(entry)
        log.append(entry)
    while table.phase is Phase.PLAYING:
        game, seat = table.running()
        doubts = len(game.row) > 4 or game.next_card is None
        log.append(Doubted(0, seat) if doubts else Placed(0, seat, len(game.row) // 2))
        table.apply(log[-1])
    return log


def table_of(log: list[AnyEntry]) -> Table:
    """The table of this log."""
    table = Table("abcdefgh")
    for entry in log:
        table.apply(entry)
    return table


def finished_record() -> Record:
    return record(table_of(finished_log()))

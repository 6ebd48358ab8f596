"""The record of a finished game, as a player can keep it."""

import msgspec

from illusion.deck import PICTURES_VERSION
from illusion.rules import Variant
from illusion.tables import Phase, Table
from illusion.tables.model.entries import AnyEntry, Dealt, Doubted, Opened, Placed, SatDown
from illusion.tables.public.events import public_event
from illusion.tables.public.record import Record, record

NAMES = ("Ana", "Bob", "Iris")


def finished_record() -> Record:
    """Of the same game every time: three people, who place in the middle and doubt rows of five."""
    table, events = Table("abcdefgh"), list[bytes]()

    def add(entry: AnyEntry) -> None:
        events.append(msgspec.json.encode(public_event(table, entry, table.apply(entry))))

    add(Opened(0, len(NAMES), Variant.FIRST_TO_THREE, None))
    for seat, name in enumerate(NAMES):
        add(SatDown(0, seat, name))
    add(Dealt(0, "5a" * 32, "11" * 16, PICTURES_VERSION))
    while table.phase is Phase.PLAYING:
        game, seat = table.running()
        add(Doubted(0, seat) if len(game.row) > 4 else Placed(0, seat, len(game.row) // 2))
    return record(table, events)

"""Games by lot, and what everybody may know before and after each placement."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec

from illusion.deck import PICTURES_VERSION
from illusion.rules import Variant, legal
from illusion.tables import Phase, Table, public_view
from illusion.tables.model.entries import Dealt, Doubted, Opened, Placed, SatDown
from illusion.tables.public.events import public_event


class Placement(NamedTuple):
    """The public view before it, its public event, and the view after it, as JSON tells them."""

    before: dict[str, Any]
    event: dict[str, Any]
    after: dict[str, Any]


def placements(variant: Variant, players: int, game: int, doubts: float = 0.2) -> Iterator[Placement]:
    """Those of one whole game. If rows are hardly ever doubted, the deck is used up."""
    by_lot, table = Random(f"{variant} {players} {game}"), Table("abcdefgh")
    table.apply(Opened(0, players, variant, 30))
    for seat in range(players):
        table.apply(SatDown(0, seat, f"Player {seat}"))
    table.apply(Dealt(1, f"{game:064x}", "11" * 16, PICTURES_VERSION))
    while table.phase is Phase.PLAYING:
        running, seat = table.running()
        now, before, gaps = 2.5 + table.seq, _whole(table), legal(running).gaps
        if gaps and (by_lot.random() >= doubts or not legal(running).doubt):
            entry = Placed(now, seat, by_lot.choice(gaps), by_lot.choice(("player", "stand-in")))
            event = _as_json(public_event(table, entry, table.apply(entry)))
            yield Placement(before, event, _whole(table))
        else:
            table.apply(Doubted(now, seat))


def _whole(table: Table) -> dict[str, Any]:
    return _as_json(public_view(table))


def _as_json(told: object) -> dict[str, Any]:
    read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(told))
    return read

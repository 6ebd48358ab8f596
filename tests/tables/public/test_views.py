"""Pages lay what a placement changed over the view before; nothing else of the table may have changed."""

from random import Random
from typing import Any

import msgspec
import pytest

from illusion.rules import Variant, legal
from illusion.tables import Phase, Table, public_view
from illusion.tables.model.entries import Dealt, Doubted, Opened, Placed, SatDown
from illusion.tables.public.view import public_turn

GAMES = 4


def whole(table: Table) -> dict[str, Any]:
    view: dict[str, Any] = msgspec.to_builtins(public_view(table))
    return view


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("variant", Variant)
def test_a_placement_changes_what_it_is_said_to_change_and_nothing_else(variant: Variant, players: int) -> None:
    by_lot, placements = Random(players), 0
    for game in range(GAMES):
        table = Table("abcdefgh")
        table.apply(Opened(0, players, variant, 30))
        for seat in range(players):
            table.apply(SatDown(0, seat, f"Player {seat}"))
        table.apply(Dealt(1, f"{game:064x}", "11" * 16, 2))
        while table.phase is Phase.PLAYING:
            running, seat = table.running()
            now, before, gaps = 2.5 + table.seq, whole(table), legal(running).gaps
            if gaps and (by_lot.random() < 0.8 or not legal(running).doubt):
                table.apply(Placed(now, seat, by_lot.choice(gaps), by_lot.choice(("player", "stand-in"))))
                assert before | msgspec.to_builtins(public_turn(table)) == whole(table)
                placements += 1
            else:
                table.apply(Doubted(now, seat))
    assert placements > 10 * GAMES

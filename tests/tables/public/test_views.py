"""Pages work out what a placement changes from its event; nothing else of the table may have changed."""

import pytest
from harness.sockets.placements import view_after

from illusion.rules import Variant
from tests.tables.public.placements import placements

GAMES = 4


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("variant", Variant)
def test_the_event_of_a_placement_tells_all_that_it_changes(variant: Variant, players: int) -> None:
    count = 0
    for game in range(GAMES):
        for before, event, after in placements(variant, players, game):
            assert view_after(before, {"event": event}) == after
            count += 1
    assert count > 10 * GAMES


def test_so_it_does_when_the_deck_is_used_up() -> None:
    played = list(placements(Variant.FIRST_TO_THREE, 2, 0, doubts=0))
    for before, event, after in played:
        assert view_after(before, {"event": event}) == after
    assert played[-1].after["legal"] == {"gaps": [], "doubt": True}

"""What recorded games do not tell of a table's life: its log has an end, holds no token, and the host may leave."""

import pytest

from illusion.rules import Place
from illusion.tables import Phase
from illusion.tables.model import commands
from tests.tables.model.sitting import NOW, Sitting, rebuilt, refused


@pytest.fixture
def sitting() -> Sitting:
    sitting = Sitting()
    sitting.sit("bob", "Bob")
    sitting.sit("cleo", "Cleo")
    return sitting


def test_the_next_person_hosts_when_the_host_leaves(sitting: Sitting) -> None:
    sitting.take(commands.leave(sitting.table, NOW, 0))
    assert sitting.table.host == 1
    sitting.take(commands.start(sitting.table, NOW, 1))
    assert sitting.table.phase is Phase.PLAYING


def test_coming_and_going_has_an_end_and_moves_have_none(sitting: Sitting) -> None:
    """The log is bounded: who comes and goes for ever is refused in the end, and the game can still be played."""
    sitting.start()
    with refused("table-worn-out"):
        while True:
            sitting.take(commands.leave(sitting.table, NOW, 1))
            sitting.take(commands.come_back(sitting.table, NOW, 1))
    assert len(sitting.log) == commands.MAX_ENTRIES - commands.FOR_HOST
    sitting.take(commands.send_away(sitting.table, NOW, 0, 1))  # the host can still help it
    with refused("table-worn-out"):
        while True:
            sitting.take(commands.lock(sitting.table, NOW, 0, locked=not sitting.table.locked))
    sitting.move(Place(0))
    sitting.take(commands.run_out(sitting.table, NOW))
    assert rebuilt(sitting.table.id, sitting.log).seq == len(sitting.log) > commands.MAX_ENTRIES


def test_sitting_down_and_getting_up_has_an_end() -> None:
    sitting = Sitting()
    with refused("table-worn-out"):
        while True:
            sitting.take(commands.add_bot(sitting.table, NOW, 0, "keen"))
            sitting.take(commands.remove_bot(sitting.table, NOW, 0, 1))


def test_a_name_can_be_changed_until_the_game_begins(sitting: Sitting) -> None:
    sitting.take(commands.rename(sitting.table, NOW, 0, " Zoë "))
    assert [sitter.name for sitter in sitting.table.sitters] == ["Zoë", "Bob", "Cleo"]
    assert sitting.table.host == 0
    assert sitting.table.seat_of(commands.hashed("host")) == 0
    sitting.take(commands.rename(sitting.table, NOW, 0, "Bob"))
    assert len({sitter.name for sitter in sitting.table.sitters}) == 3
    assert commands.rename(sitting.table, NOW, 1, "Bob") == []
    with refused("bad-name"):
        commands.rename(sitting.table, NOW, 1, " ")
    sitting.start()
    with refused("already-started"):
        commands.rename(sitting.table, NOW, 1, "Bea")

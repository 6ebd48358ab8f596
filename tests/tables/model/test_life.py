"""A table's life: opened, filled, dealt, played, over, played again; and what is refused on the way."""

from collections.abc import Iterator

import pytest

from illusion.rules import Doubt, IllegalMove, Place, Variant, apply
from illusion.tables import Phase, Refused, Table, public_view
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry, decode, encode

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

    def play_to_the_end(self) -> None:
        while self.table.phase is Phase.PLAYING:
            assert self.table.game is not None
            self.move(Doubt() if len(self.table.game.row) > 2 else Place(0))


def rebuilt(id: str, log: list[AnyEntry]) -> Table:
    """The table that this log tells of."""
    table = Table(id)
    for entry in log:
        table.apply(entry)
    return table


def refused(code: str) -> "pytest.RaisesExc[Refused]":
    return pytest.raises(Refused, check=lambda refusal: refusal.code == code)


@pytest.fixture
def sitting() -> Sitting:
    sitting = Sitting()
    sitting.sit("bob", "Bob")
    sitting.sit("cleo", "Cleo")
    return sitting


def test_chairs_fill_from_the_first_free_one(sitting: Sitting) -> None:
    assert [chair and chair.name for chair in sitting.table.chairs] == ["Ana", "Bob", "Cleo", None]
    assert sitting.table.seat_of(commands.hashed("cleo")) == 2
    assert sitting.table.seat_of(commands.hashed("nobody")) is None
    sitting.take(commands.leave(sitting.table, NOW, 1))
    sitting.sit("dora", "ana")
    assert [chair and chair.name for chair in sitting.table.chairs] == ["Ana", "ana 2", "Cleo", None]


def test_a_token_is_never_in_the_log(sitting: Sitting) -> None:
    assert all(b'"bob"' not in encode(entry) for entry in sitting.log)


def test_dealing_takes_empty_chairs_away(sitting: Sitting) -> None:
    sitting.take(commands.leave(sitting.table, NOW, 1))
    sitting.start()
    assert [sitter.name for sitter in sitting.table.sitters] == ["Ana", "Cleo"]
    assert sitting.table.seat_of(commands.hashed("cleo")) == 1
    assert sitting.table.game is not None
    assert sitting.table.game.players == 2


@pytest.mark.parametrize("variant", Variant)
def test_a_whole_game_and_its_log_gives_the_same_table_again(variant: Variant) -> None:
    sitting = Sitting(variant=variant)
    sitting.sit("bob", "Bob")
    sitting.start()
    sitting.play_to_the_end()
    again = rebuilt("abcdefgh", [decode(encode(entry)) for entry in sitting.log])
    assert public_view(again) == public_view(sitting.table)
    assert again.phase is Phase.OVER
    assert again.seq == len(sitting.log)


def test_a_rematch_seats_the_same_people(sitting: Sitting) -> None:
    with refused("not-over"):
        commands.play_again(sitting.table, NOW, "newtable")
    sitting.start()
    sitting.play_to_the_end()
    pointing, opening = commands.play_again(sitting.table, NOW, "newtable")
    sitting.take(pointing)
    assert public_view(sitting.table).rematch == "newtable"
    again = rebuilt("newtable", opening)
    assert [sitter.name for sitter in again.sitters] == ["Ana", "Bob", "Cleo"]
    assert again.seat_of(commands.hashed("bob")) == 1
    assert again.phase is Phase.WAITING


def test_who_leaves_a_game_is_played_for_until_they_return(sitting: Sitting) -> None:
    sitting.start()
    table = sitting.table
    assert table.game is not None
    seat = table.game.to_play
    assert seat is not None
    sitting.take(commands.leave(table, NOW, seat))
    assert commands.leave(table, NOW, seat) == []
    assert public_view(table).players[seat].away
    sitting.take(commands.stand_in(table, NOW, Place(0)))
    assert sitting.log[-1].by == "stand-in"  # type: ignore[union-attr]
    sitting.take(commands.come_back(table, NOW, seat))
    assert not public_view(table).players[seat].away
    assert commands.come_back(table, NOW, seat) == []


def test_moving_oneself_is_coming_back(sitting: Sitting) -> None:
    sitting.start()
    assert sitting.table.game is not None
    seat = sitting.table.game.to_play
    assert seat is not None
    sitting.take(commands.run_out(sitting.table, NOW))
    assert public_view(sitting.table).players[seat].away
    sitting.move(Place(0))
    assert not public_view(sitting.table).players[seat].away


def test_what_cannot_be_done_before_the_game(sitting: Sitting) -> None:
    with refused("not-playing"):
        commands.move(sitting.table, NOW, 0, Place(0), sitting.table.seq)
    with refused("not-host"):
        commands.start(sitting.table, NOW, 1)
    with refused("not-host"):
        commands.add_bot(sitting.table, NOW, 2, "keen")
    with refused("no-bot-there"):
        commands.remove_bot(sitting.table, NOW, 0, 1)
    with refused("no-bot-there"):
        commands.remove_bot(sitting.table, NOW, 0, 99)
    with refused("unknown-level"):
        commands.add_bot(sitting.table, NOW, 0, "genius")
    sitting.take(commands.add_bot(sitting.table, NOW, 0, "keen"))
    with refused("table-full"):
        commands.sit(sitting.table, NOW, "eve", "Eve")
    sitting.take(commands.remove_bot(sitting.table, NOW, 0, 3))
    assert sitting.table.chairs[3] is None


def test_what_cannot_be_done_during_the_game(sitting: Sitting) -> None:
    sitting.start()
    table = sitting.table
    assert table.game is not None
    seat = table.game.to_play
    assert seat is not None
    with refused("already-started"):
        commands.sit(table, NOW, "eve", "Eve")
    with refused("already-started"):
        commands.start(table, NOW, 0)
    with refused("stale"):
        commands.move(table, NOW, seat, Place(0), table.seq - 1)
    with refused("not-your-turn"):
        commands.move(table, NOW, (seat + 1) % 3, Place(0), table.seq)
    with pytest.raises(IllegalMove):
        commands.move(table, NOW, seat, Doubt(), table.seq)


def test_a_closed_table_can_only_be_looked_at(sitting: Sitting) -> None:
    sitting.take(commands.close(sitting.table, NOW))
    assert public_view(sitting.table).phase == "closed"
    with refused("table-closed"):
        commands.sit(sitting.table, NOW, "eve", "Eve")
    assert commands.close(sitting.table, NOW) == []


def test_the_host_arranges_game_and_clock_while_people_gather(sitting: Sitting) -> None:
    sitting.take(commands.arrange(sitting.table, NOW, 0, Variant.TWELVE_ROUNDS, 45))
    assert (sitting.table.variant, sitting.table.clock) == (Variant.TWELVE_ROUNDS, 45)
    assert commands.arrange(sitting.table, NOW, 0, Variant.TWELVE_ROUNDS, 45) == []
    with refused("bad-clock"):
        commands.arrange(sitting.table, NOW, 0, Variant.TWELVE_ROUNDS, 46)
    with refused("not-host"):
        commands.arrange(sitting.table, NOW, 1, Variant.FIRST_TO_THREE, None)
    sitting.start()
    with refused("already-started"):
        commands.arrange(sitting.table, NOW, 0, Variant.FIRST_TO_THREE, None)
    assert sitting.table.game is not None
    assert sitting.table.game.variant is Variant.TWELVE_ROUNDS


def test_the_look_back_counts_every_placement_and_stays_hidden_until_the_end(sitting: Sitting) -> None:
    sitting.start()
    assert public_view(sitting.table).summary is None
    sitting.play_to_the_end()
    summary = public_view(sitting.table).summary
    assert summary is not None
    placed = sum(entry.__class__.__name__ == "Placed" for entry in sitting.log)
    assert sum(eye.right + eye.wrong for eye in summary.eyes) == placed
    assert summary.best_eyes
    assert summary.closest is not None
    assert summary.closest.left != summary.closest.right


def test_the_worst_illusion_is_the_card_that_was_furthest_off(sitting: Sitting) -> None:
    sitting.start()
    sitting.play_to_the_end()
    view = public_view(sitting.table)
    assert view.summary is not None
    worst = view.summary.worst_illusion
    assert worst is not None
    assert worst.seat in range(len(view.players))
    assert worst.off == max(furthest_off(sitting.table))


def furthest_off(table: Table) -> Iterator[int]:
    """By how much each card was off when it was placed, worked out from all percentages."""
    game = table.dealt().game
    for _, move, _ in table.moves:
        if isinstance(move, Place) and game.next_card and game.arrow:
            shares = [card.shares[game.arrow] for card in game.row]
            share = game.next_card.shares[game.arrow]
            left, right = shares[: move.gap], shares[move.gap :]
            yield max(0, left[-1] - share if left else 0, share - right[0] if right else 0)
        game, _ = apply(game, move)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"seats": 1}, "bad-seats"),
        ({"seats": 6}, "bad-seats"),
        ({"seats": 2, "bots": ["keen", "keen"]}, "bad-seats"),
        ({"clock": 30}, "bad-clock"),
        ({"bots": ["genius"]}, "unknown-level"),
    ],
)
def test_tables_that_are_not_opened(options: dict[str, object], code: str) -> None:
    with pytest.raises(Refused) as caught:
        Sitting(**options)
    assert caught.value.code == code


def test_a_table_for_one_cannot_be_dealt() -> None:
    sitting = Sitting()
    with refused("too-few-players"):
        sitting.start()
    assert sitting.table.phase is Phase.WAITING


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
            sitting.take(commands.leave(sitting.table, NOW, 0))
            sitting.take(commands.come_back(sitting.table, NOW, 0))
    assert len(sitting.log) == commands.MAX_ENTRIES
    sitting.move(Place(0))
    sitting.take(commands.run_out(sitting.table, NOW))
    assert rebuilt(sitting.table.id, sitting.log).seq == len(sitting.log) > commands.MAX_ENTRIES


def test_sitting_down_and_getting_up_has_an_end() -> None:
    sitting = Sitting()
    with refused("table-worn-out"):
        while True:
            sitting.take(commands.add_bot(sitting.table, NOW, 0, "keen"))
            sitting.take(commands.remove_bot(sitting.table, NOW, 0, 1))

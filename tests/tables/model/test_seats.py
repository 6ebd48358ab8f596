"""Who may sit where: who comes late, a seat promised for the next game, and what a host may ask of others."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from illusion.review import Moved
from illusion.rules import Doubt, Place, RulesError, apply
from illusion.rules.setup import MOST_PLAYERS
from illusion.tables import Phase, Refused, Table, public_view
from illusion.tables.model import commands
from illusion.tables.model.commands import hashed
from illusion.tables.model.entries import AnyEntry, InvalidLog, SatDown
from illusion.tables.model.table import Promise
from illusion.tables.public.view import public_event

HOST, BOB = "host", "bob"
NOW = 1000.0
WORN_OUT = "table-worn-out"


def take(table: Table, entries: list[AnyEntry]) -> None:
    for entry in entries:
        table.apply(entry)


class Sitting:
    """A table and its log, without a store."""

    def __init__(self, **options: object) -> None:
        self.table = Table("abcdefgh")
        self.log: list[AnyEntry] = []
        self.take(commands.open_table(NOW, "host", "Ana", **{"seats": 4, **options}))  # type: ignore[arg-type]

    def take(self, entries: list[AnyEntry]) -> None:
        take(self.table, entries)
        self.log += entries

    def sit(self, token: str, name: str) -> None:
        self.take(commands.sit(self.table, NOW, token, name))

    def start(self) -> None:
        self.take(commands.start(self.table, NOW, 0))


def rebuilt(id: str, log: list[AnyEntry]) -> Table:
    """The table that this log tells of."""
    table = Table(id)
    take(table, log)
    return table


def refusal(command: Callable[..., object], table: Table, *arguments: object, **options: object) -> str:
    with pytest.raises(Refused) as refused:
        command(table, NOW, *arguments, **options)
    return refused.value.code


@pytest.fixture
def sitting() -> Sitting:
    """Ana, who opened the table, Bob, and two bots, in the middle of a game."""
    sitting = Sitting(bots=["keen", "casual"])
    sitting.sit(BOB, "Bob")
    sitting.start()
    return sitting


def bot(table: Table) -> int:
    return next(seat for seat, sitter in enumerate(table.sitters) if sitter.is_bot)


def seat_of(table: Table, token: str) -> int:
    seat = table.seat_of(hashed(token))
    assert seat is not None
    return seat


def finish(sitting: Sitting) -> None:
    while sitting.table.phase is Phase.PLAYING:
        game, _ = sitting.table.running()
        move = Doubt() if len(game.row) > 2 else Place(0)
        sitting.take(commands.stand_in(sitting.table, NOW, move))


def rematch_of(table: Table, *tokens: str) -> Table:
    """Where those with these tokens wanted to play again."""
    _, opening = commands.play_again(table, NOW, "bcdefghj", [hashed(token) for token in tokens])
    return rebuilt("bcdefghj", opening)


def names(table: Table) -> list[str | None]:
    return [None if sitter is None else sitter.name for sitter in table.chairs]


def test_who_comes_late_takes_the_seat_of_a_bot_and_no_other(sitting: Sitting) -> None:
    table = sitting.table
    seat, was = bot(table), table.sitter(bot(table)).name
    assert table.open_seats == [at for at, sitter in enumerate(table.sitters) if sitter.is_bot]
    entries = commands.sit(table, NOW, "zoe", "Zoe", seat)
    sitting.take(entries)
    assert (table.sitter(seat).name, table.sitter(seat).is_bot) == ("Zoe", False)
    assert public_event(table, entries[0], ())["instead_of"] == was
    assert commands.sit(table, NOW, "zoe", "Zoe", bot(table)) == []  # one only
    for taken in (seat, seat_of(table, BOB), -1, 4, 99):
        assert refusal(commands.sit, table, "yan", "Yan", taken) == "seat-taken"
    assert refusal(commands.sit, table, "yan", "Yan") == "already-started"  # which one?
    with pytest.raises(InvalidLog, match="is not free"):
        table.apply(SatDown(NOW, bot(table), "Otto", level="keen"))


def test_the_seat_of_somebody_away_can_be_taken_and_is_lost_to_them(sitting: Sitting) -> None:
    table, seat = sitting.table, seat_of(sitting.table, BOB)
    sitting.take(commands.leave(table, NOW, seat))
    sitting.take(commands.sit(table, NOW, "zoe", "Bob", seat))
    assert table.sitter(seat).name == "Bob 2"  # so that nobody takes one for the other
    assert table.seat_of(hashed(BOB)) is None
    sitting.take(commands.sit(table, NOW, BOB, "Bob", bot(table)))  # Bob may sit elsewhere


def test_moves_of_bots_and_the_clock_are_not_those_of_who_sits_there_now(sitting: Sitting) -> None:
    """Neither in a review nor for "My eyes"."""
    table = sitting.table
    while len(table.moves) < 8:
        sitting.take(commands.stand_in(table, NOW, Place(0)))
    seat, game = bot(table), table.dealt().game
    sitting.take(commands.sit(table, NOW, "zoe", "Zoe", seat))
    for number in range(len(table.moves)):
        moved: Moved = table.moves[number]
        assert (moved.by == "player") is (game.to_play != seat and table.sitter(game.to_play or 0).is_bot)
        game, _ = apply(game, moved.move)
    assert rebuilt(table.id, sitting.log).moves == table.moves


def test_a_promise_holds_although_others_come(sitting: Sitting) -> None:
    """Five at most have or were promised a seat: nobody takes a bot's seat, or a chair, that was promised."""
    table = sitting.table
    for name in ("Zoe", "Yan", "Xia"):
        sitting.take(commands.wait(table, NOW, name, name))
    assert commands.wait(table, NOW, "Zoe", "Zoe") == []
    assert (table.open_seats, table.can_wait) == ([], False)
    assert refusal(commands.wait, table, "will", "Will") == "table-full"
    assert refusal(commands.sit, table, "will", "Will", bot(table)) == "table-full"
    sitting.take(commands.sit(table, NOW, "Zoe", "Zoe", bot(table)))  # who gives up a promise for it
    assert len(table.promised) == 2
    sitting.take(commands.leave(table, NOW, seat_of(table, BOB)))
    sitting.take(commands.sit(table, NOW, "will", "Will", seat_of(table, BOB)))  # instead of Bob: no more people
    finish(sitting)
    again = rematch_of(table, HOST)
    assert len(again.sitters) + len(again.promised) == MOST_PLAYERS
    assert not any(sitter.is_bot for sitter in again.sitters)
    assert again.open_seats == []
    assert refusal(commands.sit, again, "vera", "Vera") == "table-full"
    assert refusal(commands.add_bot, again, 0, "keen") == "table-full"


def test_who_is_promised_a_seat_takes_it_and_who_does_not_come_loses_it(sitting: Sitting) -> None:
    sitting.take(commands.wait(sitting.table, NOW, "zoe", "Zoe"))
    finish(sitting)
    again, without = rematch_of(sitting.table, HOST), rematch_of(sitting.table, HOST)
    assert names(again)[:2] == ["Ana", "Zoe"]  # bots come after them
    assert [each.name for each in again.promised.values()] == ["Bob"]
    people = commands.people_of(sitting.table, [hashed(BOB)])
    take(again, commands.join_again(again, NOW, people))
    assert commands.join_again(again, NOW, people) == []
    assert (again.seat_of(hashed(BOB)) is not None, again.promised) == (True, {})
    take(without, commands.start(without, NOW, 0))
    assert (without.promised, commands.join_again(without, NOW, people)) == ({}, [])


def test_whoever_opened_the_table_hosts_the_rematch_whoever_asked_for_it(sitting: Sitting) -> None:
    finish(sitting)
    again = rematch_of(sitting.table, BOB)
    bobs = seat_of(again, BOB)
    assert again.host == bobs
    (promise,) = again.promised
    assert (
        refusal(commands.give_up, again, promise, [hashed(BOB)]) == "not-host"
    )  # who came first is not to be turned out
    take(again, commands.join_again(again, NOW, commands.people_of(sitting.table, [hashed(HOST)])))
    assert again.host == seat_of(again, HOST)


def test_the_hosts_powers_pass_on_while_the_host_is_away_but_not_over_the_host(sitting: Sitting) -> None:
    table = sitting.table
    ana, bob = seat_of(table, HOST), seat_of(table, BOB)
    sitting.take(commands.leave(table, NOW, ana))
    assert table.host == bob
    for command in (commands.send_away, commands.free):
        assert refusal(command, table, bob, ana) == "not-host"
    sitting.take(commands.sit(table, NOW, "zoe", "Zoe", bot(table)))
    sitting.take(commands.send_away(table, NOW, bob, seat_of(table, "zoe")))
    sitting.take(commands.come_back(table, NOW, ana))
    assert table.host == ana
    sitting.take(commands.leave(table, NOW, ana))
    sitting.take(commands.sit(table, NOW, "yan", "Yan", ana))  # who takes the host's seat is not the host
    assert table.host == bob


def test_who_sits_down_in_the_hosts_chair_before_the_game_is_not_the_host() -> None:
    sitting = Sitting()
    sitting.sit(BOB, "Bob")
    sitting.take(commands.leave(sitting.table, NOW, 0))
    sitting.sit("zoe", "Zoe")
    assert (seat_of(sitting.table, "zoe"), sitting.table.host) == (0, 1)
    sitting.take(commands.start(sitting.table, NOW, 1))
    assert sitting.table.phase is Phase.PLAYING


@pytest.mark.parametrize("started", [False, True])
def test_guests_have_no_hosts_powers(*, started: bool) -> None:
    sitting = Sitting()
    sitting.sit(BOB, "Bob")
    if started:
        sitting.start()
    host, bob = seat_of(sitting.table, HOST), seat_of(sitting.table, BOB)
    for command in (commands.free, commands.send_away):
        assert refusal(command, sitting.table, bob, host) == "not-host"
        assert command(sitting.table, NOW, host, bob)
    assert refusal(commands.lock, sitting.table, bob, locked=True) == "not-host"
    assert commands.lock(sitting.table, NOW, host, locked=True)


def test_a_host_frees_and_sends_away_people_alone(sitting: Sitting) -> None:
    table, host, bob = sitting.table, seat_of(sitting.table, HOST), seat_of(sitting.table, BOB)
    sitting.take(commands.free(table, NOW, host, bob))
    assert bob in table.open_seats
    for command, other in ((commands.free, bot(table)), (commands.send_away, bot(table)), (commands.send_away, host)):
        assert refusal(command, table, host, other) == "nobody-there"


def test_who_was_sent_away_has_no_seat_there_again(sitting: Sitting) -> None:
    """Neither in this game nor in the next ones, with the token or another one on the same device."""
    table = sitting.table
    bob = seat_of(table, BOB)
    sitting.take(commands.send_away(table, NOW, seat_of(table, HOST), bob))
    assert (table.seat_of(hashed(BOB)), table.sitter(bob).away) == (None, True)
    assert bob in table.open_seats
    for attempt in (partial(commands.sit, seat=bob), commands.wait):
        for token, known in ((BOB, []), ("fresh", [hashed(BOB)])):
            assert refusal(attempt, table, token, "Bob", known=known) == "sent-away"
    assert refusal(commands.send_away, table, seat_of(table, HOST), bob) == "nobody-there"  # nobody holds it any more
    finish(sitting)
    assert refusal(commands.play_again, table, "bcdefghj", [hashed(BOB)]) == "not-seated"
    again = rematch_of(table, HOST)
    assert "Bob" not in names(again)
    assert again.promised == {}
    assert commands.join_again(again, NOW, [Promise("Bob", hashed(BOB))]) == []
    assert refusal(commands.sit, again, "fresh", "Bob", None, [hashed(BOB)]) == "sent-away"


def test_who_is_sent_away_before_or_after_the_game_is_not_in_the_next_one(sitting: Sitting) -> None:
    finish(sitting)
    table = sitting.table
    sitting.take(commands.send_away(table, NOW, seat_of(table, HOST), seat_of(table, BOB)))
    again = rematch_of(table, HOST)
    assert (len(again.promised), set(again.barred)) == (0, {hashed(BOB)})
    assert "Bob" in [player.name for player in public_view(table).players]  # the result stays as it was
    waiting = Sitting()
    waiting.sit(BOB, "Bob")
    waiting.take(commands.send_away(waiting.table, NOW, 0, 1))
    assert waiting.table.open_seats == [1, 2, 3]
    assert refusal(commands.sit, waiting.table, BOB, "Bob") == "sent-away"


def test_nobody_new_sits_down_at_a_locked_table(sitting: Sitting) -> None:
    table, host = sitting.table, seat_of(sitting.table, HOST)
    sitting.take(commands.wait(table, NOW, "zoe", "Zoe"))
    sitting.take(commands.lock(table, NOW, host, locked=True))
    assert commands.lock(table, NOW, host, locked=True) == []
    assert refusal(commands.sit, table, "yan", "Yan", bot(table)) == "table-locked"
    assert refusal(commands.wait, table, "yan", "Yan") == "table-locked"
    assert (table.open_seats, table.can_wait) == ([], False)
    sitting.take(commands.leave(table, NOW, seat_of(table, BOB)))
    sitting.take(commands.come_back(table, NOW, seat_of(table, BOB)))  # who has a seat keeps it
    finish(sitting)
    again = rematch_of(table, HOST)
    assert again.locked
    assert again.seat_of(hashed("zoe")) is not None
    take(again, commands.join_again(again, NOW, commands.people_of(table, [hashed(BOB)])))
    assert again.seat_of(hashed(BOB)) is not None


def test_who_waits_no_longer_frees_the_place(sitting: Sitting) -> None:
    table = sitting.table
    sitting.take(commands.wait(table, NOW, "zoe", "Zoe"))
    (number,) = table.promised
    for hashes in ([], [hashed("yan")], [hashed(BOB)]):
        assert refusal(commands.give_up, table, number, hashes) == "not-host"
    sitting.take(commands.give_up(table, NOW, number, [hashed("zoe")]))
    assert refusal(commands.give_up, table, number, [hashed("zoe")]) == "nobody-there"
    sitting.take(commands.wait(table, NOW, "zoe", "Zoe"))
    sitting.take(commands.give_up(table, NOW, max(table.promised), [hashed(HOST)]))
    assert table.promised == {}


def test_an_abandoned_turn_begins_anew_for_who_takes_a_seat() -> None:
    """Its clock ran out long ago; while somebody is there, taking a seat does not stretch a turn."""
    sitting = Sitting(bots=["keen"], seats=2)
    sitting.start()
    table, began = sitting.table, sitting.table.turn_began
    sitting.take(commands.sit(table, NOW + 5, "zoe", "Zoe", bot(table)))
    assert table.turn_began == began
    for seat in (0, 1):
        sitting.take(commands.leave(table, NOW + 6, seat))
    sitting.take(commands.sit(table, NOW + 7000, "yan", "Yan", 0))
    assert table.turn_began == NOW + 7000


def wear_out(sitting: Sitting, *acts: Callable[[], list[AnyEntry]]) -> str:
    """Do this in turn for ever; how it is refused in the end."""
    try:
        while True:
            for act in acts:
                sitting.take(act())
    except Refused as refused:
        return refused.code


def test_coming_and_going_has_an_end_and_moves_have_none() -> None:
    """The log is bounded, and the game can still be played."""
    worn, add, remove = Sitting(), commands.add_bot, commands.remove_bot
    assert wear_out(worn, lambda: add(worn.table, NOW, 0, "keen"), lambda: remove(worn.table, NOW, 0, 1)) == WORN_OUT
    sitting = Sitting()
    sitting.sit(BOB, "Bob")
    sitting.start()
    table, leave, back = sitting.table, commands.leave, commands.come_back
    assert wear_out(sitting, lambda: leave(table, NOW, 1), lambda: back(table, NOW, 1)) == WORN_OUT
    assert len(sitting.log) == commands.MAX_ENTRIES - commands.FOR_HOST
    sitting.take(commands.send_away(table, NOW, 0, 1))  # the host can still help it
    assert wear_out(sitting, lambda: commands.lock(table, NOW, 0, locked=not table.locked)) == WORN_OUT
    sitting.take(commands.stand_in(table, NOW, Place(0)))
    sitting.take(commands.run_out(table, NOW))
    assert rebuilt(table.id, sitting.log).seq == len(sitting.log) > commands.MAX_ENTRIES


def test_a_name_can_be_changed_until_the_game_begins() -> None:
    sitting = Sitting()
    sitting.sit(BOB, "Bob")
    sitting.take(commands.rename(sitting.table, NOW, 0, " Zoë "))
    assert [sitter.name for sitter in sitting.table.sitters] == ["Zoë", "Bob"]
    assert (sitting.table.host, seat_of(sitting.table, HOST)) == (0, 0)
    sitting.take(commands.rename(sitting.table, NOW, 0, "Bob"))
    assert len({sitter.name for sitter in sitting.table.sitters}) == 2
    assert commands.rename(sitting.table, NOW, 1, "Bob") == []
    assert refusal(commands.rename, sitting.table, 1, " ") == "bad-name"
    sitting.start()
    assert refusal(commands.rename, sitting.table, 1, "Bea") == "already-started"


PEOPLE = st.sampled_from([HOST, BOB, "zoe", "yan", "xia", "will", "vera"])
ACTS = st.sampled_from(["sit", "wait", "leave", "back", "free", "send", "lock", "unlock", "drop", "bot", "on", "on"])


@settings(max_examples=150)
@given(st.lists(st.tuples(PEOPLE, ACTS, st.integers(0, 4)), max_size=40))
def test_whatever_people_do_promises_hold(acts: list[tuple[str, str, int]]) -> None:
    """Never have more than five a seat or a promise; who was sent away has neither; the log tells the same table."""
    sitting = Sitting(bots=["keen", "casual"])
    sitting.sit(BOB, "Bob")
    for who, what, other in acts:
        table = sitting.table
        seat = table.seat_of(hashed(who))
        try:
            sitting.take(_act(table, who, what, other, seat))
        except (Refused, RulesError):
            continue
        people = [each.token_hash for each in table.sitters if each.token_hash is not None]
        promised = [each.token_hash for each in table.promised.values()]
        assert len({*people, *promised}) == len(people) + len(promised) <= MOST_PLAYERS
        assert table.barred.isdisjoint([*people, *promised])
        names_of_all = [*(each.name for each in table.sitters), *(each.name for each in table.promised.values())]
        assert len({name.casefold() for name in names_of_all}) == len(names_of_all)
        if table.phase is Phase.WAITING:
            assert table.chairs.count(None) >= len(table.promised)
    assert public_view(rebuilt(sitting.table.id, sitting.log)) == public_view(sitting.table)


def _act(table: Table, who: str, what: str, other: int, seat: int | None) -> list[AnyEntry]:
    if what == "sit":
        return commands.sit(table, NOW, who, who, other if table.phase is Phase.PLAYING else None)
    if what == "wait":
        return commands.wait(table, NOW, who, who)
    if what == "on":
        if table.phase is Phase.WAITING:
            return commands.start(table, NOW, table.host or 0)
        return commands.stand_in(table, NOW, Doubt() if table.game and len(table.game.row) > 2 else Place(0))
    if what == "drop":
        return commands.give_up(table, NOW, next(iter(table.promised), 0), [hashed(who)])
    if seat is None:
        raise Refused(commands.RefusalCode.NOT_SEATED)
    return {
        "leave": lambda: commands.leave(table, NOW, seat),
        "back": lambda: commands.come_back(table, NOW, seat),
        "free": lambda: commands.free(table, NOW, seat, other),
        "send": lambda: commands.send_away(table, NOW, seat, other),
        "lock": lambda: commands.lock(table, NOW, seat, locked=True),
        "unlock": lambda: commands.lock(table, NOW, seat, locked=False),
        "bot": lambda: commands.add_bot(table, NOW, seat, "keen"),
    }[what]()

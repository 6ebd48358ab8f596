"""The replay of a finished game: every moment as it was seen then, the truth, and nothing before the end."""

import itertools

import msgspec
import pytest
from harness.tables.records import finished_log

from illusion.rules import Variant
from illusion.tables import Refused, Table, public_view
from illusion.tables.public.record import entries, read_record, record, replay
from illusion.tables.public.view import public_event


def finished(variant: Variant = Variant.FIRST_TO_THREE) -> tuple[Table, list[bytes], list[bytes]]:
    """A game, its public views as they were from the deal on, and its events."""
    table, views, events = Table("abcdefgh"), list[bytes](), list[bytes]()
    for entry in finished_log(variant):
        event = public_event(table, entry, table.apply(entry))
        if table.dealing is not None:
            events.append(msgspec.json.encode(event))
            views.append(msgspec.json.encode(public_view(table)))
    return table, views, events[1:]


@pytest.mark.parametrize("variant", Variant)
def test_every_moment_is_the_table_as_it_was_seen_then(variant: Variant) -> None:
    table, views, _ = finished(variant)
    moments = replay(table).moments
    after_moves = [moment for moment in moments if not any(each["event"] == "row-doubted" for each in moment.happened)]

    def without_seq(view: bytes) -> dict[str, object]:
        return {name: value for name, value in msgspec.json.decode(view).items() if name not in ("seq", "turn_began")}

    assert [without_seq(msgspec.json.encode(moment.view)) for moment in after_moves] == list(map(without_seq, views))


def test_a_doubt_is_a_moment_of_its_own_with_the_row_as_it_lay_and_where_it_fell() -> None:
    told = replay(finished()[0])
    for before, turned in itertools.pairwise(told.moments):
        if any(each["event"] == "row-doubted" for each in turned.happened):
            doubt = turned.view.last_doubt
            assert doubt is not None
            assert [card.card for card in doubt.row] == turned.view.row == before.view.row
            assert (turned.round, turned.move) == (before.round, before.move + 1)
            assert turned.falls == doubt.falls
            assert {card.card: card.shares for card in doubt.row}.items() <= told.shares.items()
    for moment in told.moments:
        arrow = moment.view.arrow
        shares = [told.shares[card][arrow] for card in moment.view.row] if arrow else []
        assert moment.falls == [at for at in range(1, len(shares)) if shares[at] < shares[at - 1]]
    assert any(moment.falls for moment in told.moments)
    shown = {card for moment in told.moments for card in (*moment.view.row, moment.view.next_card) if card}
    assert shown == set(told.shares)  # and of no card that nobody has seen


def test_a_record_holds_what_was_told_and_makes_the_same_replay() -> None:
    table, _, events = finished()
    kept = read_record(msgspec.json.encode(record(table)))
    assert [move.happened for move in kept.moves] == [msgspec.json.decode(event)["happened"] for event in events]
    assert [event["event"] for event in kept.opening] == ["round-started"]
    again = Table(kept.table)
    for entry in entries(kept):
        again.apply(entry)
    assert replay(again).shares == replay(table).shares
    assert [moment.happened for moment in replay(again).moments] == [
        moment.happened for moment in replay(table).moments
    ]


def test_there_is_none_of_a_game_that_has_not_begun() -> None:
    waiting = Table("abcdefgh")
    waiting.apply(finished_log()[0])
    for look_back in (replay, record):
        with pytest.raises(Refused, match="not-over"):
            look_back(waiting)

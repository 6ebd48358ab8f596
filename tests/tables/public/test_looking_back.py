"""A finished game: every moment as it was seen then, and who saw well, told from the rows that were turned over."""

import msgspec
import pytest
from harness.tables.records import finished_log
from hypothesis import given

from illusion.rules import Move, Place, RowDoubted, Setup, Variant
from illusion.tables import Table, public_view
from illusion.tables.public.record import entries, read_record, record, replay
from illusion.tables.public.summary import finest_pair, pairs_of_seat, summarize, worst_pair
from illusion.tables.public.view import public_event
from tests.rules.games import begun, playthroughs, steps


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


def judged_move_by_move(setup: Setup, moves: list[Move]) -> tuple[dict[tuple[int, bool], int], list[int]]:
    """How often each seat placed right and wrong, and by how much cards were off; of rows that were turned over."""
    counts: dict[tuple[int, bool], int] = {}
    offs: list[int] = []
    round_counts: list[tuple[int, bool]] = []
    round_offs: list[int] = []
    game = begun(setup)
    for step in list(steps(setup, moves))[1:]:
        if isinstance(step.move, Place):
            assert game.arrow is not None
            assert game.to_play is not None
            assert game.next_card is not None
            row, share = [card.shares[game.arrow] for card in game.row], game.next_card.shares[game.arrow]
            left, right = row[: step.move.gap][-1:], row[step.move.gap :][:1]
            off = [each - share for each in left if each > share] + [share - each for each in right if each < share]
            round_counts.append((game.to_play, not off))
            round_offs += off
        else:
            for key in round_counts:
                counts[key] = counts.get(key, 0) + 1
            offs += round_offs
            round_counts, round_offs = [], []
        game = step.game
    return counts, offs


@given(playthroughs())
def test_it_tells_what_was_right_and_wrong_when_it_was_laid_the_closest_call_and_the_worst(
    play: tuple[Setup, list[Move]],
) -> None:
    setup, moves = play
    doubts = [event for step in steps(setup, moves) for event in step.events if isinstance(event, RowDoubted)]
    summary, (counts, offs) = summarize(setup, doubts, str), judged_move_by_move(setup, moves)
    rights = {(eye.seat, True): eye.right for eye in summary.eyes if eye.right}
    assert rights | {(eye.seat, False): eye.wrong for eye in summary.eyes if eye.wrong} == counts
    worst_off = None if summary.worst_illusion is None else summary.worst_illusion.off
    assert max(offs, default=None) == worst_off
    if summary.best_eyes:
        shares = {eye.seat: eye.share for eye in summary.eyes if eye.right + eye.wrong}
        assert summary.best_eyes == [seat for seat, share in shares.items() if share == max(shares.values())]
        assert set(summary.worst_eyes) <= {seat for seat, share in shares.items() if share == min(shares.values())}

    neighbours = [(doubt.arrow, *pair) for doubt in doubts for pair in zip(doubt.row, doubt.row[1:], strict=False)]
    differences = [abs(left.shares[arrow] - right.shares[arrow]) for arrow, left, right in neighbours]
    closest = summary.closest and abs(summary.closest.left - summary.closest.right)
    assert closest == min(filter(None, differences), default=None)

    laid = [list(pairs_of_seat(setup, doubts, str, seat)) for seat in range(setup.players)]
    assert [len(pairs) for pairs in laid] == [eye.right + eye.wrong for eye in summary.eyes]
    worst = [pair for pairs in laid if (pair := worst_pair(pairs))]
    assert max((-pair.rise for pair in worst), default=None) == worst_off
    for eye, pairs in zip(summary.eyes, laid, strict=True):
        assert (worst_pair(pairs) is not None) == (eye.wrong > 0)
        finest = finest_pair(pairs)
        assert finest is None or (finest.rise > 0 and eye.right > 0)

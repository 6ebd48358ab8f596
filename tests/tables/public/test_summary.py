"""Who saw well: told from the rows that were turned over, the same as when every move is judged as it is made."""

from hypothesis import given

from illusion.rules import Colour, Move, Place, RowDoubted, Setup
from illusion.tables.public.summary import Summary, finest_pair, pairs_of_seat, summarize, worst_pair
from tests.rules.games import begun, playthroughs, steps


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


def told(setup: Setup, moves: list[Move]) -> Summary:
    happened = [event for step in steps(setup, moves) for event in step.events]
    return summarize(setup, [event for event in happened if isinstance(event, RowDoubted)], str)


@given(playthroughs())
def test_it_counts_what_was_right_and_wrong_when_it_was_laid(play: tuple[Setup, list[Move]]) -> None:
    summary, (counts, offs) = told(*play), judged_move_by_move(*play)
    assert {(eye.seat, True): eye.right for eye in summary.eyes if eye.right} | {
        (eye.seat, False): eye.wrong for eye in summary.eyes if eye.wrong
    } == counts
    assert max(offs, default=None) == (None if summary.worst_illusion is None else summary.worst_illusion.off)
    if summary.best_eyes:
        shares = {eye.seat: eye.share for eye in summary.eyes if eye.right + eye.wrong}
        assert summary.best_eyes == [seat for seat, share in shares.items() if share == max(shares.values())]
        assert set(summary.worst_eyes) <= {seat for seat, share in shares.items() if share == min(shares.values())}


@given(playthroughs())
def test_the_closest_call_is_the_smallest_difference_that_was_turned_over(play: tuple[Setup, list[Move]]) -> None:
    setup, moves = play
    doubts = [event for step in steps(setup, moves) for event in step.events if isinstance(event, RowDoubted)]
    differences = [
        abs(left.shares[doubt.arrow] - right.shares[doubt.arrow])
        for doubt in doubts
        for left, right in zip(doubt.row, doubt.row[1:], strict=False)
    ]
    closest = told(setup, moves).closest
    assert (None if closest is None else abs(closest.left - closest.right)) == min(
        filter(None, differences), default=None
    )
    assert closest is None or closest.arrow in Colour


@given(playthroughs())
def test_the_worst_pair_of_all_seats_is_the_worst_illusion_and_each_seat_has_its_own(
    play: tuple[Setup, list[Move]],
) -> None:
    setup, moves = play
    doubts = [event for step in steps(setup, moves) for event in step.events if isinstance(event, RowDoubted)]
    laid = [list(pairs_of_seat(setup, doubts, str, seat)) for seat in range(setup.players)]
    summary = told(setup, moves)
    assert [len(pairs) for pairs in laid] == [eye.right + eye.wrong for eye in summary.eyes]
    worst = [pair for pairs in laid if (pair := worst_pair(pairs))]
    assert max((-pair.rise for pair in worst), default=None) == (
        None if summary.worst_illusion is None else summary.worst_illusion.off
    )
    for eye, pairs in zip(summary.eyes, laid, strict=True):
        assert (worst_pair(pairs) is not None) == (eye.wrong > 0)
        finest = finest_pair(pairs)
        assert finest is None or (finest.rise > 0 and eye.right > 0)

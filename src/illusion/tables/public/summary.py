"""What people like to know when a game is over: who saw well, and how close it was."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from illusion.rules import Colour, Game, Move, Place, RowDoubted, apply


class Eye(msgspec.Struct, frozen=True):
    """How many cards a player placed right and wrong; right is not below the card on its left, nor above the next."""

    seat: int
    right: int
    wrong: int

    @property
    def share(self) -> float:
        return self.right / (self.right + self.wrong)


class ClosestCall(msgspec.Struct, frozen=True):
    """The two neighbours that differed least of all that were turned over."""

    arrow: Colour
    left: int
    right: int


class Summary(msgspec.Struct, frozen=True):
    """A finished game, looked back at."""

    eyes: list[Eye]
    best_eyes: list[int]
    worst_eyes: list[int]
    closest: ClosestCall | None


def summarize(begun: Game, moves: Iterable[Move]) -> Summary:
    """The game is played once more, with the backs in view."""
    placements: Counter[tuple[int | None, bool]] = Counter()
    doubts: list[RowDoubted] = []
    game = begun
    for move in moves:
        if isinstance(move, Place):
            placements[game.to_play, _placed_right(game, move)] += 1
        game, events = apply(game, move)
        doubts += [event for event in events if isinstance(event, RowDoubted)]
    eyes = [Eye(seat, placements[seat, True], placements[seat, False]) for seat in range(begun.players)]
    judged = [eye for eye in eyes if eye.right + eye.wrong]
    best = max((eye.share for eye in judged), default=0.0)
    worst = min((eye.share for eye in judged), default=0.0)
    calls = [
        ClosestCall(doubt.arrow, left.shares[doubt.arrow], right.shares[doubt.arrow])
        for doubt in doubts
        for left, right in zip(doubt.row, doubt.row[1:], strict=False)
        if left.shares[doubt.arrow] != right.shares[doubt.arrow]
    ]
    return Summary(
        eyes,
        [eye.seat for eye in judged if eye.share == best],
        [eye.seat for eye in judged if eye.share == worst and worst < best],
        min(calls, key=lambda call: abs(call.left - call.right), default=None),
    )


def _placed_right(game: Game, move: Place) -> bool:
    """Whether the next card belongs into that gap, between the two cards that lie there now."""
    assert game.arrow is not None
    assert game.next_card is not None
    share = game.next_card.shares[game.arrow]
    around = game.row[max(move.gap - 1, 0) : move.gap + 1]
    left = around[0].shares[game.arrow] if move.gap > 0 else 0
    right = around[-1].shares[game.arrow] if move.gap < len(game.row) else 100
    return left <= share <= right

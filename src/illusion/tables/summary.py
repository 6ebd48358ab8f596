"""What people like to know when a game is over: who saw well, and how close it was."""

import msgspec

from illusion.rules import Colour, Place, RowDoubted
from illusion.rules.game import Game


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


def placed_right(game: Game, move: Place) -> bool:
    """Whether the next card belongs into that gap, between the two cards that lie there now."""
    assert game.arrow is not None
    assert game.next_card is not None
    share = game.next_card.shares[game.arrow]
    around = game.row[max(move.gap - 1, 0) : move.gap + 1]
    left = around[0].shares[game.arrow] if move.gap > 0 else 0
    right = around[-1].shares[game.arrow] if move.gap < len(game.row) else 100
    return left <= share <= right


def summed_up(players: int, placements: list[tuple[int, bool]], doubts: list[RowDoubted]) -> Summary:
    eyes = [Eye(seat, placements.count((seat, True)), placements.count((seat, False))) for seat in range(players)]
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

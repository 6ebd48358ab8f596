"""What people like to know when a game is over: who saw well, how close it was, and which card fooled them most."""

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from illusion.rules import CardId, Colour, Game, Move, Place, RowDoubted, apply


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


class WorstIllusion(msgspec.Struct, frozen=True):
    """A card that was placed far from where it belonged."""

    card: str
    """Its address."""
    arrow: Colour
    seat: int
    """Who was fooled."""
    share: int
    neighbour: int
    """The share of the card on its left, which is more, or of the one on its right, which is less."""

    @property
    def off(self) -> int:
        return abs(self.share - self.neighbour)


class Summary(msgspec.Struct, frozen=True):
    """A finished game, looked back at."""

    eyes: list[Eye]
    best_eyes: list[int]
    worst_eyes: list[int]
    closest: ClosestCall | None
    worst_illusion: WorstIllusion | None
    """The first of those that were furthest off."""


def summarize(begun: Game, moves: Iterable[Move], address: Callable[[CardId], str]) -> Summary:
    """The game is played once more, with the backs in view. `address` tells where a card's picture is."""
    placements: Counter[tuple[int, bool]] = Counter()
    illusions: list[WorstIllusion] = []
    doubts: list[RowDoubted] = []
    game = begun
    for move in moves:
        if isinstance(move, Place):
            assert game.to_play is not None
            illusion = _fooled(game, move, game.to_play, address)
            placements[game.to_play, illusion is None] += 1
            illusions += [] if illusion is None else [illusion]
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
        max(illusions, key=lambda illusion: illusion.off, default=None),
    )


def _fooled(game: Game, move: Place, seat: int, address: Callable[[CardId], str]) -> WorstIllusion | None:
    """None if the next card belongs into that gap, between the two cards that lie there now."""
    assert game.arrow is not None
    assert game.next_card is not None
    arrow, card = game.arrow, game.next_card
    share = card.shares[arrow]
    neighbours = []
    if move.gap > 0 and (left := game.row[move.gap - 1].shares[arrow]) > share:
        neighbours.append(left)
    if move.gap < len(game.row) and (right := game.row[move.gap].shares[arrow]) < share:
        neighbours.append(right)
    found = [WorstIllusion(address(card.id), arrow, seat, share, neighbour) for neighbour in neighbours]
    return max(found, key=lambda illusion: illusion.off, default=None)

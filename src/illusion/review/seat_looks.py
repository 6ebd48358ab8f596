"""What one seat did at one finished game, round by round: what it looked at, and what it did."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from illusion.bots.observer import Look
from illusion.review.reviewing import Moved, NotOver
from illusion.rules import CardId, Colour, Game, Place, apply, first_fall


class SeenCard(NamedTuple):
    """A card as eyes can measure it, in the arrow's colour: see `bots.sight`."""

    share: float
    broken: float
    family: str


class SeatTurn(msgspec.Struct, frozen=True):
    """A row and the next card, by their places in the round's `cards`; without a gap the row was doubted."""

    row: list[int]
    card: int
    gap: int | None
    right: bool
    """Whether the card fits there, or the doubted row was wrong."""
    row_wrong: bool


class Round(msgspec.Struct, frozen=True):
    """The turns of one seat in a round, without those of a stand-in and those that left no choice."""

    arrow: Colour
    cards: list[SeenCard]
    turns: list[SeatTurn]

    @property
    def placements(self) -> list[SeatTurn]:
        return [turn for turn in self.turns if turn.gap is not None]


class SeatLooks(msgspec.Struct, frozen=True):
    """One seat at one game."""

    rounds: list[Round]


def seat_looks(begun: Game, moves: Sequence[Moved], look: Look, seat: int) -> SeatLooks:
    """Of a game that is over."""
    game = begun
    rounds: dict[int, Round] = {}
    known: dict[CardId, int] = {}
    for moved in moves:
        arrow, following = game.arrow, game.next_card
        if game.to_play == seat and moved.by == "player" and following is not None:
            assert arrow is not None
            if game.round not in rounds:
                rounds[game.round] = Round(arrow, [], [])
                known.clear()
            lying = rounds[game.round]
            for card in (*game.row, following):
                if card.id not in known:
                    known[card.id] = len(lying.cards)
                    lying.cards.append(_seen(card.id, arrow, look))
            is_wrong = first_fall(game.row, arrow) is not None
            gap, fits = None, is_wrong
            if isinstance(moved.move, Place):
                gap = moved.move.gap
                around = (*game.row[max(gap - 1, 0) : gap], following, *game.row[gap : gap + 1])
                fits = first_fall(around, arrow) is None
            row = [known[card.id] for card in game.row]
            lying.turns.append(SeatTurn(row, known[following.id], gap, fits, is_wrong))
        game, _ = apply(game, moved.move)
    if not game.over:
        raise NotOver
    return SeatLooks(list(rounds.values()))


def _seen(card: CardId, arrow: Colour, look: Look) -> SeenCard:
    sight = look(card)
    share, broken = sight.patches[arrow]
    return SeenCard(share, broken, sight.family)

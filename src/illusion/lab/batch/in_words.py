"""A lane in the words of the rules: where its game stands, and the events of a step. For tests and for looking."""

from typing import Any

import numpy as np

from illusion.lab.batch.engine import Engine
from illusion.lab.batch.lanes import (
    COLOUR_BITS,
    COLOURS,
    DECK_TOO_SMALL,
    GOAL_REACHED,
    ROUNDS_PLAYED,
    Lanes,
    Outcome,
)
from illusion.lab.batch.step import winners
from illusion.rules import (
    ArrowAwarded,
    ArrowReturned,
    CardPlaced,
    Colour,
    ColourCard,
    Culprit,
    Doubt,
    Ending,
    Event,
    GameEnded,
    Move,
    Place,
    RoundStarted,
    RowDoubted,
    TurnedCard,
    falls,
)

_ENDINGS = {
    GOAL_REACHED: Ending.THIRD_ARROW,
    ROUNDS_PLAYED: Ending.TWELFTH_ROUND,
    DECK_TOO_SMALL: Ending.DECK_TOO_SMALL,
}


class Lane:
    """One lane of a state, its numbers read as the rules name them."""

    def __init__(self, engine: Engine, lanes: Lanes, number: int) -> None:
        self._terms = engine.terms
        self._all_cards = [card for pile in engine.piles for card in pile]
        turn = {name: int(np.asarray(values)[number]) for name, values in lanes.turn._asdict().items()}
        self.round, self.drawn, self.length = turn["round"], turn["drawn"], turn["length"]
        self.to_play = None if turn["to_play"] < 0 else turn["to_play"]
        self._broke, self._won = turn["broke"], turn["arrows_won"]
        deck, row, arrows, stacks = (np.asarray(table)[number].tolist() for table in lanes.cards)
        self.deck: tuple[ColourCard, ...] = tuple(self._all_cards[card] for card in deck)
        self.arrows: tuple[Colour, ...] = tuple(COLOURS[arrow] for arrow in arrows)
        self.laid: tuple[int, ...] = tuple(row[: self.length])
        self.arrows_won = tuple(_unstacked(stack) for stack in stacks)

    @property
    def row(self) -> tuple[ColourCard, ...]:
        return tuple(self.deck[self.drawn - self.length + laid] for laid in self.laid)

    @property
    def placed_by(self) -> tuple[int | None, ...]:
        """Seats take turns, so the one who laid a card follows from when it was laid."""
        last = 0 if self.to_play is None else self.to_play
        return tuple((last - self.length + laid) % self._terms.players if laid else None for laid in self.laid)

    @property
    def next_card(self) -> ColourCard | None:
        return self.deck[self.drawn] if self.drawn < self._terms.pile else None

    @property
    def culprit(self) -> Culprit | None:
        if not self._broke:
            return None
        at = self.laid.index(self._broke)
        seat = self.placed_by[at]
        assert seat is not None
        return Culprit(at, seat)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the most arrows, whether the game is over or not."""
        bits = int(winners(np.array([self._won], np.int32), self._terms.players)[0])
        return tuple(seat for seat in range(self._terms.players) if bits >> seat & 1)

    def move(self, action: int) -> Move:
        return Doubt() if action == self._terms.longest else Place(action)

    def events(self, action: int, did: Outcome, number: int, after: "Lane") -> tuple[Event, ...]:
        """What everybody saw happen, from the state before a step, its outcome, and the state after it."""
        assert self.to_play is not None
        seat, arrow, card = self.to_play, self.arrows[self.round - 1], self.next_card
        following = None if after.next_card is None else after.next_card.id
        if action != self._terms.longest:
            assert card is not None
            assert after.to_play is not None
            return (CardPlaced(seat, card.id, action, following, after.to_play),)
        taker, returned, ending = (int(np.asarray(each)[number]) for each in (did.taker, did.returned, did.ending))
        turned = [TurnedCard(card.id, card.shares, by) for card, by in zip(self.row, self.placed_by, strict=True)]
        events: list[Event] = [
            RowDoubted(seat, arrow, tuple(turned), falls(self.row, arrow), self.culprit, taker),
            ArrowAwarded(taker, arrow),
        ]
        events += [ArrowReturned(seat, each) for each in self.arrows_won[seat][::-1][:returned]]
        if ending:
            return (*events, GameEnded(after.winners, _ENDINGS[ending]))
        assert after.to_play is not None
        assert following is not None
        started = RoundStarted(after.round, after.arrows[after.round - 1], after.row[0].id, following, after.to_play)
        return (*events, started)


def _unstacked(stack: Any) -> tuple[Colour, ...]:
    won: list[Colour] = []
    while stack > 1:
        won.append(COLOURS[stack & ((1 << COLOUR_BITS) - 1)])
        stack >>= COLOUR_BITS
    return tuple(reversed(won))

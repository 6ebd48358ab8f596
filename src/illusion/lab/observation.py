"""An agent's observation: the public view and its own impressions as a flat array.

Seats are relative to the agent: 0 is itself, 1 the next player. Absent seats and cards are all zeros.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from illusion.bots.eyes import Impression
from illusion.rules import ARROWS, Colour, Doubt, Legal, Move, Place, View
from illusion.rules.setup import MOST_PLAYERS

if TYPE_CHECKING:
    from gymnasium import spaces

Numbers = NDArray[np.float32]
Mask = NDArray[np.int8]

_YES_NO: Final = (0, 1)
FAINTEST, STRONGEST, MOST_UNSURE = -4.0, 7.0, 4.0
"""Bounds of all impressions: ln of the percentage seen (0.02 to 1,000 percent), and its uncertainty."""
_CARD: Final = (_YES_NO, (FAINTEST, STRONGEST), (0, MOST_UNSURE))
"""Bounds of a card's numbers: whether there is one, ln of the percentage seen, its uncertainty."""


class ObservationLayout:
    """The layout of observations, for rows of up to `longest` cards from a pile of `pile` cards.

    `fields` has the slices by name. Each card of the row, from the arrow's tip on, has `per_card` numbers: whether
    there is one, the impression (two), when it was laid, and a one-hot of who laid it: nobody, the agent, the next
    player and so on.
    """

    per_card: Final = len(_CARD) + 1 + 1 + MOST_PLAYERS

    def __init__(self, longest: int, pile: int) -> None:
        self.longest = longest
        self.actions = longest + 1
        """One for each gap, and the doubt."""
        parts = {
            "row": (*_CARD, (0, longest), *[_YES_NO] * (1 + MOST_PLAYERS)) * longest,
            "row length": [(0, longest)],
            "next card": _CARD,
            "arrow": [_YES_NO] * len(Colour),
            "to play": [_YES_NO] * MOST_PLAYERS,
            "arrows won": [(0, len(ARROWS))] * MOST_PLAYERS,
            "players": [(0, MOST_PLAYERS)],
            "round": [(0, len(ARROWS))],
            "cards left": [(0, pile)],
            "twelve rounds": [_YES_NO],
        }
        self._bounds = np.array([bound for part in parts.values() for bound in part], np.float32)
        ends = np.cumsum([len(part) for part in parts.values()]).tolist()
        self.fields = {name: slice(end - len(part), end) for (name, part), end in zip(parts.items(), ends, strict=True)}

    def space(self) -> "spaces.Dict":
        from gymnasium import spaces  # noqa: PLC0415  (an extra)

        low, high = self.bounds
        return spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (self.actions,), np.int8),
            }
        )

    def observation(self, view: View, me: int, row: Sequence[Impression], card: Impression | None) -> Numbers:
        """Built from the public view and the agent's own impressions alone."""
        seats = [(seat - me) % view.players for seat in range(view.players)]
        parts = {
            "row length": len(row),
            "next card": (0, 0, 0) if card is None else (1, *card),
            "arrow": [colour is view.arrow for colour in Colour],
            "players": view.players,
            "round": view.round,
            "cards left": view.cards_left,
            "twelve rounds": view.end.arrows_to_win is None,
        }
        numbers = np.zeros(len(self._bounds), np.float32)
        for name, part in parts.items():
            numbers[self.fields[name]] = part
        cards = numbers[self.fields["row"]].reshape(-1, self.per_card)
        for at, (impression, came, by) in enumerate(zip(row, view.laid, view.placed_by, strict=True)):
            cards[at, :4] = 1, *impression, came
            cards[at, 4 if by is None else 5 + seats[by]] = 1
        for seat, arrows in enumerate(view.arrows_won):
            numbers[self.fields["arrows won"]][seats[seat]] = len(arrows)
        if view.to_play is not None:
            numbers[self.fields["to play"]][seats[view.to_play]] = 1
        return numbers

    @property
    def bounds(self) -> tuple[Numbers, Numbers]:
        """Lower and upper bounds of all numbers."""
        return self._bounds[:, 0].copy(), self._bounds[:, 1].copy()

    @property
    def size(self) -> int:
        """The length of an observation."""
        return len(self._bounds)

    def empty_mask(self) -> Mask:
        return np.zeros(self.actions, np.int8)

    def mask(self, legal: Legal) -> Mask:
        """1 for every legal action; a row of `longest` cards can only be doubted."""
        mask = self.empty_mask()
        if len(legal.gaps) <= self.longest:
            mask[list(legal.gaps)] = 1
        mask[self.longest] = legal.doubt
        return mask

    def action(self, move: Move) -> int:
        return move.gap if isinstance(move, Place) else self.longest

    def move(self, action: int) -> Move:
        return Doubt() if action == self.longest else Place(action)

"""One player's eyes at one game, at a table or in a simulation."""

from collections.abc import Callable
from typing import TypeAlias

from illusion.bots.eyes import Eyes, Impression
from illusion.bots.sight import Sight
from illusion.rules import CardId, Colour, View

Look: TypeAlias = Callable[[CardId], Sight]
"""Measures the picture of a card that lies on the table."""
Noise: TypeAlias = Callable[[CardId, Colour], float]
"""A standard normal number for a card and a colour. An observer asks once for each."""


class Observer:
    """Looks at each card once for each colour and remembers what it saw. `who` decides its taste in patterns."""

    def __init__(self, eyes: Eyes, who: str, noise: Noise) -> None:
        self._eyes, self._who, self._noise = eyes, who, noise
        self._seen: dict[Colour, dict[CardId, Impression]] = {colour: {} for colour in Colour}

    def see(self, card: CardId, colour: Colour, look: Look) -> Impression:
        seen = self._seen[colour]
        if card not in seen:
            seen[card] = self._eyes.see(look(card), colour, self._who, self._noise(card, colour))
        return seen[card]

    def survey(self, view: View, look: Look) -> tuple[list[Impression], Impression | None]:
        """The row and the next card in the arrow's colour; nothing once the game is over."""
        arrow = view.arrow
        if arrow is None:
            return [], None
        row = [self.see(card, arrow, look) for card in view.row]
        return row, None if view.next_card is None else self.see(view.next_card, arrow, look)

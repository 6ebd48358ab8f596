"""A bot at a game: it looks at the pictures that lie on the table and decides."""

from collections.abc import Callable
from dataclasses import dataclass

from illusion.bots.eyes import Impression, glance, said
from illusion.bots.levels import Level
from illusion.bots.minds import Decision
from illusion.bots.sight import Sight
from illusion.rules import CardId, Colour, View

Look = Callable[[CardId], Sight]
"""Shows what can be measured on the picture of a card that lies on the table."""


@dataclass(frozen=True, slots=True)
class Bot:
    """`name` decides its taste in patterns, `sitting` what it sees in this game: the same whenever it looks again."""

    level: Level
    name: str
    sitting: str
    temper: float = 0.0

    def decide(self, view: View, look: Look) -> Decision:
        """What it does at its turn: it knows the public view and the pictures in it, nothing else."""
        arrow = view.arrow
        assert arrow is not None
        row = [self._see(look, card, arrow) for card in view.row]
        card = None if view.next_card is None else self._see(look, view.next_card, arrow)
        return self.level.mind.decide(view, row, card, self.temper)

    def believed(self, card: CardId, colour: Colour, look: Look) -> int:
        """The percentage it would name if somebody asked."""
        return said(self._see(look, card, colour).seen, colour)

    def _see(self, look: Look, card: CardId, colour: Colour) -> Impression:
        return self.level.eyes.see(look(card), colour, self.name, glance(self.sitting, card, colour))

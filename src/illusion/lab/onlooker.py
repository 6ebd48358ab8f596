"""One agent's eyes at one game."""

from collections.abc import Sequence
from random import Random

from illusion.bots import levels
from illusion.bots.eyes import Eyes, Impression, glance
from illusion.lab.measured_decks import MeasuredDeck
from illusion.lab.simulation import TASTES
from illusion.rules import CardId, Colour, View

Sharpness = str | Eyes
"""The eyes of a level by its name, or eyes of one's own."""


class Onlooker:
    """What somebody sees depends on the card and on them alone: not on when they look, or on who else does."""

    def __init__(self, eyes: Eyes, pile: MeasuredDeck, rng: Random) -> None:
        self._eyes = eyes
        self._sights = pile.sights
        self._taste = f"simulated {rng.randrange(TASTES)}"
        self._sitting = f"{rng.getrandbits(64)}"
        self._seen: dict[tuple[CardId, Colour], Impression] = {}

    def look(self, view: View) -> tuple[list[Impression], Impression | None]:
        """The row and the next card in the arrow's colour; nothing after the end."""
        if view.arrow is None:
            return [], None
        row = [self._see(card, view.arrow) for card in view.row]
        return row, None if view.next_card is None else self._see(view.next_card, view.arrow)

    def _see(self, card: CardId, colour: Colour) -> Impression:
        known = self._seen.get((card, colour))
        if known is None:
            known = self._eyes.see(self._sights[card], colour, self._taste, glance(self._sitting, card, colour))
            self._seen[card, colour] = known
        return known


def eyes_of_each(eyes: Sharpness | Sequence[Sharpness], players: int) -> list[Eyes]:
    chosen = [eyes] * players if isinstance(eyes, str | Eyes) else list(eyes)
    if len(chosen) != players:
        raise ValueError(f"{players} players need {players} pairs of eyes, not {len(chosen)}.")
    known = levels()
    for one in chosen:
        if isinstance(one, str) and one not in known:
            raise ValueError(f"There are no eyes called {one!r}; there are {', '.join(known)}.")
    return [known[one].eyes if isinstance(one, str) else one for one in chosen]

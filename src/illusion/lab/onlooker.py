"""One agent's eyes at one game, and the pile of cards they look at."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from illusion.bots.eyes import Eyes, Impression, glance
from illusion.lab.looks import MeasuredDeck, measured
from illusion.lab.simulation import TASTES
from illusion.rules import CardId, Colour, Variant, View


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


def drawn_pile(decks: Sequence[int], variant: Variant, rng: Random, folder: Path | None) -> MeasuredDeck:
    """A deck by lot; for twelve rounds two of them, as at our table (R6.6)."""
    if variant is Variant.FIRST_TO_THREE:
        return measured(rng.choice(decks), folder)
    upper, lower = rng.sample(decks, 2)
    return _stacked(upper, lower, folder)


@lru_cache(maxsize=64)
def _stacked(upper: int, lower: int, folder: Path | None) -> MeasuredDeck:
    """Two decks as one pile, with numbers that go on."""
    one, other = measured(upper, folder), measured(lower, folder)
    more = len(one.cards)
    cards = (*one.cards, *[type(card)(int(card.id) + more, card.shares) for card in other.cards])
    return MeasuredDeck(cards, {**one.sights, **{int(id) + more: sight for id, sight in other.sights.items()}})

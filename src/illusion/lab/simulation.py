"""One simulated game: bots at the rules' own table, seeing measured pictures."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import log
from random import Random
from statistics import NormalDist

from illusion.bots.eyes import NOTHING, Eyes, Impression, impression
from illusion.bots.minds import Decision, Mind
from illusion.lab.measured_decks import MeasuredDeck
from illusion.rules import CardId, Colour, Game, Variant, View, apply, deal, view

Watch = Callable[[Game, View, Decision], None]
"""Sees every decision just before it is carried out; for fitting and for counting."""

TASTES = 20
"""Simulated players differ in taste like this many people."""


_NORMAL = [NormalDist().inv_cdf((part + 0.5) / 4096) for part in range(4096)]
"""A normal distribution in 4096 equal parts: much quicker to draw from, and as good for looking at cards."""


class Player:
    """Somebody at one game: eyes, a mind, and what they have seen so far."""

    def __init__(self, eyes: Eyes, mind: Mind, deck: MeasuredDeck, rng: Random) -> None:
        self._mind = mind
        self._lot = rng.getrandbits
        self._looks = _looks(eyes, f"simulated {rng.randrange(TASTES)}", deck)
        self._seen: dict[Colour, dict[CardId, Impression]] = {colour: {} for colour in Colour}

    def decide(self, view: View) -> Decision:
        arrow = view.arrow
        assert arrow is not None
        row, card = self.see(view, arrow)
        return self._mind.decide(view, row, card)

    def see(self, view: View, colour: Colour) -> tuple[list[Impression], Impression | None]:
        """What the player sees in the row and in the next card, the same each time."""
        known, looks = self._seen[colour], self._looks[colour]
        new = view.row if view.next_card is None else (*view.row, view.next_card)
        for card in new:
            if card not in known:
                mean, spread, doubted = looks[card]
                known[card] = impression(mean + spread * _NORMAL[self._lot(12)], doubted)
        return [known[card] for card in view.row], None if view.next_card is None else known[view.next_card]


Looks = dict[Colour, dict[CardId, tuple[float, float, float]]]
"""For every colour and card: where a player's looks centre, how they scatter, how unsure the player is."""


@lru_cache(maxsize=2000)
def _looks(eyes: Eyes, who: str, deck: MeasuredDeck) -> Looks:
    looks: Looks = {colour: {} for colour in Colour}
    for card, sight in deck.sights.items():
        for colour, patch in sight.patches.items():
            spread = eyes.spread(patch)
            centre = log(max(patch.share, NOTHING)) + eyes.bias(sight.family, patch, who)
            looks[colour][card] = centre, spread, eyes.doubted(spread)
    return looks


def play(
    players: Sequence[tuple[Eyes, Mind]],
    deck: MeasuredDeck,
    rng: Random,
    variant: Variant = Variant.FIRST_TO_THREE,
    watch: Watch | None = None,
) -> Game:
    """A whole game; all its chance comes from the generator passed in."""
    game = deal(len(players), deck.cards, rng, variant)
    seats = [Player(eyes, mind, deck, rng) for eyes, mind in players]
    while game.to_play is not None:
        seen = view(game)
        decision = seats[game.to_play].decide(seen)
        if watch is not None:
            watch(game, seen, decision)
        game, _ = apply(game, decision.move)
    return game

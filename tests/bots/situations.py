"""Situations from real games with real pictures, as a bot meets them at its turn."""

from collections.abc import Iterator
from functools import cache
from random import Random

from illusion.bots import Sight, sight_of
from illusion.deck import Card, make_deck
from illusion.rules import CardId, Game, Variant, apply, deal, legal_moves


@cache
def some_cards() -> tuple[Card, ...]:
    """Thirty cards of one deck: few enough to draw quickly, enough for several rounds."""
    return make_deck(11, version=1)[:30]


def look(card: CardId) -> Sight:
    return sight_of(some_cards()[int(card) - 1])


def turns(seed: int, players: int, variant: Variant = Variant.FIRST_TO_THREE) -> Iterator[Game]:
    """Every turn of a game in which cards are laid where they belong, or anywhere, and doubts come late."""
    rng = Random(seed)
    game = deal(players, [card.colour_card for card in some_cards()], rng, variant)
    while game.to_play is not None:
        yield game
        *placing, last = legal_moves(game)
        game, _ = apply(game, last if len(game.row) > rng.randint(3, 8) or not placing else rng.choice(placing))

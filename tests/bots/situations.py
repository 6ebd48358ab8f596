"""Support for tests: situations from games with real pictures, and the same situations with other hidden parts."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

from illusion.bots import Sight, sight_of
from illusion.deck import Card, make_deck
from illusion.rules import CardId, ColourCard, Game, Shares, Variant, apply, deal, legal_moves


@cache
def some_cards() -> tuple[Card, ...]:
    """Thirty cards of one deck: few enough to draw quickly, enough for several rounds."""
    return make_deck(11)[:30]


@cache
def look(card: CardId) -> Sight:
    return sight_of(some_cards()[int(card) - 1])


def turns(seed: int, players: int, variant: Variant = Variant.FIRST_TO_THREE) -> Iterator[Game]:
    """Every turn of a game of random moves in which doubts come late."""
    rng = Random(seed)
    game = deal(players, [card.colour_card for card in some_cards()], rng, variant)
    while game.to_play is not None:
        yield game
        *placing, last = legal_moves(game)
        game, _ = apply(game, last if len(game.row) > rng.randint(3, 8) or not placing else rng.choice(placing))


def dealt_anew(game: Game, rng: Random) -> Game:
    """The same game as far as anybody has seen it; arrows and cards that nobody has seen are shuffled."""
    seen_arrows, seen_cards = game.round, game.drawn + 1
    arrows, deck = list(game.setup.arrows[seen_arrows:]), list(game.setup.deck[seen_cards:])
    rng.shuffle(arrows)
    rng.shuffle(deck)
    setup = replace(
        game.setup,
        arrows=game.setup.arrows[:seen_arrows] + tuple(arrows),
        deck=game.setup.deck[:seen_cards] + tuple(deck),
    )
    return replace(game, setup=setup)


def with_other_backs(game: Game, rng: Random) -> Game:
    """The same game with random numbers on the backs of its cards."""

    def reprinted(card: ColourCard) -> ColourCard:
        return ColourCard(card.id, Shares(*(rng.randint(0, 25) for _ in range(4))))

    new = {card.id: reprinted(card) for card in game.setup.deck}
    setup = replace(game.setup, deck=tuple(new[card.id] for card in game.setup.deck))
    return replace(game, setup=setup, row=tuple(new[card.id] for card in game.row))

"""Support for tests: whole games of bots with real pictures, reviewed."""

from collections.abc import Sequence
from functools import cache
from random import Random

from illusion.bots import Bot, Sight, levels, sight_of
from illusion.bots.characters import Level
from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind
from illusion.deck import Card, make_deck
from illusion.review import Moved, Review, review
from illusion.rules import CardId, Colour, Game, Variant, apply, deal, view

CARDS = make_deck(5).cards
KEEN = levels()["keen"]


@cache
def look(card: CardId) -> Sight:
    return sight_of(card_of(card))


def card_of(card: CardId) -> Card:
    return CARDS[int(card) - 1]


def bot(eyes: Eyes, mind: Mind, seed: int, seat: int, name: str = "somebody") -> Bot:
    """Its name decides its taste, the seed what it sees at this game."""

    def noise(card: CardId, colour: Colour) -> float:
        return Random(f"{seed} {seat} {card} {colour}").gauss(0, 1)

    return Bot(Level("simulated", eyes, mind), f"{name} {seat}", noise)


def played(bots: Sequence[Bot], seed: int, variant: Variant = Variant.FIRST_TO_THREE) -> tuple[Game, list[Moved]]:
    begun = game = deal(len(bots), [card.colour_card for card in CARDS], Random(seed), variant)
    moves: list[Moved] = []
    while game.to_play is not None:
        move = bots[game.to_play].decide(view(game), look)
        moves.append(Moved(len(moves) + 1, move))
        game, _ = apply(game, move)
    return begun, moves


def reviewed(odd: tuple[Eyes, Mind], players: int, seed: int) -> tuple[int, Review]:
    """A game of one player among keen ones, in a seat that changes from game to game; that seat, and the review."""
    seat = seed % players
    bots = [bot(*(odd if at == seat else (KEEN.eyes, KEEN.mind)), seed, at) for at in range(players)]
    begun, moves = played(bots, seed)
    return seat, review(begun, moves, look)

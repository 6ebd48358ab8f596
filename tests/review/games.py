"""Support for tests: whole games of bots with real pictures, reviewed; and minds that play badly on purpose."""

from collections.abc import Sequence
from random import Random

from illusion.bots import Bot, Sight, levels, sight_of
from illusion.bots.belief import believe, posterior
from illusion.bots.characters import Level
from illusion.bots.eyes import Eyes, Impression
from illusion.bots.minds import Mind
from illusion.deck import Card, make_deck
from illusion.review import Moved, Review, review
from illusion.rules import CardId, Colour, Doubt, Game, Move, Place, Variant, View, apply, deal, view

CARDS = make_deck(5).cards
KEEN = levels()["keen"]


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


class DoubtsAtRandom:
    """Places where its eyes tell it to, and doubts by lot."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def decide(self, view: View, row: Sequence[Impression], card: Impression | None, temper: float = 0.0) -> Move:  # noqa: ARG002
        if card is None or (view.legal.doubt and self._rng.random() < 0.35):
            return Doubt()
        belief = believe([posterior(each) for each in row], posterior(card))
        return Place(max(view.legal.gaps, key=belief.stays.__getitem__))

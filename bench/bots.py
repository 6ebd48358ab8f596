"""What bots cost: simulated games a second on one core, and how long a decision takes with a row of ten."""

import statistics
from random import Random
from time import perf_counter, process_time

import numpy as np

from illusion.bots import Level, levels
from illusion.lab.arena import compete
from illusion.lab.learning.learned import Learned, first_weights
from illusion.lab.measured_decks import measured_pile
from illusion.lab.simulation import even_bot
from illusion.rules import Game, Place, apply, deal, view

GAMES = 16_384
ROW = 10
DECISIONS = 600


def long_row(seed: int) -> Game:
    """A game whose row has ten cards, laid where they belong, as careful players would have it."""
    game = deal(4, measured_pile(seed % 4).cards, Random(seed))
    while len(game.row) < ROW:
        assert game.next_card is not None
        assert game.arrow is not None
        share = game.next_card.shares[game.arrow]
        game, _ = apply(game, Place(sum(card.shares[game.arrow] <= share for card in game.row)))
    return game


def main() -> None:
    compete(["keen"] * 4, 50, seed=1)
    began = process_time()
    compete(["keen"] * 4, GAMES, seed=2)
    rate = GAMES / (process_time() - began)
    print(f"bots: {rate:,.0f} games a second of one core's time with four keen bots, to three arrows")
    rows = [long_row(seed) for seed in range(DECISIONS)]
    untrained = Learned({4: first_weights(4, np.random.default_rng(1))})  # as quick as a trained one
    known = {**levels(), "a learned mind": Level("learned", levels()["eagle-eye"].eyes, untrained)}
    for name, level in known.items():
        times = []
        for seed, game in enumerate(rows):
            bot, look = even_bot(level.eyes, level.mind, Random(seed)), measured_pile(seed % 4).sights.__getitem__
            began = perf_counter()
            bot.decide(view(game), look)
            times.append((perf_counter() - began) * 1000)
        worst = statistics.quantiles(times, n=100)[98]
        print(f"bots: {name} decides with a row of ten in {statistics.mean(times):.3f} ms, 99 % within {worst:.3f} ms")

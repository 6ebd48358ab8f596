"""The same seed gives the same game, in another process and whatever Python's hash seed."""

import os
import subprocess
import sys

from illusion.rules import Variant

WHOLE_GAMES = """
import random
from illusion.rules import Colour, ColourCard, Variant, apply, deal, legal_moves, opening, view
rng = random.Random(20180221)
cards = [ColourCard(f"c{n}", {colour: rng.randint(0, 25) for colour in Colour}) for n in range(98)]
for players in range(2, 6):
    for variant in Variant:
        game = deal(players, cards, rng, variant)
        print(opening(game.setup))
        while not game.over:
            game, events = apply(game, rng.choice(legal_moves(game)))
            print(events, view(game))
"""


def log(hash_seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run([sys.executable, "-c", WHOLE_GAMES], env=environment, check=True, capture_output=True).stdout


def test_the_same_seed_gives_byte_identical_logs_in_two_processes() -> None:
    first, second = log("1"), log("2")
    assert first == second
    assert first.count(b"GameEnded") == 4 * len(Variant)

"""Decisions per second of the rules under random play, beside a bare loop of list operations in the same run.

The bare loop does what a decision cannot do without (choose, insert, compare) with no checks, no values and no events;
the ratio of the two says how dear the engine is, whatever the machine is doing.
"""

import random
import statistics
from collections.abc import Callable
from time import perf_counter

from illusion.rules import ARROWS, Colour, ColourCard, Variant, apply, deal, legal_moves

DECISIONS = 60_000
RUNS = 7
CARDS = [
    ColourCard(number, {colour: (number * 7 + at * 31) % 26 for at, colour in enumerate(Colour)})
    for number in range(98)
]


def engine(variant: Variant) -> int:
    """Whole games of four random players, the deal included."""
    rng = random.Random(1)
    draw = rng.random
    made = 0
    while made < DECISIONS:
        game = deal(4, CARDS, rng, variant)
        while not game.over:
            moves = legal_moves(game)
            game, _ = apply(game, moves[int(draw() * len(moves))])
            made += 1
    return made


def bare_loop() -> int:
    """The same game on plain lists of red shares, to the third arrow."""
    rng = random.Random(1)
    draw = rng.random
    deck = [card.shares[Colour.RED] for card in CARDS]
    made = 0
    while made < DECISIONS:
        rng.shuffle(deck)
        arrows = list(ARROWS)
        rng.shuffle(arrows)
        won, seat, at = [0] * 4, 0, 0
        while max(won) < 3 and at < len(deck) - 1:
            row = [deck[at]]
            at += 1
            while True:
                made += 1
                choice = int(draw() * (len(row) + 1 + (len(row) > 1)))
                if choice > len(row) or at == len(deck):
                    break
                row.insert(choice, deck[at])
                at += 1
                seat = (seat + 1) % 4
            if sorted(row) == row:
                seat = (seat - 1) % 4
            won[seat] += 1
    return made


def per_second(play: Callable[[], int]) -> float:
    began = perf_counter()
    made = play()
    return made / (perf_counter() - began)


def main() -> None:
    """Take turns, so that a noisy machine slows all of them alike, and print medians."""
    contests: dict[str, Callable[[], int]] = {
        "rules, first to three": lambda: engine(Variant.FIRST_TO_THREE),
        "rules, twelve rounds": lambda: engine(Variant.TWELVE_ROUNDS),
        "bare loop of lists": bare_loop,
    }
    rates: dict[str, list[float]] = {name: [] for name in contests}
    for _ in range(RUNS):
        for name, play in contests.items():
            rates[name].append(per_second(play))
    limit = statistics.median(rates["bare loop of lists"])
    print(f"Rules: decisions per second of random play on one core, median of {RUNS}")
    for name, rate in rates.items():
        middle = statistics.median(rate)
        print(f"  {name:24} {middle:>9,.0f}   {middle / limit:5.2f} of the bare loop")

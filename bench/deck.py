"""The time to draw a deck on one core, the size of its pictures, and how exact they are, over several decks."""

import gzip
import statistics
from time import perf_counter

import numpy as np

from illusion.deck import make_deck
from illusion.deck.card_face import WHITE_AREA
from illusion.deck.picture import Region

SEEDS = range(100, 105)


def main() -> None:
    decks, cards, sizes, errors = list[float](), list[float](), list[int](), list[float]()
    for seed in SEEDS:
        began = perf_counter()
        deck = make_deck(seed)
        drawn = perf_counter() - began
        for card in deck:
            began = perf_counter()
            svg = card.svg()
            cards.append(perf_counter() - began)
            drawn += cards[-1]
            sizes.append(len(gzip.compress(svg.encode())))
            errors += [
                abs(sum(map(_area, regions)) / WHITE_AREA * 100 - card.shares[colour])
                for colour, regions in card.picture.items()
            ]
        decks.append(drawn)
    cards.sort()
    print(f"Deck: whole decks of {len(SEEDS)} seeds, drawn on one core")
    print(f"  a deck                   {statistics.median(decks):9.2f} s   (slowest {max(decks):.2f} s)")
    within = cards[int(len(cards) * 0.95)]
    print(f"  a card                   {statistics.median(cards) * 1000:9.1f} ms  (95 % within {within * 1000:.1f} ms)")
    print(f"  a picture, gzipped       {statistics.mean(sizes) / 1000:9.1f} KB  (largest {max(sizes) / 1000:.1f} KB)")
    print(f"  worst area error         {max(errors):9.4f} percentage points of {len(errors)} areas")


def _area(region: Region) -> float:
    """An outline less its holes, which run the other way round, by the shoelace formula."""
    return sum(
        float((ring[:, 0] * np.roll(ring[:, 1], -1) - ring[:, 1] * np.roll(ring[:, 0], -1)).sum()) / 2
        for ring in region
    )

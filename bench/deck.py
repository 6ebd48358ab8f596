"""Dealing, drawing and measuring a card on one core: time, size of pictures, exactness."""

import gzip
import statistics
from collections import defaultdict
from random import Random
from time import process_time

import numpy as np

from illusion.bots.eyes import sight_in
from illusion.deck import Card, make_deck
from illusion.deck.picture import WHITE_AREA, Region
from illusion.rules import Variant
from illusion.tables.model.fair_deal import dealing, new_secret
from illusion.tables.pictures import draw

SEEDS = range(100, 103)
DEALS = 30


def main() -> None:
    print(f"Deck: CPU time on one core; whole decks of {len(SEEDS)} seeds, {DEALS} deals for four players")
    secrets = [new_secret() for _ in range(DEALS)]
    began = process_time()
    for secret in secrets:
        dealing(secret, 4, Variant.FIRST_TO_THREE)
    deal_ms = (process_time() - began) / DEALS * 1000
    drawn, sights, sizes, errors = list[float](), list[float](), list[int](), list[float]()
    families = defaultdict[str, list[float]](list)
    for card in (card for seed in SEEDS for card in make_deck(seed)):
        began = process_time()
        svg = card.svg()
        drawn.append((process_time() - began) * 1000)
        families[card.family].append(drawn[-1])
        picture = card.picture
        began = process_time()
        sight_in(picture, card.family)
        sights.append((process_time() - began) * 1000)
        sizes.append(len(gzip.compress(svg.encode())))
        errors += _errors(card)
    drawn_ms = _drawn_ms()
    drawn.sort()
    within, mean = drawn[int(len(drawn) * 0.95)], statistics.mean(drawn)
    print(f"  a deal                 {deal_ms:9.1f} ms")
    print(f"  a card                 {mean:9.1f} ms  (95 % within {within:.1f} ms, slowest {drawn[-1]:.1f} ms)")
    print(f"  as a server draws it   {drawn_ms:9.1f} ms  (compressed and measured)")
    print(f"  a bot's sight of it    {statistics.mean(sights):9.2f} ms")
    print(f"  a picture, gzipped     {statistics.mean(sizes) / 1000:9.1f} KB  (largest {max(sizes) / 1000:.1f} KB)")
    print(f"  worst area error       {max(errors):9.4f} percentage points of {len(errors)} areas")
    print("  ms a card by family")
    for family, times in sorted(families.items(), key=lambda entry: -statistics.mean(entry[1])):
        print(f"    {family:23}{statistics.mean(times):6.1f}")


def _drawn_ms() -> float:
    """Cards of several tables, none of which was drawn before."""
    cards = [card for seed in SEEDS for card in make_deck(seed)]
    Random(0).shuffle(cards)
    draw(cards[0])
    began = process_time()
    for card in cards:
        draw(card)
    return (process_time() - began) / len(cards) * 1000


def _errors(card: Card) -> list[float]:
    return [
        abs(sum(map(_area, regions)) / WHITE_AREA * 100 - card.shares[colour])
        for colour, regions in card.picture.items()
    ]


def _area(region: Region) -> float:
    """An outline less its holes, which run the other way round, by the shoelace formula."""
    return sum(
        float((ring[:, 0] * np.roll(ring[:, 1], -1) - ring[:, 1] * np.roll(ring[:, 0], -1)).sum()) / 2
        for ring in region
    )


if __name__ == "__main__":
    main()

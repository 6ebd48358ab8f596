"""Pixels counted after rendering by another program: one card of every family at 2,000 px, without anti-aliasing."""

import io
from itertools import product

import numpy as np
import pytest
import resvg_py
from PIL import Image

from illusion.deck import STANDARD, Card, make_deck
from illusion.deck.generators import GENERATORS
from illusion.rules import Colour

WIDTH = 2000
WHITE_PIXELS = 5670 * 8170 * (WIDTH / 6300) ** 2


def one_of_each_family() -> list[Card]:
    """From several seeds, so that the result does not depend on one deck."""
    found: dict[tuple[int, str], Card] = {}
    for version, seed in product(GENERATORS, (31, 32, 33)):
        for card in make_deck(seed, version).cards:
            found.setdefault((version, card.family), card)
    return [found[family] for family in sorted(found)]


def counted(svg: str) -> dict[str, int]:
    hard = svg.replace("<style>", "<style>*{shape-rendering:crispEdges}")
    png = bytes(resvg_py.svg_to_bytes(svg_string=hard, width=WIDTH))
    red, green, blue = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=np.int64).transpose(2, 0, 1)
    values, counts = np.unique(red << 16 | green << 8 | blue, return_counts=True)
    return {f"#{value:06x}": int(count) for value, count in zip(values, counts, strict=True)}


@pytest.mark.parametrize("card", one_of_each_family(), ids=lambda card: f"{card.version}-{card.family}")
def test_r1_3_pixels_agree_with_the_back(card: Card) -> None:
    pixels = counted(card.svg())
    for colour in Colour:
        assert pixels[STANDARD[colour]] / WHITE_PIXELS * 100 == pytest.approx(card.shares[colour], abs=0.05)
    painted = {STANDARD[colour] for colour in Colour} | {"#ffffff", STANDARD.frame}
    assert {colour for colour, count in pixels.items() if count > 3000} <= painted | {"#000000"}  # round corners

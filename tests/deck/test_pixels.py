"""Pixels counted after rendering by another program: one card of every family at 1,000 px, without anti-aliasing."""

import io

import pytest
import resvg_py
from PIL import Image

from illusion.deck import STANDARD, Card, make_deck
from illusion.rules import Colour

WIDTH = 1000
WHITE_PIXELS = 5670 * 8170 * (WIDTH / 6300) ** 2


def one_of_each_family() -> list[Card]:
    """From several seeds, so that the result does not depend on one deck."""
    found: dict[str, Card] = {}
    for seed in (31, 32, 33):
        for card in make_deck(seed).cards:
            found.setdefault(card.family, card)
    return [found[family] for family in sorted(found)]


def counted(svg: str) -> dict[str, int]:
    hard = svg.replace("<style>", "<style>*{shape-rendering:crispEdges}")
    png = bytes(resvg_py.svg_to_bytes(svg_string=hard, width=WIDTH))
    colours = Image.open(io.BytesIO(png)).convert("RGB").getcolors(WIDTH**2)
    return {"#{:02x}{:02x}{:02x}".format(*colour): count for count, colour in colours or ()}  # type: ignore[misc]


@pytest.mark.parametrize("card", one_of_each_family(), ids=lambda card: card.family)
def test_r1_3_pixels_agree_with_the_back(card: Card) -> None:
    pixels = counted(card.svg())
    for colour in Colour:
        assert pixels[STANDARD[colour]] / WHITE_PIXELS * 100 == pytest.approx(card.shares[colour], abs=0.03)
    painted = {STANDARD[colour] for colour in Colour} | {"#ffffff", STANDARD.frame}
    assert {colour for colour, count in pixels.items() if count > 750} <= painted | {"#000000"}  # round corners

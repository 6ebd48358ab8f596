"""Colours can be told apart, also with colour-blind vision: measured with simulated vision and CIEDE2000."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.typing import ArrayLike

from illusion.deck import PALETTES, Card, Palette, make_deck
from illusion.rules import Colour
from tests.deck.ciede2000 import Lab, ciede2000, lab, lightness

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
SEEN: dict[str, ArrayLike] = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


@pytest.mark.parametrize(
    ("one", "other", "published"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ],
)
def test_our_formula_gives_what_was_published_with_it(one: Lab, other: Lab, published: float) -> None:
    """Sharma, Wu and Dalal 2005, table 1."""
    assert ciede2000(one, other) == pytest.approx(published, abs=1e-4)


def smallest_distance(palette: Palette, vision: str) -> float:
    colours = [lab(palette[colour], SEEN[vision]) for colour in Colour] + [lab("#ffffff", SEEN[vision])]
    return min(ciede2000(one, other) for one, other in combinations(colours, 2))


@pytest.mark.parametrize("name", PALETTES)
def test_every_palette_is_clear_to_normal_vision(name: str) -> None:
    assert smallest_distance(PALETTES[name], "normal") >= 15


@pytest.mark.parametrize("vision", ["protanopia", "deuteranopia", "tritanopia"])
@pytest.mark.parametrize("name", ["standard", "own"])
def test_palettes_stay_readable_under_simulated_vision(name: str, vision: str) -> None:
    """Each vision's own palette, and the standard one under all of them."""
    palette = PALETTES[vision if name == "own" else name]
    assert smallest_distance(palette, vision) >= 15


def test_the_standard_colours_differ_in_lightness_too() -> None:
    levels = sorted(lightness(PALETTES["standard"][colour]) for colour in Colour)
    assert all(high - low >= 10 for low, high in pairwise(levels))


def test_texture_gives_each_colour_a_hatch_of_its_own() -> None:
    svg = make_deck(1)[0].svg("texture")
    hatches = [svg.split(f'<pattern id="{colour}-hatch"')[1].split("</pattern>")[0] for colour in Colour]
    marks = {hatch.split("/>", 1)[1] for hatch in hatches}
    assert len(marks) == 4
    assert all(f"fill:url(#{colour}-hatch)" in svg for colour in Colour)


@pytest.mark.parametrize("name", PALETTES)
def test_shares_never_depend_on_the_palette(name: str) -> None:
    def outlines(card: Card, palette: str) -> str:
        return card.svg(palette).split('<rect class="frame"')[1]

    card = make_deck(2)[5]
    assert outlines(card, name) == outlines(card, "standard")

"""Colours can be told apart, also with colour-blind vision: measured with simulated vision and CIEDE2000.

sRGB to CIELAB (D65), and the formula of Sharma, Wu and Dalal 2005.
"""

from itertools import combinations, pairwise
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import numpy as np
import pytest
from numpy.typing import ArrayLike

from illusion.deck import PALETTES, make_deck
from illusion.rules import Colour

Lab = tuple[float, float, float]

TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
SEEN: dict[str, ArrayLike] = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def lab(colour: str, vision: ArrayLike = np.eye(3)) -> Lab:  # noqa: B008  (never changed)
    """A colour like `#d62839` as seen with a vision, given as a matrix on linear RGB."""
    encoded = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    xyz = np.array(TO_XYZ) @ np.clip(np.asarray(vision) @ linear, 0, 1) / [0.95047, 1, 1.08883]
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: Lab, other: Lab) -> float:
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + (1 - sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7))) / 2
    c1, c2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    h1, h2 = degrees(atan2(b1, stretch * a1)) % 360, degrees(atan2(b2, stretch * a2)) % 360
    grey = c1 * c2 == 0
    turn = 0 if grey else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if grey else (h1 + turn / 2) % 360
    chroma, light = (c1 + c2) / 2, (l1 + l2) / 2
    weight = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    d_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    d_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    d_hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    blue = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(d_light**2 + d_chroma**2 + d_hue**2 + blue * d_chroma * d_hue)


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


@pytest.mark.parametrize(
    ("name", "vision"),
    [
        *[(name, "normal") for name in PALETTES],
        *[(name, vision) for vision in ("protanopia", "deuteranopia", "tritanopia") for name in ("standard", vision)],
    ],
)
def test_palettes_are_clear_to_normal_vision_and_readable_under_simulated_vision(name: str, vision: str) -> None:
    """Each vision's own palette, and the standard one under all of them."""
    colours = [PALETTES[name][colour] for colour in Colour] + ["#ffffff"]
    seen = [lab(colour, SEEN[vision]) for colour in colours]
    assert min(ciede2000(one, other) for one, other in combinations(seen, 2)) >= 15


def test_the_standard_colours_differ_in_lightness_too() -> None:
    levels = sorted(lab(PALETTES["standard"][colour])[0] for colour in Colour)
    assert all(high - low >= 10 for low, high in pairwise(levels))


def test_texture_gives_each_colour_a_hatch_of_its_own() -> None:
    svg = make_deck(1)[0].svg("texture")
    hatches = [svg.split(f'<pattern id="{colour}-hatch"')[1].split("</pattern>")[0] for colour in Colour]
    marks = {hatch.split("/>", 1)[1] for hatch in hatches}
    assert len(marks) == 4
    assert all(f"fill:url(#{colour}-hatch)" in svg for colour in Colour)


@pytest.mark.parametrize("name", PALETTES)
def test_a_palette_fills_the_classes_and_changes_no_share(name: str) -> None:
    card = make_deck(2)[5]
    (sheet, outlines), (_, standard) = (card.svg(each).split('<rect class="frame"') for each in (name, "standard"))
    assert outlines == standard
    assert all(PALETTES[name][colour] in sheet for colour in Colour)

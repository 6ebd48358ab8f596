"""A symbol for each colour, so that no information depends on colour alone, and the arrow; around the origin."""

from math import cos, pi, sin
from typing import Final

from illusion.rules import Colour

Point = tuple[float, float]

SYMBOLS: Final[dict[Colour, list[Point]]] = {
    Colour.RED: [(50 * cos(step * pi / 32), 50 * sin(step * pi / 32)) for step in range(64)],
    Colour.YELLOW: [(0, -56), (60, 46), (-60, 46)],
    Colour.GREEN: [(-46, -46), (46, -46), (46, 46), (-46, 46)],
    Colour.BLUE: [(0, -64), (50, 0), (0, 64), (-50, 0)],
}
"""Disc, triangle, square, diamond: about 100 units wide."""

ARROW: Final[list[Point]] = [(-1000, -350), (100, -350), (100, -750), (1000, 0), (100, 750), (100, 350), (-1000, 350)]

"""Reads pictures back from SVG text, independently of the code that drew them."""

import re

import numpy as np
import shapely

from illusion.rules import Colour

WHITE_AREA = 5670 * 8170
CARD_WIDTH = 6300


def rings(data: str) -> list[np.ndarray]:
    """The closed rings of path data, which has only M, relative l and z."""
    assert re.fullmatch(r"(M-?\d+ -?\d+l[-\d ]+z)+", data), data[:80]
    found = []
    for ring in re.findall(r"M([^z]*)z", data):
        numbers = [int(number) for number in re.findall(r"-?\d+", ring)]
        found.append(np.array(numbers).reshape(-1, 2).cumsum(axis=0))
    return found


def paths(svg: str) -> dict[Colour, list[np.ndarray]]:
    return {Colour(name): rings(data) for name, data in re.findall(r'<path class="(\w+)" d="([^"]*)"/>', svg)}


def area(outlines: list[np.ndarray]) -> float:
    """By the shoelace formula; a hole's ring runs the other way round and counts negative."""
    total = 0
    for ring in outlines:
        x, y = ring.T
        total += int((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
    return abs(total) / 2


def regions(outlines: list[np.ndarray]) -> list[shapely.Polygon]:
    """What the even-odd rule fills, as polygons with holes."""
    shapes = [shapely.Polygon(ring) for ring in outlines]
    assert all(shape.is_valid for shape in shapes)
    filled: shapely.Geometry = shapely.Polygon()
    for shape in shapes:
        filled = shapely.symmetric_difference(filled, shape)
    return list(shapely.get_parts(filled))

"""Pieces are clipped and joined as GEOS would do it."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from illusion.deck.families import FAMILIES
from illusion.deck.picture import CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.plane.exact import Dice
from illusion.deck.plane.mosaic import Mosaic, mosaic, mosaic_with_holes
from tests.deck.plane.shapes import polygons

CANVAS = shapely.box(CANVAS_LEFT, CANVAS_TOP, CANVAS_RIGHT, CANVAS_BOTTOM)

around = st.tuples(st.integers(-3000, 9000), st.integers(-3000, 12000))


def grid(side: int = 500, columns: int = 10, rows: int = 14) -> Mosaic:
    squares = [
        np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], dtype=np.float64)
        for y in range(400, 400 + rows * side, side)
        for x in range(400, 400 + columns * side, side)
    ]
    return mosaic(squares, [0] * len(squares))


@given(st.lists(around, min_size=3, max_size=8, unique=True))
def test_a_star_is_clipped_to_what_the_canvas_shows(points: list[tuple[int, int]]) -> None:
    """Any simple polygon: corners around a point, in the order of their angles."""
    middle = np.array(points).mean(axis=0) + 0.37
    order = np.argsort(np.arctan2(*(np.array(points) - middle).T[::-1]), kind="stable")
    star = np.array(points, dtype=np.float64)[order]
    shape = shapely.Polygon(star)
    if not shape.is_valid or shape.area < 1:
        return
    shown = mosaic([star], [0])
    expected = shapely.intersection(shape, CANVAS)
    if expected.area < 1000:
        return
    found = polygons(shown.rings)
    assert all(part.is_valid for part in found.values() if part.area > 100)
    assert sum(part.area for part in found.values()) == pytest.approx(expected.area, rel=1e-3, abs=200)


def test_a_piece_that_falls_apart_becomes_several_with_their_own_holes() -> None:
    """A bow whose middle lies outside the canvas; one of its ends has a hole, and another hole is cut by the frame."""
    bow = [
        (1000, 2000),
        (1000, -2000),
        (5000, -2000),
        (5000, 2000),
        (4000, 2000),
        (4000, -1000),
        (2000, -1000),
        (2000, 2000),
    ]
    hole = [(1300, 1000), (1300, 1400), (1700, 1400), (1700, 1000)]
    notch = [(4300, 100), (4300, 700), (4700, 700), (4700, 100)]
    shown = mosaic_with_holes([[bow, hole, notch]], [7])
    found = sorted(polygons(shown.rings).values(), key=lambda part: part.centroid.x)
    expected = shapely.intersection(shapely.Polygon(bow, [hole, notch]), CANVAS)
    assert shown.layers == [7, 7]
    assert [len(part.interiors) for part in found] == [1, 0]
    assert sum(part.area for part in found) == expected.area
    assert shapely.symmetric_difference(shapely.union_all(found), expected).area == 0


@given(st.sets(st.integers(0, 139), min_size=1))
def test_the_union_of_pieces_is_theirs_by_label(chosen: set[int]) -> None:
    squares = grid()
    labels = np.array([0 if piece in chosen else -1 for piece in range(squares.count)])
    joined = squares.joined(labels)
    single = polygons(squares.rings)
    expected = shapely.union_all([single[piece] for piece in sorted(chosen)])
    assert joined.double_areas().sum() == 2 * expected.area * 16 * 16
    boundary = sum(ring.length for part in shapely.get_parts(expected) for ring in (part.exterior, *part.interiors))
    steps = np.diff(np.append(joined.layout.starts, len(joined.x)))
    assert list(steps) == list(joined.layout.sizes)
    lengths = 0.0
    for start, size in zip(joined.layout.starts, joined.layout.sizes, strict=True):
        ring = np.stack([joined.x, joined.y], axis=1)[start : start + size] / 16
        lengths += np.abs(ring - np.roll(ring, -1, axis=0)).sum()
    assert lengths == pytest.approx(boundary)


@pytest.mark.parametrize("name", ["fish", "truchet", "camouflage", "spiral", "scales"])
def test_all_pieces_of_a_card_joined_are_the_canvas(name: str) -> None:
    """So neighbours share every point of their borders; what is missing are pieces that were left out."""
    whole = FAMILIES[name](Dice(name), 40)
    joined = whole.joined(np.zeros(whole.count, np.int64))
    assert joined.double_areas().sum() == whole.rings.double_areas().sum()
    outlines = joined.double_areas()
    assert (outlines > 0).sum() == 1
    assert len(joined.x) < len(whole.rings.x) / 4

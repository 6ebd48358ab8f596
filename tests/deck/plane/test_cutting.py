"""A cut gives one side the area asked for, leaves a gap, and no side that is too thin."""

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from illusion.deck.plane.cutting import MIN_CUT_AREA, cut

inside = st.tuples(st.integers(400, 5900), st.integers(400, 8400))


@given(st.lists(inside, min_size=3, max_size=12), st.floats(0.1, 0.9))
def test_a_convex_region_is_cut_to_the_area(points: list[tuple[int, int]], part: float) -> None:
    shape = shapely.orient_polygons(shapely.convex_hull(shapely.MultiPoint(points)))
    assume(isinstance(shape, shapely.Polygon))
    assume(not shape.buffer(-250).is_empty)
    assume(min(part, 1 - part) * shape.area > 3 * MIN_CUT_AREA)
    sides = cut([shapely.get_coordinates(shape)[:-1]], shape.area, part * shape.area)
    if sides is None:
        return
    (one,), (other,) = sides
    assert shapely.Polygon(one).area == pytest.approx(part * shape.area, abs=max(600, 0.02 * shape.area))
    assert shapely.distance(shapely.Polygon(one), shapely.Polygon(other)) == pytest.approx(44, abs=0.01)
    assert shape.buffer(0.01).covers(shapely.Polygon(one))
    assert shape.buffer(0.01).covers(shapely.Polygon(other))


def test_a_cut_may_go_through_holes() -> None:
    outline = np.array([(1000, 1000), (5000, 1000), (5000, 3000), (1000, 3000)], dtype=np.float64)
    holes = [
        np.array([(x, 1700), (x, 2300), (x + 600, 2300), (x + 600, 1700)], dtype=np.float64) for x in (1500, 2700, 3900)
    ]
    whole = shapely.Polygon(outline, holes)
    for part in (0.2, 0.45, 0.5, 0.8):
        sides = cut([outline, *holes], whole.area, part * whole.area)
        assert sides is not None
        one, other = (shapely.Polygon(side[0], side[1:]) for side in sides)
        assert one.is_valid
        assert other.is_valid
        assert one.area == pytest.approx(part * whole.area, abs=1000)
        assert shapely.distance(one, other) == pytest.approx(44, abs=0.01)
        assert len(one.interiors) + len(other.interiors) <= 3


def test_what_would_be_too_small_or_too_thin_is_refused() -> None:
    square = np.array([(1000, 1000), (1300, 1000), (1300, 1300), (1000, 1300)], dtype=np.float64)
    assert cut([square], 90_000, 1_000) is None
    crescent = np.array([(1000, 1000), (4000, 1000), (4000, 1300), (3990, 1080), (1000, 1080)], dtype=np.float64)
    assert cut([crescent], shapely.Polygon(crescent).area, 120_000, tries=1) is None

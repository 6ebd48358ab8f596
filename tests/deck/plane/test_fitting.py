"""Outlines of all colours are offset to the areas asked for, or refused if that would take more than a small offset."""

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely.geometry import Polygon

from illusion.deck.picture import WHITE_AREA
from illusion.deck.plane.fitting import SHORT, CannotFit, fit_areas
from illusion.deck.plane.rings import Numbers

inside = st.tuples(st.integers(400, 5900), st.integers(400, 8400))


@st.composite
def shapes(draw: st.DrawFn) -> Polygon:
    """Convex shapes of some size, away from the frame, none of whose edges is short."""
    points = draw(st.lists(inside, min_size=3, max_size=12))
    shape = shapely.convex_hull(shapely.MultiPoint(points))
    assume(isinstance(shape, Polygon))
    assume(not shape.buffer(-400).is_empty)
    corners = shapely.get_coordinates(shapely.orient_polygons(shape))
    assume(np.hypot(*np.diff(corners, axis=0).T).min() >= SHORT)  # a corner that is dropped has to be made up for
    return Polygon(corners)


def rings(shape: Polygon) -> list[Numbers]:
    """An outline and its holes, without the point that closes each."""
    oriented = shapely.orient_polygons(shape)
    return [shapely.get_coordinates(ring)[:-1] for ring in (oriented.exterior, *oriented.interiors)]


@given(shapes(), shapes(), st.floats(-0.4, 0.25))
def test_two_colours_take_the_areas_asked_for(one: Polygon, other: Polygon, wider: float) -> None:
    """As much as even the sharpest of these shapes can give and take: a sharp point may not move far."""
    wanted = [shape.area + wider * shape.length for shape in (one, other)]
    fitted = fit_areas([[rings(one)], [rings(other)]], wanted)
    for ((outline,),), area, shape in zip(fitted, wanted, (one, other), strict=True):
        assert outline.dtype == np.int64
        assert Polygon(outline).area == pytest.approx(area, abs=WHITE_AREA / 100 * 0.02)
        assert Polygon(outline).hausdorff_distance(shape) < 10


def test_holes_shrink_when_the_region_grows() -> None:
    ring = Polygon(shapely.Point(3000, 4000).buffer(1500).exterior, [shapely.Point(3000, 4000).buffer(600).exterior])
    (((outline, hole),),) = fit_areas([[rings(ring)]], [ring.area + 0.8 * ring.length])
    assert Polygon(outline).area > Polygon(ring.exterior).area
    assert Polygon(hole).area < Polygon(ring.interiors[0]).area


def test_edges_on_the_frame_stay_there() -> None:
    corner = Polygon([(315, 315), (2000, 315), (1500, 3000), (315, 2500)])
    (((outline,),),) = fit_areas([[rings(corner)]], [corner.area - 4_000])
    points = {tuple(point) for point in outline.tolist()}
    assert (315, 315) in points
    assert sum(x == 315 for x, _ in points) == 2
    assert sum(y == 315 for _, y in points) == 2


@pytest.mark.parametrize("factor", [0.98, 1.02])
def test_what_a_small_shift_cannot_do_is_refused(factor: float) -> None:
    square = shapely.box(1000, 1000, 2000, 2000)
    with pytest.raises(CannotFit):
        fit_areas([[rings(square)]], [square.area * factor])


def test_what_the_short_edges_of_a_long_shape_take_away_is_too_much_for_a_small_shift() -> None:
    bar = Polygon([(400, 400), (5900, 400), (5901, 402), (5800, 1300), (400, 1300), (399, 1298)])
    assert fit_areas([[rings(bar)]], [bar.area])
    with pytest.raises(CannotFit):
        fit_areas([[rings(bar)]], [bar.area + 0.4 * bar.length])


def test_an_outline_that_crosses_itself_is_refused() -> None:
    knot = np.array([(1000, 1000), (3000, 1000), (3000, 3000), (2000, 900), (1000, 3000)], dtype=np.float64)
    with pytest.raises(CannotFit):
        fit_areas([[[knot]]], [Polygon(knot).area])

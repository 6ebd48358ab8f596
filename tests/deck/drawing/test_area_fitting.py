"""Outlines are offset to the area asked for, or refused if that would take more than a small offset."""

import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely.geometry import Polygon

from illusion.deck.drawing.area_fitting import AreaOutOfReach, fit_area
from illusion.deck.drawing.card_face import WHITE_AREA

inside = st.tuples(st.integers(400, 5900), st.integers(400, 8400))


@st.composite
def shapes(draw: st.DrawFn) -> Polygon:
    """Convex shapes of some size, away from the frame."""
    points = draw(st.lists(inside, min_size=3, max_size=12))
    shape = shapely.convex_hull(shapely.MultiPoint(points))
    assume(isinstance(shape, Polygon))
    assume(not shape.buffer(-400).is_empty)
    return Polygon(shapely.get_coordinates(shape))


@given(shapes(), st.floats(-6, 0.5))
def test_a_polygon_takes_the_area_asked_for(shape: Polygon, wider: float) -> None:
    wanted = shape.area + wider * shape.length
    ((outline,),) = fit_area([shape], wanted)
    assert Polygon(outline).area == pytest.approx(wanted, abs=WHITE_AREA / 100 * 0.02)
    assert Polygon(outline).hausdorff_distance(shape) < 60


def test_holes_shrink_when_the_region_grows() -> None:
    ring = Polygon(shapely.Point(3000, 4000).buffer(1500).exterior, [shapely.Point(3000, 4000).buffer(600).exterior])
    ((outline, hole),) = fit_area([ring], ring.area + 0.8 * ring.length)
    assert Polygon(outline).area > Polygon(ring.exterior).area
    assert Polygon(hole).area < Polygon(ring.interiors[0]).area


def test_edges_on_the_frame_stay_there() -> None:
    corner = Polygon([(315, 315), (2000, 315), (1500, 3000), (315, 2500)])
    ((outline,),) = fit_area([corner], corner.area - 20_000)
    points = {tuple(point) for point in outline.tolist()}
    assert (315, 315) in points
    assert sum(x == 315 for x, _ in points) == 2
    assert sum(y == 315 for _, y in points) == 2


@pytest.mark.parametrize("factor", [0.5, 1.1])
def test_what_a_small_shift_cannot_do_is_refused(factor: float) -> None:
    square = shapely.box(1000, 1000, 2000, 2000)
    with pytest.raises(AreaOutOfReach):
        fit_area([square], square.area * factor)

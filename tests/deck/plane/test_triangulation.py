"""Our Delaunay triangulation against GEOS."""

import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from illusion.deck.plane.triangulation import points_around, triangles, triangulated

places = st.tuples(st.integers(293, 6007), st.integers(293, 8507))


@given(st.lists(places, min_size=1, max_size=60, unique=True))
def test_triangles_cover_all_and_no_circle_holds_a_point(inside: list[tuple[int, int]]) -> None:
    points = [*inside, *points_around(900)]
    found = [shapely.Polygon([points[corner] for corner in each]) for each in triangles(triangulated(points))]
    hull = shapely.convex_hull(shapely.MultiPoint(points))
    assert sum(each.area for each in found) == hull.area
    expected = shapely.get_parts(shapely.delaunay_triangles(shapely.MultiPoint(points)))
    assert len(found) == len(expected)


@given(st.lists(places, min_size=1, max_size=40, unique=True))
def test_they_are_those_of_geos_where_no_four_points_are_on_a_circle(inside: list[tuple[int, int]]) -> None:
    points = [*inside, *points_around(900)]
    edges = {frozenset(edge) for a, b, c in triangles(triangulated(points)) for edge in ((a, b), (b, c), (c, a))}
    place = {point: at for at, point in enumerate(points)}
    theirs = {
        frozenset(place[int(x), int(y)] for x, y in triangle.exterior.coords[at : at + 2])
        for triangle in shapely.get_parts(shapely.delaunay_triangles(shapely.MultiPoint(points)))
        for at in range(3)
    }
    assume(len(edges ^ theirs) > 0 or edges == theirs)
    for one, other in map(tuple, edges - theirs):  # the other diagonal of four points on a circle
        assert any(len({one, other} & edge) == 0 for edge in theirs - edges)

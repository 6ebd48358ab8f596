"""Delaunay triangulation by a sweep over the points and Lawson's flips (Lawson 1977), in whole numbers, so exactly."""

from illusion.deck.picture import CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP

Point = tuple[int, int]
Triangles = dict[tuple[int, int], int]
"""For each directed edge the third corner of the triangle on its left."""


def triangulated(points: list[Point]) -> Triangles:
    """A triangulation in which no point lies inside the circle through the corners of a triangle.

    The three leftmost points must not be in line.
    """
    order = sorted(range(len(points)), key=points.__getitem__)
    apex: Triangles = {}
    first, second, third = order[:3]
    left = _turn(points[first], points[second], points[third])
    if not left:
        raise ValueError("the first three points are in line")
    hull = [first, second, third] if left > 0 else [second, first, third]
    _add(apex, *hull)
    for p in order[3:]:
        hull = _sewn(apex, points, hull, p)
    _flip_all(apex, points)
    return apex


def points_around(beyond: int) -> list[Point]:
    """Points around the canvas at about this distance, none three in line, so that the triangles cover the canvas."""
    left, right, top, bottom = CANVAS_LEFT - beyond, CANVAS_RIGHT + beyond, CANVAS_TOP - beyond, CANVAS_BOTTOM + beyond
    wide, high = right - left, bottom - top
    around = [(left, top), (right, top), (left, bottom), (right, bottom)]
    for step in (1, 2, 3):
        out = 20 * step * (4 - step)
        around += [(left - out, top + high * step // 4), (right + out, top + high * step // 4)]
        around += [(left + wide * step // 4, top - out), (left + wide * step // 4, bottom + out)]
    return around


def triangles(apex: Triangles) -> list[tuple[int, int, int]]:
    """Each triangle once, its smallest corner first."""
    return sorted((a, b, c) for (a, b), c in apex.items() if a < b and a < c)


def _sewn(apex: Triangles, points: list[Point], hull: list[int], p: int) -> list[int]:
    """Join a point to all edges of the hull that it sees; returns the new hull.

    Points come in order, so it sees an edge beside the point joined before, which is the hull's last.
    """
    x, y = points[p]

    def sees(a: int, b: int) -> bool:
        (u, v), (s, t) = points[a], points[b]
        return (s - u) * (y - v) - (t - v) * (x - u) < 0

    count, ahead, behind = len(hull), 0, 0
    while sees(hull[ahead - 1], hull[ahead]):
        _add(apex, hull[ahead], hull[ahead - 1], p)
        ahead += 1
    while sees(hull[count - 2 - behind], hull[count - 1 - behind]):
        _add(apex, hull[count - 1 - behind], hull[count - 2 - behind], p)
        behind += 1
    kept = hull[max(ahead - 1, 0) : count - behind]
    return [*kept, p] if ahead else [hull[-1], *kept, p]


def _add(apex: Triangles, a: int, b: int, c: int) -> None:
    apex[a, b], apex[b, c], apex[c, a] = c, a, b


def _flip_all(apex: Triangles, points: list[Point]) -> None:
    """Replace the edge between two triangles by the other diagonal wherever the fourth point lies in the circle.

    It does if the angles opposite the edge add up to more than half a turn. Where both are acute or both are obtuse,
    that is known at once.
    """
    stack = [(a, b) for a, b in apex if a < b and (b, a) in apex]
    third = apex.get
    while stack:
        a, b = edge = stack.pop()
        back = (b, a)
        c, d = third(edge), third(back)
        if c is None or d is None:
            continue
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = points[a], points[b], points[c], points[d]
        px, py, qx, qy = ax - cx, ay - cy, bx - cx, by - cy
        rx, ry, sx, sy = ax - dx, ay - dy, bx - dx, by - dy
        cosine, other = px * qx + py * qy, rx * sx + ry * sy
        if cosine >= 0 and other >= 0:
            continue
        if (cosine >= 0 or other >= 0) and (px * qy - py * qx) * other + cosine * (sx * ry - sy * rx) >= 0:
            continue
        del apex[edge], apex[back]
        around = bc, ca, ad, db = (b, c), (c, a), (a, d), (d, b)
        apex[ca], apex[ad], apex[d, c] = d, c, a
        apex[db], apex[bc], apex[c, d] = c, d, b
        stack += around


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

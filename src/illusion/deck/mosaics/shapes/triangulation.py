"""Delaunay triangulation by a sweep over the points and Lawson's flips (Lawson 1977), in whole numbers, so exactly."""

from itertools import pairwise

Point = tuple[int, int]
Triangles = dict[tuple[int, int], int]
"""For each directed edge the third corner of the triangle on its left."""


def triangulated(points: list[Point]) -> Triangles:
    """A triangulation in which no point lies inside the circle through the corners of a triangle.

    Some edges at the outer border may be missing where points are nearly in line; put distant points around those that
    matter.
    """
    order = sorted(range(len(points)), key=points.__getitem__)
    apex: Triangles = {}
    first, second = order[:2]
    hull = [first, second]
    rest = order[2:]
    # Points on one line at the start: wait for the first that is off it.
    off = next(at for at, p in enumerate(rest) if _turn(points[first], points[second], points[p]))
    rest.insert(0, rest.pop(off))
    hull = (
        [first, second, rest[0]]
        if _turn(points[first], points[second], points[rest[0]]) > 0
        else [first, rest[0], second]
    )
    _add(apex, *hull)
    for p in rest[1:]:
        hull = _sewn(apex, points, hull, p)
    _flip_all(apex, points)
    return apex


def triangles(apex: Triangles) -> list[tuple[int, int, int]]:
    """Each triangle once, its smallest corner first."""
    return sorted((a, b, c) for (a, b), c in apex.items() if a < b and a < c)


def _sewn(apex: Triangles, points: list[Point], hull: list[int], p: int) -> list[int]:
    """Join a point outside the hull to all hull edges it sees; returns the new hull."""
    x, y = points[p]
    seen = []
    for a, b in pairwise([*hull, hull[0]]):
        (u, v), (s, t) = points[a], points[b]
        seen.append((s - u) * (y - v) - (t - v) * (x - u) < 0)
    count = len(hull)
    start = next(at for at in range(count) if seen[at] and not seen[at - 1])
    end = start
    while seen[end % count]:
        a, b = hull[end % count], hull[(end + 1) % count]
        _add(apex, b, a, p)
        end += 1
    kept = [hull[at % count] for at in range(end, start + count + 1)]
    return [*kept, p]


def _add(apex: Triangles, a: int, b: int, c: int) -> None:
    apex[a, b], apex[b, c], apex[c, a] = c, a, b


def _flip_all(apex: Triangles, points: list[Point]) -> None:
    stack = [(a, b) for a, b in apex if a < b and (b, a) in apex]
    while stack:
        a, b = stack.pop()
        c, d = apex.get((a, b)), apex.get((b, a))
        if c is None or d is None or not _in_circle(points[a], points[b], points[c], points[d]):
            continue
        del apex[a, b], apex[b, a]
        _add(apex, c, a, d)
        _add(apex, d, b, c)
        stack += [(b, c), (c, a), (a, d), (d, b)]


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _in_circle(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether d lies inside the circle through a, b and c, which turn left."""
    ax, ay, bx, by, cx, cy = a[0] - d[0], a[1] - d[1], b[0] - d[0], b[1] - d[1], c[0] - d[0], c[1] - d[1]
    return (
        (ax * ax + ay * ay) * (bx * cy - by * cx)
        - (bx * bx + by * by) * (ax * cy - ay * cx)
        + (cx * cx + cy * cy) * (ax * by - ay * bx)
    ) > 0

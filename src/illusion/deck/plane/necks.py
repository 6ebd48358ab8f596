"""Where pieces are too narrow: corners near an opposite edge, and outlines that cross themselves.

Edges vanish one after another when a piece shrinks, but at a narrow neck a piece would fall in two (a split event).
Such pieces are found here: every corner is compared with every edge of its piece, and every edge with every other.
"""

from typing import Final

import numpy as np

from illusion.deck.picture import GAP, MIN_WIDTH
from illusion.deck.plane.rings import FINE, Lines, Mask, Numbers, Rings, Whole

HALF_MIN_WIDTH: Final = MIN_WIDTH / 2 + 2
"""Half the width that every region has everywhere; a little more than needed, because fitting areas may shrink it."""
SHALLOW: Final = GAP / 2
DEEP: Final = SHALLOW + HALF_MIN_WIDTH
"""Where a piece is narrower than twice this, nothing is left between the gaps."""


def narrow_pieces(lines: Lines, piece: Whole) -> tuple[Whole, Whole]:
    """Pieces in which an inward corner is nearer than twice `DEEP` to an edge on the opposite side.

    First all of them, then those in which what lies on either side is more than a tip or a tail.
    """
    corners = (lines.turn < -0.01).nonzero()[0]
    if not len(corners):
        return corners, corners
    of_line = piece.repeat(lines.layout.sizes)
    firsts, lasts = (of_line.searchsorted(of_line[corners], side) for side in ("left", "right"))
    corner, edge = _expanded(corners, firsts, lasts - firsts)
    # The inward normal of a line (x, y) is (-y, x).
    px, py = lines.start_x, lines.start_y
    dx, dy = px.take(corner) - px.take(edge), py.take(corner) - py.take(edge)
    high = lines.x.take(edge) * dy - lines.y.take(edge) * dx
    near = ((high > 0) & (high < 2 * DEEP)).nonzero()[0]
    corner, edge, high, dx, dy = corner[near], edge[near], high[near], dx[near], dy[near]
    ex, ey = lines.x[edge], lines.y[edge]
    ax, ay, bx, by = lines.before_x[corner], lines.before_y[corner], lines.x[corner], lines.y[corner]
    along = ex * dx + ey * dy
    last = lines.layout.after[edge]
    length = ex * (px[last] - px[edge]) + ey * (py[last] - py[edge])
    beyond = np.where(along < 0, -along, np.maximum(along - length, 0))
    # One of the corner's two edges must face the edge.
    facing = np.minimum(ax * ex + ay * ey, bx * ex + by * ey) < -0.5
    facing &= high * high + beyond * beyond < 4 * DEEP * DEEP
    # The nearest point of the edge must lie on the corner's inner side.
    reach = np.minimum(np.maximum(along, 0), length) - along
    away_x, away_y = reach * ex + high * ey, reach * ey - high * ex
    found = (facing & ((ax + bx) * away_y - (ay + by) * away_x > 0)).nonzero()[0]
    corner, edge = corner[found], edge[found]
    if not len(corner):
        return corner, corner
    cut_off = _cut_off(lines, corner, edge, px[corner] + away_x[found], py[corner] + away_y[found])
    narrow: Whole = of_line[corner]
    return narrow, narrow[cut_off]


def _expanded(items: Whole, starts: Whole, counts: Whole) -> tuple[Whole, Whole]:
    """Each item repeated by its count, and beside it the numbers from its start on."""
    before: Whole = counts.cumsum() - counts
    steps: Whole = (starts - before).repeat(counts)
    return items.repeat(counts), np.arange(len(steps)) + steps


def _cut_off(lines: Lines, corner: Whole, edge: Whole, foot_x: Numbers, foot_y: Numbers) -> Mask:
    """Whether both sides of the line from a corner to a point on an edge are more than a tip or a tail.

    What holds a disc of the radius r and is convex has an area of at least half its perimeter times r. If the corner
    and the edge are on different rings, nothing is cut off, and both remain.
    """
    x, y, layout = lines.start_x, lines.start_y, lines.layout
    after = layout.after
    dx, dy = x[after] - x, y[after] - y
    turns = np.rint((x * y[after] - y * x[after]) * FINE).astype(np.int64)
    steps = np.rint(np.sqrt(dx * dx + dy * dy) * FINE).astype(np.int64)
    turned, walked = np.concatenate([[0], turns.cumsum()]), np.concatenate([[0], steps.cumsum()])
    ring, starts, ends = layout.ring, layout.starts, layout.ends
    of = ring[corner]
    forward = corner <= edge
    first, last = np.where(forward, corner, edge + 1), np.where(forward, edge, corner)
    # Around one side: along the ring from `first` to `last`, and back over the foot.
    near = np.where(forward, edge, after[edge])
    closing = x[last] * foot_y - y[last] * foot_x, foot_x * y[first % len(x)] - foot_y * x[first % len(x)]
    chord_x, chord_y = foot_x - x[corner], foot_y - y[corner]
    chord = np.sqrt(chord_x * chord_x + chord_y * chord_y)
    to_foot_x, to_foot_y = foot_x - x[near], foot_y - y[near]
    to_foot = np.sqrt(to_foot_x * to_foot_x + to_foot_y * to_foot_y)
    area = (turned[last] - turned[first]) / FINE + closing[0] + closing[1]
    perimeter = (walked[last] - walked[first]) / FINE + chord + to_foot
    whole_area = (turned[ends] - turned[starts])[of] / FINE
    whole_perimeter = (walked[ends] - walked[starts])[of] / FINE
    rest_area, rest_perimeter = whole_area - area, whole_perimeter - perimeter + 2 * chord
    bodies: Mask = (area > DEEP * perimeter) & (rest_area > DEEP * rest_perimeter)
    bodies |= of != ring[edge]
    return bodies


def crossing_pieces(rings: Rings) -> Whole:
    """Pieces whose outlines or holes cross themselves or each other."""
    x, y, after = rings.x.astype(np.float64), rings.y.astype(np.float64), rings.layout.after
    far_x, far_y = x[after], y[after]
    of_edge = rings.piece.repeat(rings.layout.sizes)
    edges, firsts = np.arange(len(x)), of_edge.searchsorted(of_edge)
    a, c = _expanded(edges, firsts, edges - firsts)
    for low, high in ((np.minimum(x, far_x), np.maximum(x, far_x)), (np.minimum(y, far_y), np.maximum(y, far_y))):
        near = ((low.take(a) <= high.take(c)) & (low.take(c) <= high.take(a))).nonzero()[0]
        a, c = a[near], c[near]
    b, d = after[a], after[c]
    apart: Whole = ((b != c) & (d != a)).nonzero()[0]
    if not len(apart):
        return apart
    a, b, c, d = a[apart], b[apart], c[apart], d[apart]
    # On which side of the line through a and b the points c and d lie, and the other way round.
    ax, ay, cx, cy = x[a], y[a], x[c], y[c]
    px, py, qx, qy, dx, dy = x[b] - ax, y[b] - ay, x[d] - cx, y[d] - cy, cx - ax, cy - ay
    c_side, a_side = np.sign(px * dy - py * dx), np.sign(qy * dx - qx * dy)
    d_side, b_side = np.sign(px * (dy + qy) - py * (dx + qx)), np.sign(qx * (py - dy) - qy * (px - dx))
    crossed = (c_side * d_side <= 0) & (a_side * b_side <= 0)
    pieces: Whole = of_edge[a[crossed]]
    return pieces

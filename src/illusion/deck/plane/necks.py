"""Where pieces are too narrow: corners near an opposite edge, and outlines that cross themselves.

Edges vanish one after another when a piece shrinks, but at a narrow neck a piece would fall in two (a split event).
Such pieces are found here. Boxes around a few edges are compared before the edges themselves.
"""

from typing import Final, NamedTuple

import numpy as np

from illusion.deck.picture import GAP, MIN_WIDTH
from illusion.deck.plane.rings import FINE, Lines, Mask, Numbers, RingLayout, Rings, Whole

HALF_MIN_WIDTH: Final = MIN_WIDTH / 2 + 2
"""Half the width that every region has everywhere; a little more than needed, because fitting areas may shrink it."""
SHALLOW: Final = GAP / 2
DEEP: Final = SHALLOW + HALF_MIN_WIDTH
"""Where a piece is narrower than twice this, nothing of it would be left between the gaps."""
_IN_BOX: Final = 8
"""The number of edges in a box, at most."""
_STEPS: Final = np.arange(_IN_BOX)[:, None]
_APART: Final = (np.arange(_IN_BOX) + 1 < _STEPS)[:, :, None]


class _Boxes(NamedTuple):
    """Boxes around up to eight edges of a ring that follow each other."""

    starts: Whole
    """The first edge of each."""
    edges: Whole
    """A column for each box: its edges, then others where it has fewer than eight."""
    spare: Mask
    """Which of these are others."""
    left: Numbers
    right: Numbers
    top: Numbers
    bottom: Numbers


def narrow_pieces(lines: Lines, piece: Whole) -> tuple[Whole, Whole]:
    """Pieces in which an inward corner is nearer than twice `DEEP` to an edge on the opposite side.

    First all of them, then those in which what lies on either side is more than a tip or a tail.
    """
    corners = (lines.turn < -0.01).nonzero()[0]
    if not len(corners):
        return corners, corners
    of_line = piece.repeat(lines.layout.sizes)
    corner, edge = _near_pairs(lines, corners, of_line)
    # The inward normal of a line (x, y) is (-y, x).
    px, py, ex, ey = lines.start_x, lines.start_y, lines.x[edge], lines.y[edge]
    ax, ay, bx, by = lines.before_x[corner], lines.before_y[corner], lines.x[corner], lines.y[corner]
    edge_x, edge_y = px[edge], py[edge]
    dx, dy = px[corner] - edge_x, py[corner] - edge_y
    high = ex * dy - ey * dx
    along = ex * dx + ey * dy
    last = lines.layout.after[edge]
    length = ex * (px[last] - edge_x) + ey * (py[last] - edge_y)
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


def _near_pairs(lines: Lines, corners: Whole, of_line: Whole) -> tuple[Whole, Whole]:
    """Corners with edges of the same piece whose lines pass less than twice `DEEP` from them, on their inner side.

    Boxes around a few edges are compared first.
    """
    px, py, reach = lines.start_x, lines.start_y, 2 * DEEP
    boxes = _boxes(px, py, lines.layout)
    left, right, top, bottom = boxes.left - reach, boxes.right + reach, boxes.top - reach, boxes.bottom + reach
    of_box = of_line[boxes.starts]
    first_corner = corners.searchsorted(boxes.starts)
    corner_counts = np.concatenate([first_corner[1:], [len(corners)]]) - first_corner
    own = corner_counts.nonzero()[0]
    of_own = of_box[own]
    first = of_box.searchsorted(of_own)
    own, box = _expanded(own, first, of_box.searchsorted(of_own, side="right") - first)
    near = (left[own] < boxes.right[box]) & (boxes.left[box] < right[own])
    near &= (top[own] < boxes.bottom[box]) & (boxes.top[box] < bottom[own])
    pairs = near.nonzero()[0]
    own, box = own[pairs], box[pairs]
    box, at = _expanded(box, first_corner[own], corner_counts[own])
    corner = corners[at]
    x, y = px[corner], py[corner]
    near = (x > left[box]) & (x < right[box]) & (y > top[box]) & (y < bottom[box])
    pairs = near.nonzero()[0]
    corner, box = corner[pairs], box[pairs]
    # A column for each corner and box, a row for each edge in the box.
    edges: Whole = boxes.edges.take(box, 1)
    high = lines.x.take(edges) * (y[pairs] - py.take(edges)) - lines.y.take(edges) * (x[pairs] - px.take(edges))
    found = ((high > 0) & (high < reach) & ~boxes.spare.take(box, 1)).ravel().nonzero()[0]
    return corner[found % len(corner)], edges.ravel()[found]


def _boxes(x: Numbers, y: Numbers, layout: RingLayout) -> _Boxes:
    after, count = layout.after, len(x)
    starts = ((np.arange(count) - layout.starts.repeat(layout.sizes)) % _IN_BOX == 0).nonzero()[0]
    edges = _STEPS + starts
    spare = edges >= np.concatenate([starts[1:], [count]])
    far_x, far_y = x[after], y[after]
    return _Boxes(
        starts,
        np.minimum(edges, count - 1),
        spare,
        np.minimum.reduceat(np.minimum(x, far_x), starts),
        np.maximum.reduceat(np.maximum(x, far_x), starts),
        np.minimum.reduceat(np.minimum(y, far_y), starts),
        np.maximum.reduceat(np.maximum(y, far_y), starts),
    )


def _expanded(items: Whole, starts: Whole, counts: Whole) -> tuple[Whole, Whole]:
    """Each item as often as its count, and beside it the numbers from its start on."""
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
    """Pieces whose outlines or holes cross themselves or each other; boxes around a few edges are compared first."""
    x, y, after = rings.x.astype(np.float64), rings.y.astype(np.float64), rings.layout.after
    boxes = _boxes(x, y, rings.layout)
    of_box = rings.piece[rings.layout.ring[boxes.starts]]
    box, first = np.arange(len(of_box)), of_box.searchsorted(of_box)
    box, other = _expanded(box, first, box - first + 1)
    left, right, top, bottom = boxes.left, boxes.right, boxes.top, boxes.bottom
    near = (left[box] <= right[other]) & (left[other] <= right[box])
    near &= (top[box] <= bottom[other]) & (top[other] <= bottom[box])
    pairs = near.nonzero()[0]
    box, other = box[pairs], other[pairs]
    # Every edge of the one box with every edge of the other.
    edges = boxes.edges
    far_x, far_y = x[after], y[after]
    left, right = np.minimum(x, far_x).take(edges), np.maximum(x, far_x).take(edges)
    top, bottom = np.minimum(y, far_y).take(edges), np.maximum(y, far_y).take(edges)
    left[boxes.spare] = np.inf
    overlap = left.take(box, 1)[:, None] <= right.take(other, 1)
    overlap &= left.take(other, 1) <= right.take(box, 1)[:, None]
    overlap &= top.take(box, 1)[:, None] <= bottom.take(other, 1)
    overlap &= top.take(other, 1) <= bottom.take(box, 1)[:, None]
    same = (box == other).nonzero()[0]
    overlap[:, :, same] &= _APART  # within a box, an edge is compared with those before its neighbour only
    found = overlap.ravel().nonzero()[0]
    rows, pair = np.divmod(found, len(box))
    a, c = edges[rows // _IN_BOX, box[pair]], edges[rows % _IN_BOX, other[pair]]
    b, d = after[a], after[c]
    apart: Whole = ((a > c) & (b != c) & (d != a)).nonzero()[0]
    if not len(apart):
        return apart
    a, b, c, d = a[apart], b[apart], c[apart], d[apart]
    # On which side of the line through a and b the points c and d lie, and the other way round.
    ax, ay, cx, cy = x[a], y[a], x[c], y[c]
    px, py, qx, qy, dx, dy = x[b] - ax, y[b] - ay, x[d] - cx, y[d] - cy, cx - ax, cy - ay
    c_side, a_side = np.sign(px * dy - py * dx), np.sign(qy * dx - qx * dy)
    d_side, b_side = np.sign(px * (dy + qy) - py * (dx + qx)), np.sign(qx * (py - dy) - qy * (px - dx))
    crossed = (c_side * d_side <= 0) & (a_side * b_side <= 0)
    pieces: Whole = rings.piece[rings.layout.ring[a[crossed]]]
    return pieces

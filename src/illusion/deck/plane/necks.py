"""Where pieces are too narrow: corners near an opposite edge, and outlines that cross themselves.

Edges vanish one after another when a piece shrinks, but at a narrow neck a piece would fall in two (a split event).
Such pieces are found here. Boxes around a few edges are compared before the edges themselves.
"""

from typing import Final, NamedTuple, TypeVar

import numpy as np

from illusion.deck.card_face import GAP, MIN_WIDTH
from illusion.deck.plane.rings import FINE, Mask, Numbers, Rings, Whole, following, preceding

HALF_MIN_WIDTH: Final = MIN_WIDTH / 2 + 2
"""Half the width that every region has everywhere; a little more than needed, because fitting areas may shrink it."""
SHALLOW: Final = GAP / 2
DEEP: Final = SHALLOW + HALF_MIN_WIDTH
"""Where a piece is narrower than twice this, nothing of it would be left between the gaps."""

Coordinates = TypeVar("Coordinates", Numbers, Whole)


class Lines(NamedTuple):
    """The edges of rings as directed lines. The inside is on the left (turning from x to y)."""

    start_x: Numbers
    start_y: Numbers
    x: Numbers
    """The direction, a unit vector."""
    y: Numbers
    length: Numbers
    """The edge's length before any were dropped."""
    number: Whole
    """The edge's place before any were dropped."""
    sizes: Whole
    ring: Whole

    def keep(self, wanted: Mask, sizes: Whole, rings: Mask) -> "Lines":
        return Lines(
            self.start_x[wanted],
            self.start_y[wanted],
            self.x[wanted],
            self.y[wanted],
            self.length[wanted],
            self.number[wanted],
            sizes[rings],
            self.ring[rings],
        )


def narrow_pieces(lines: Lines, piece: Whole) -> tuple[Whole, Whole]:
    """Pieces in which an inward corner is nearer than twice `DEEP` to an edge on the opposite side.

    First all of them, then those in which what lies on either side is more than a tip or a tail.
    """
    before, after = preceding(lines.sizes), following(lines.sizes)
    ux, uy = lines.x[before], lines.y[before]
    corners = np.flatnonzero(ux * lines.y - uy * lines.x < -0.01)
    if not len(corners):
        return corners, corners
    of_line = piece.repeat(lines.sizes)
    corner, edge = _near_pairs(lines, after, corners, of_line)
    # The inward normal of a line (x, y) is (-y, x).
    px, py = lines.start_x, lines.start_y
    dx, dy = px[corner] - px[edge], py[corner] - py[edge]
    high = lines.x[edge] * dy - lines.y[edge] * dx
    near = (high > 0) & (high < 2 * DEEP)
    corner, edge, dx, dy, high = corner[near], edge[near], dx[near], dy[near], high[near]
    nx, ny = -(uy + lines.y)[corner], (ux + lines.x)[corner]
    ex, ey = lines.x[edge], lines.y[edge]
    along = ex * dx + ey * dy
    last = after[edge]
    length = ex * (px[last] - px[edge]) + ey * (py[last] - py[edge])
    beyond = np.where(along < 0, -along, np.maximum(along - length, 0))
    # One of the corner's two edges must face the edge.
    facing = np.minimum(ux[corner] * ex + uy[corner] * ey, lines.x[corner] * ex + lines.y[corner] * ey) < -0.5
    facing &= high * high + beyond * beyond < 4 * DEEP * DEEP
    # The nearest point of the edge must lie on the corner's inner side.
    reach = np.minimum(np.maximum(along, 0), length) - along
    away_x, away_y = reach * ex + high * ey, reach * ey - high * ex
    found = facing & (nx * away_x + ny * away_y > 0)
    corner, edge = corner[found], edge[found]
    if not len(corner):
        return corner, corner
    cut_off = _cut_off(lines, corner, edge, px[corner] + away_x[found], py[corner] + away_y[found])
    narrow: Whole = of_line[corner]
    return narrow, narrow[cut_off]


def _near_pairs(lines: Lines, after: Whole, corners: Whole, of_line: Whole) -> tuple[Whole, Whole]:
    """Corners with edges of the same piece that may be near; boxes around a few edges are compared first."""
    px, py, reach = lines.start_x, lines.start_y, 2 * DEEP
    starts, counts, (left, right, top, bottom) = _boxes(px, py, lines.sizes, after)
    first_corner = np.searchsorted(corners, starts)
    corner_counts = np.diff(np.append(first_corner, len(corners)))
    own = corner_counts.nonzero()[0]
    own, box = _with_each(own, of_line[starts[own]], of_line[starts])
    near = (left[own] - reach < right[box]) & (left[box] < right[own] + reach)
    near &= (top[own] - reach < bottom[box]) & (top[box] < bottom[own] + reach)
    own, box = own[near], box[near]
    at, pair = _expanded(first_corner[own], corner_counts[own])
    corner, box = corners[at], box[pair]
    x, y = px[corner], py[corner]
    near = (x > left[box] - reach) & (x < right[box] + reach) & (y > top[box] - reach) & (y < bottom[box] + reach)
    corner, box = corner[near], box[near]
    edge, of_corner = _expanded(starts[box], counts[box])
    return corner[of_corner], edge


def _boxes(
    x: Coordinates, y: Coordinates, sizes: Whole, after: Whole
) -> tuple[Whole, Whole, tuple[Coordinates, Coordinates, Coordinates, Coordinates]]:
    """Boxes around up to eight edges of a ring: their first edges, numbers of edges, and sides."""
    boxes = -(-sizes // 8)
    number = np.arange(int(boxes.sum())) - np.repeat(boxes.cumsum() - boxes, boxes)
    starts = np.repeat(sizes.cumsum() - sizes, boxes) + 8 * number
    counts = np.diff(np.append(starts, len(x)))
    far_x, far_y = x[after], y[after]
    left, right = np.minimum.reduceat(np.minimum(x, far_x), starts), np.maximum.reduceat(np.maximum(x, far_x), starts)
    top, bottom = np.minimum.reduceat(np.minimum(y, far_y), starts), np.maximum.reduceat(np.maximum(y, far_y), starts)
    return starts, counts, (left, right, top, bottom)


def _steady(x: Whole, y: Whole, after: Whole, starts: Whole, ring: Whole, pairs: tuple[Whole, Whole]) -> Mask:
    """Pairs of a box with itself, or with the one before it, whose edges all run the same way and so cannot cross."""
    box, other = pairs
    dx, dy = x[after] - x, y[after] - y
    beside = (box == other) | ((box == other + 1) & (ring[box] == ring[other]))
    steady: Mask = np.zeros(len(box), bool)
    for ahead in (dx > 0, dx < 0, dy > 0, dy < 0):
        all_ahead = np.logical_and.reduceat(ahead, starts)
        steady |= all_ahead[box] & all_ahead[other]
    steady &= beside
    return steady


def _expanded(starts: Whole, counts: Whole) -> tuple[Whole, Whole]:
    """The numbers from each start on, as many as its count, and which start each belongs to."""
    of: Whole = np.arange(len(starts)).repeat(counts)
    before: Whole = np.cumsum(counts) - counts
    return np.arange(len(of)) + (starts - before)[of], of


def _with_each(items: Whole, of_item: Whole, of_other: Whole) -> tuple[Whole, Whole]:
    """Every item with every other thing of the same piece, whose pieces are in order."""
    first = np.searchsorted(of_other, of_item, side="left")
    others, of = _expanded(first, np.searchsorted(of_other, of_item, side="right") - first)
    return items[of], others


def _cut_off(lines: Lines, corner: Whole, edge: Whole, foot_x: Numbers, foot_y: Numbers) -> Mask:
    """Whether both sides of the line from a corner to a point on an edge are more than a tip or a tail.

    What holds a disc of the radius r and is convex has an area of at least half its perimeter times r. If the corner
    and the edge are on different rings, nothing is cut off, and both remain.
    """
    x, y, after = lines.start_x, lines.start_y, following(lines.sizes)
    dx, dy = x[after] - x, y[after] - y
    turns = np.rint((x * y[after] - y * x[after]) * FINE).astype(np.int64)
    steps = np.rint(np.sqrt(dx * dx + dy * dy) * FINE).astype(np.int64)
    turned, walked = np.append(0, turns.cumsum()), np.append(0, steps.cumsum())
    ring = np.repeat(np.arange(len(lines.sizes)), lines.sizes)
    ends = lines.sizes.cumsum()
    starts = ends - lines.sizes
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
    x, y, after = rings.x, rings.y, following(rings.sizes)
    starts, counts, (left, right, top, bottom) = _boxes(x, y, rings.sizes, after)
    of_box = rings.piece.repeat(rings.sizes)[starts]
    box, other_box = _with_each(np.arange(len(starts)), of_box, of_box)
    near = (box >= other_box) & (left[box] <= right[other_box]) & (left[other_box] <= right[box])
    near &= (top[box] <= bottom[other_box]) & (top[other_box] <= bottom[box])
    box, other_box = box[near], other_box[near]
    steady = _steady(x, y, after, starts, np.arange(len(rings.sizes)).repeat(-(-rings.sizes // 8)), (box, other_box))
    box, other_box = box[~steady], other_box[~steady]
    one, pair = _expanded(starts[box], counts[box])
    other, of_one = _expanded(starts[other_box][pair], counts[other_box][pair])
    one = one[of_one]
    ends, other_ends = after[one], after[other]
    apart = (one > other) & (ends != other) & (other_ends != one)
    one, other, ends, other_ends = one[apart], other[apart], ends[apart], other_ends[apart]

    def side(a: Whole, b: Whole, c: Whole) -> Whole:
        turned: Whole = np.sign((x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]))
        return turned

    overlap = np.maximum(x[one], x[ends]) >= np.minimum(x[other], x[other_ends])
    overlap &= np.maximum(x[other], x[other_ends]) >= np.minimum(x[one], x[ends])
    overlap &= np.maximum(y[one], y[ends]) >= np.minimum(y[other], y[other_ends])
    overlap &= np.maximum(y[other], y[other_ends]) >= np.minimum(y[one], y[ends])
    one, other, ends, other_ends = one[overlap], other[overlap], ends[overlap], other_ends[overlap]
    crossed = side(one, ends, other) * side(one, ends, other_ends) <= 0
    crossed &= side(other, other_ends, one) * side(other, other_ends, ends) <= 0
    found: Whole = rings.piece.repeat(rings.sizes)[one[crossed]]
    return found

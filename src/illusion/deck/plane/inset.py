"""Insetting: every piece shrunk by half a gap, without the parts of it that are too thin.

All edges move inward in parallel. Where a piece is thinner than `2 * DEEP`, edges vanish on the way to that depth (edge
events of the straight skeleton, Aichholzer and Aurenhammer 1996); what is left of them is not painted. This equals a
morphological opening: erosion to the depth `DEEP`, then dilation back to half a gap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from illusion.deck.plane.necks import DEEP, HALF_MIN_WIDTH, SHALLOW, crossing_pieces, narrow_pieces
from illusion.deck.plane.rings import FINE, Lines, Numbers, RingLayout, Rings, Whole, straight_points, units, whole

MIN_REGION_AREA: Final = 16 * HALF_MIN_WIDTH * HALF_MIN_WIDTH
"""Smaller regions are dropped."""
STRAIGHT: Final = 0.3
"""A point this close to the line between its neighbours is dropped."""
SHORT: Final = 30.0
"""Of two points nearer to each other than this, one is kept: together they may turn a corner."""
SHARP: Final = -0.6
"""Corners whose edges' normals have a smaller inner product than this are cut off."""
MAX_BEYOND: Final = 45.0
"""At an inward corner of up to 120 degrees an edge grows by less than this."""
MAX_ROUNDS: Final = 60

Region = list[Numbers]
"""An outline and its holes."""


@dataclass(slots=True, eq=False)
class Part:
    """A piece with the gaps taken off, or a part of one (then `piece` is -1)."""

    region: Region
    layer: int
    area: float
    length: float
    x: float
    y: float
    piece: int


def parts_of(rings: Rings, layers: Sequence[int]) -> dict[int, Part]:
    """The inset parts, by the piece's number, without pieces that become too small or have a neck."""
    inner, necks = _inset(rings)
    if not len(inner.layout.sizes):
        return {}
    starts, after = inner.layout.starts, inner.layout.after
    dx, dy = inner.x[after] - inner.x, inner.y[after] - inner.y
    steps = np.rint(np.sqrt((dx * dx + dy * dy).astype(np.float64))).astype(np.int64)
    lengths = (np.add.reduceat(steps, starts) / FINE).tolist()
    areas = (inner.double_areas() / (2 * FINE * FINE)).tolist()
    x, y = (
        ((np.minimum.reduceat(each, starts) + np.maximum.reduceat(each, starts)) / (2 * FINE)).tolist()
        for each in (inner.x, inner.y)
    )
    outlines = inner.layout.split(np.stack([units(inner.x), units(inner.y)], axis=1))
    parts: dict[int, Part] = {}
    for piece, outline, area, length, u, v in zip(inner.piece.tolist(), outlines, areas, lengths, x, y, strict=True):
        if piece in parts:
            part = parts[piece]
            part.region.append(outline)
            part.area += area
            part.length += length
        elif area > 0 and piece not in necks:
            parts[piece] = Part([outline], layers[piece], area, length, u, v, piece)
    return {piece: part for piece, part in parts.items() if part.area > MIN_REGION_AREA}


def _inset(rings: Rings) -> tuple[Rings, set[int]]:
    """All pieces shrunk by half a gap, and those that have a neck too narrow to keep, whose rings may cross."""
    lines, rings_kept = _lines(units(rings.x), units(rings.y), rings.layout)
    piece = rings.piece[rings_kept]
    narrow, necks = narrow_pieces(lines, piece)
    left = _survivors(lines)
    new_x, new_y, layout, astray = _outlines(left, lines.layout)
    of_ring = piece[left.ring]
    if len(astray):
        necks = np.concatenate([necks, of_ring[astray]])
    inner = Rings(whole(new_x), whole(new_y), layout, of_ring)
    if len(narrow):
        doubtful = np.zeros(int(rings.piece[-1]) + 1, bool)
        doubtful[narrow] = True
        doubtful[necks] = False
        suspects = doubtful[of_ring]
        if len(suspects.nonzero()[0]):
            necks = np.concatenate([necks, crossing_pieces(inner.select(suspects))])
    return inner, set(necks.tolist())


def _lines(x: Numbers, y: Numbers, layout: RingLayout) -> tuple[Lines, Whole]:
    """The edges without points on straight lines, with a cap of no length at the end of each slit."""
    straight, squares = straight_points(x, y, layout, STRAIGHT)
    straight &= ~straight[layout.before] | (squares > SHORT * SHORT)
    left = layout.sizes - layout.count(straight)
    kept = left > 2
    keep = (~straight & kept.repeat(layout.sizes)).nonzero()[0]
    x, y, layout = x[keep], y[keep], RingLayout(left[kept])

    after, before = layout.after, layout.before
    tx, ty = x[after] - x, y[after] - y
    length = np.sqrt(tx * tx + ty * ty)
    tx, ty = tx / length, ty / length
    back_x, back_y = tx[before], ty[before]
    tips = ((back_x * tx + back_y * ty < -0.5) & (back_x * ty - back_y * tx < 1e-9)).nonzero()[0]
    if len(tips):
        fx, fy = back_x[tips] - tx[tips], back_y[tips] - ty[tips]
        size = np.sqrt(fx * fx + fy * fy)
        counts = np.full(len(x), 1)
        counts[tips] = 2
        x, y, tx, ty, length = (each.repeat(counts) for each in (x, y, tx, ty, length))
        caps = tips + np.arange(len(tips))
        tx[caps], ty[caps], length[caps] = fy / size, -fx / size, 0.0
        layout = RingLayout(layout.sizes + np.bincount(layout.ring[tips], minlength=len(layout.sizes)))
    lines = Lines((x, y), (tx, ty), length, np.arange(len(x)), layout, np.arange(len(layout.sizes)))
    return lines, kept.nonzero()[0]


def _survivors(lines: Lines) -> Lines:
    """The lines that still have an edge at the depth `DEEP`; rings of fewer than three are gone."""
    dropped = np.zeros(len(lines.x), bool)
    rest = lines
    for _ in range(MAX_ROUNDS):
        deep = rest.lengths(DEEP)
        turning_back = _turning_back(rest)
        if len(turning_back):
            deep[turning_back] = -np.inf
        gone = deep < 0
        if not len(gone.nonzero()[0]):
            break
        # Of neighbours that vanish, the one that does so first is dropped; then the others are looked at again.
        long, before, after = rest.lengths(0.0), rest.layout.before, rest.layout.after
        when = np.where(gone, np.maximum(long, 0) / np.maximum(long - deep, 1e-9), np.inf)  # 0 if turning back
        ahead, behind, number = when[after], when[before], np.arange(len(when))
        drop = gone & ((when < ahead) | ((when == ahead) & (number < after)))
        drop &= (when < behind) | ((when == behind) & (number < before))
        sizes = rest.layout.sizes
        lost = rest.layout.count(drop)
        left = sizes - lost
        drop |= (left < 3).repeat(sizes)
        dropped[rest.number[drop]] = True
        # Rings that have lost nothing are done; in all others some line vanishes first.
        active = (lost > 0) & (left > 2)
        rest = rest.keep((~drop & active.repeat(sizes)).nonzero()[0], left[active], rest.ring[active])
        if not len(rest.ring):
            break
    else:
        dropped[rest.number] = True
    kept = (~dropped).nonzero()[0]
    if len(kept) == len(dropped):
        return lines
    left = lines.layout.sizes - lines.layout.count(dropped)
    return lines.keep(kept, left[left > 0], lines.ring[left > 0])


def _turning_back(lines: Lines) -> Whole:
    """Where two lines have become neighbours that run against each other without meeting ahead, the shorter of them."""
    at = ((lines.alike < -0.5) & (lines.turn < 1e-6)).nonzero()[0]
    if not len(at):
        return at
    before = lines.layout.before[at]
    return np.where(lines.length[at] < lines.length[before], at, before)


def _outlines(lines: Lines, original: RingLayout) -> tuple[Numbers, Numbers, RingLayout, Whole]:
    """The corners at the depth `SHALLOW`. Sharp ones, and those where edges vanished, are rounded with three points.

    `original` is the layout before any were dropped. Returns also the rings that went astray: an edge reaches farther
    beyond its ends than at any corner.
    """
    layout = lines.layout
    if not len(lines.x):
        return lines.x, lines.y, layout, layout.sizes
    x, y = lines.corners(SHALLOW)
    before, after, starts, number = layout.before, layout.after, layout.starts, lines.number
    skipped = number != number[before] + 1
    skipped[starts] = number[starts] != original.starts[lines.ring]
    skipped[starts] |= number[layout.ends - 1] != original.ends[lines.ring] - 1
    cut = ((lines.turn > 0) & (skipped | (lines.alike < SHARP))).nonzero()[0]
    if not len(cut):
        return x, y, layout, _astray(lines, x, y, x[after], y[after])
    counts = np.full(len(x), 1)
    counts[cut] = 3
    source = np.arange(len(x)).repeat(counts)
    new_x, new_y = x[source], y[source]
    last = counts.cumsum() - 1
    first = last - counts + 1
    at = first[cut]
    deep_x, deep_y = (each[cut] for each in lines.corners(DEEP))
    ux, uy, tx, ty = lines.before_x[cut], lines.before_y[cut], lines.x[cut], lines.y[cut]
    mid_x, mid_y = ux + tx, uy + ty
    size = np.maximum(np.sqrt(mid_x * mid_x + mid_y * mid_y), 1e-9)
    for place, (across_x, across_y) in enumerate(((ux, uy), (mid_x / size, mid_y / size), (tx, ty))):
        new_x[at + place] = deep_x + HALF_MIN_WIDTH * across_y
        new_y[at + place] = deep_y - HALF_MIN_WIDTH * across_x
    next_first = first[after]
    astray = _astray(lines, new_x[last], new_y[last], new_x[next_first], new_y[next_first])
    return new_x, new_y, RingLayout(np.add.reduceat(counts, starts)), astray


def _astray(lines: Lines, x: Numbers, y: Numbers, end_x: Numbers, end_y: Numbers) -> Whole:
    """Rings with an edge that reaches much farther than the original edge did; its new ends are given."""
    early = lines.x * (x - lines.start_x) + lines.y * (y - lines.start_y) < -MAX_BEYOND
    late = lines.x * (end_x - lines.start_x) + lines.y * (end_y - lines.start_y) > lines.length + MAX_BEYOND
    return lines.layout.ring[early | late]

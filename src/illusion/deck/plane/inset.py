"""Insetting: every piece shrunk by half a gap, without the parts of it that are too thin.

All edges move inward in parallel. Where a piece is thinner than `2 * DEEP`, edges vanish on the way to that depth (edge
events of the straight skeleton, Aichholzer and Aurenhammer 1996); what is left of them is not painted. This equals a
morphological opening: erosion to the depth `DEEP`, then dilation back to half a gap.
"""

from typing import Final, NamedTuple

import numpy as np

from illusion.deck.plane.necks import DEEP, HALF_MIN_WIDTH, SHALLOW, Lines, crossing_pieces, narrow_pieces
from illusion.deck.plane.rings import FINE, Numbers, Rings, Whole, following, preceding

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


class Inset(NamedTuple):
    """Inset rings; pieces of which nothing is left have none."""

    rings: Rings
    necks: Whole
    """Pieces that have a neck too narrow to keep, perhaps named more than once. Their rings may cross themselves."""


def inset(rings: Rings) -> Inset:
    """All pieces shrunk by half a gap."""
    x, y = rings.x / FINE, rings.y / FINE
    lines, rings_kept = _lines(x, y, rings.sizes)
    piece = rings.piece[rings_kept]
    narrow, necks = narrow_pieces(lines, piece)
    ends = lines.sizes.cumsum()
    lines = _survivors(lines)
    new_x, new_y, sizes, astray = _outlines(lines, ends)
    necks = np.concatenate([necks, piece[lines.ring[astray]]])
    inner = Rings(
        np.rint(new_x * FINE).astype(np.int64), np.rint(new_y * FINE).astype(np.int64), sizes, piece[lines.ring]
    )
    if len(narrow):
        doubtful = np.zeros(int(rings.piece.max()) + 1, bool)
        doubtful[narrow] = True
        doubtful[necks] = False
        suspects = doubtful[inner.piece]
        if suspects.any():
            necks = np.concatenate([necks, crossing_pieces(inner.select(suspects))])
    return Inset(inner, necks)


def _lines(x: Numbers, y: Numbers, sizes: Whole) -> tuple[Lines, Whole]:
    """The edges without points on straight lines, with a cap of no length at the end of each slit."""
    before, after = preceding(sizes), following(sizes)
    ax, ay, bx, by = x - x[before], y - y[before], x[after] - x, y[after] - y
    off = np.abs(ax * by - ay * bx)
    span_x, span_y = ax + bx, ay + by
    straight = (off * off <= STRAIGHT * STRAIGHT * (span_x * span_x + span_y * span_y)) & (ax * bx + ay * by > 0)
    straight &= ~straight[before] | (ax * ax + ay * ay > SHORT * SHORT)
    starts = sizes.cumsum() - sizes
    left = np.add.reduceat((~straight).astype(np.int64), starts)
    rings_kept = left > 2
    keep = ~straight & rings_kept.repeat(sizes)
    x, y, sizes = x[keep], y[keep], left[rings_kept]

    after = following(sizes)
    tx, ty = x[after] - x, y[after] - y
    length = np.sqrt(tx * tx + ty * ty)
    tx, ty = tx / length, ty / length
    before = preceding(sizes)
    back_x, back_y = tx[before], ty[before]
    tips = np.flatnonzero((back_x * tx + back_y * ty < -0.5) & (back_x * ty - back_y * tx < 1e-9))
    ring = np.repeat(np.arange(len(sizes)), sizes)
    if len(tips):
        fx, fy = back_x[tips] - tx[tips], back_y[tips] - ty[tips]
        size = np.sqrt(fx * fx + fy * fy)
        x, y = np.insert(x, tips, x[tips]), np.insert(y, tips, y[tips])
        tx, ty = np.insert(tx, tips, fy / size), np.insert(ty, tips, -fx / size)
        length = np.insert(length, tips, 0.0)
        sizes = sizes + np.bincount(ring[tips], minlength=len(sizes))
    return Lines(x, y, tx, ty, length, np.arange(len(x)), sizes, np.arange(len(sizes))), rings_kept.nonzero()[0]


def _crossing(lines: Lines, before: Whole, depth: float) -> tuple[Numbers, Numbers]:
    """Where each line meets the one before, both moved inward by the depth."""
    tx, ty = lines.x, lines.y
    ux, uy = tx[before], ty[before]
    turn = ux * ty - uy * tx
    parallel = np.abs(turn) < 1e-7
    level = tx * lines.start_y - ty * lines.start_x + depth
    level_before = level[before]
    turn = np.where(parallel, 1.0, turn)
    x = np.where(parallel, lines.start_x - depth * ty, (level_before * tx - level * ux) / turn)
    y = np.where(parallel, lines.start_y + depth * tx, (level_before * ty - level * uy) / turn)
    return x, y


def _lengths(lines: Lines, before: Whole, after: Whole, depth: float) -> Numbers:
    """How long each edge is at a depth; negative if it has vanished before."""
    x, y = _crossing(lines, before, depth)
    long: Numbers = lines.x * (x[after] - x) + lines.y * (y[after] - y)
    return long


def _turning_back(lines: Lines, before: Whole) -> Whole:
    """Where two lines have become neighbours that run against each other without meeting ahead, the shorter of them."""
    ux, uy = lines.x[before], lines.y[before]
    back = (ux * lines.x + uy * lines.y < -0.5) & (ux * lines.y - uy * lines.x < 1e-6)
    at = back.nonzero()[0]
    return np.where(lines.length[at] < lines.length[before[at]], at, before[at])


def _survivors(lines: Lines) -> Lines:
    """The lines that still have an edge at the depth `DEEP`; rings of fewer than three are gone."""
    finished: list[Lines] = []
    for _ in range(MAX_ROUNDS):
        before, after = preceding(lines.sizes), following(lines.sizes)
        deep = _lengths(lines, before, after, DEEP)
        deep[_turning_back(lines, before)] = -np.inf
        gone = deep < 0
        if not gone.any():
            finished.append(lines)
            break
        troubled = np.logical_or.reduceat(gone, lines.sizes.cumsum() - lines.sizes)
        if not troubled.all():
            of_troubled = troubled.repeat(lines.sizes)
            finished.append(lines.keep(~of_troubled, lines.sizes, ~troubled))
            lines, deep, gone = lines.keep(of_troubled, lines.sizes, troubled), deep[of_troubled], gone[of_troubled]
            before, after = preceding(lines.sizes), following(lines.sizes)
        # Of neighbours that vanish, the one that does so first is dropped; then the others are looked at again.
        long = _lengths(lines, before, after, 0.0)
        when = np.where(gone, np.maximum(long, 0) / np.maximum(long - deep, 1e-9), np.inf)  # 0 for those turning back
        ahead, behind, number = when[after], when[before], np.arange(len(when))
        drop = gone & ((when < ahead) | ((when == ahead) & (number < after)))
        drop &= (when < behind) | ((when == behind) & (number < before))
        left = lines.sizes - np.add.reduceat(drop.astype(np.int64), lines.sizes.cumsum() - lines.sizes)
        active = left > 2
        if not active.any():
            break
        lines = lines.keep(~drop & active.repeat(lines.sizes), left, active)
    if not finished:
        return lines.keep(np.zeros(len(lines.x), bool), lines.sizes, np.zeros(len(lines.sizes), bool))
    if len(finished) == 1:
        return finished[0]
    number = np.concatenate([each.number for each in finished])
    ring = np.concatenate([each.ring for each in finished])
    points, order = number.argsort(kind="stable"), ring.argsort(kind="stable")
    return Lines(
        np.concatenate([each.start_x for each in finished])[points],
        np.concatenate([each.start_y for each in finished])[points],
        np.concatenate([each.x for each in finished])[points],
        np.concatenate([each.y for each in finished])[points],
        np.concatenate([each.length for each in finished])[points],
        number[points],
        np.concatenate([each.sizes for each in finished])[order],
        ring[order],
    )


def _outlines(lines: Lines, ends: Whole) -> tuple[Numbers, Numbers, Whole, Whole]:
    """The corners at the depth `SHALLOW`. Sharp ones, and those where edges vanished, are rounded with three points.

    `ends` are the places after each ring's last edge before any were dropped. Returns also the rings that went astray:
    an edge reaches farther beyond its ends than at any corner.
    """
    if not len(lines.x):
        return lines.x, lines.y, lines.sizes, lines.sizes
    before = preceding(lines.sizes)
    x, y = _crossing(lines, before, SHALLOW)
    ux, uy = lines.x[before], lines.y[before]
    alike = ux * lines.x + uy * lines.y
    turn = ux * lines.y - uy * lines.x
    starts = lines.sizes.cumsum() - lines.sizes
    skipped = lines.number != lines.number[before] + 1
    first, last = np.append(0, ends)[lines.ring], ends[lines.ring] - 1
    skipped[starts] = (lines.number[starts] != first) | (lines.number[starts + lines.sizes - 1] != last)
    cut = (turn > 0) & (skipped | (alike < SHARP))
    after = following(lines.sizes)
    if not cut.any():
        return x, y, lines.sizes, _astray(lines, x, y, x[after], y[after])
    counts = np.where(cut, 3, 1)
    source = np.repeat(np.arange(len(x)), counts)
    new_x, new_y = x[source], y[source]
    at = (counts.cumsum() - counts)[cut]
    deep_x, deep_y = (each[cut] for each in _crossing(lines, before, DEEP))
    ux, uy, tx, ty = ux[cut], uy[cut], lines.x[cut], lines.y[cut]
    mid_x, mid_y = ux + tx, uy + ty
    size = np.maximum(np.sqrt(mid_x * mid_x + mid_y * mid_y), 1e-9)
    for place, (across_x, across_y) in enumerate(((ux, uy), (mid_x / size, mid_y / size), (tx, ty))):
        new_x[at + place] = deep_x + HALF_MIN_WIDTH * across_y
        new_y[at + place] = deep_y - HALF_MIN_WIDTH * across_x
    first = counts.cumsum() - counts
    last = first + counts - 1
    astray = _astray(lines, new_x[last], new_y[last], new_x[first[after]], new_y[first[after]])
    return new_x, new_y, np.add.reduceat(counts, starts), astray


def _astray(lines: Lines, x: Numbers, y: Numbers, end_x: Numbers, end_y: Numbers) -> Whole:
    """Rings with an edge that reaches much farther than the original edge did; its new ends are given."""
    early = lines.x * (x - lines.start_x) + lines.y * (y - lines.start_y) < -MAX_BEYOND
    late = lines.x * (end_x - lines.start_x) + lines.y * (end_y - lines.start_y) > lines.length + MAX_BEYOND
    return np.logical_or.reduceat(early | late, lines.sizes.cumsum() - lines.sizes).nonzero()[0]

"""Pictures with exactly the areas that the backs say, drawn the same everywhere; several at a time take less."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from illusion.deck.colouring import CannotPaint, Part, Parts, Pieces, Shrinking, colour_pieces
from illusion.deck.picture import CANVAS_AREA, GAP, WHITE_AREA, Manner, Picture, Undrawable
from illusion.deck.plane.exact import Dice
from illusion.deck.plane.fitting import CannotFit, fit_areas
from illusion.deck.plane.inset import MIN_REGION_AREA, inset
from illusion.deck.plane.mosaic import Mosaic
from illusion.deck.plane.rings import FINE, RingLayout, Rings, units
from illusion.rules import Colour, Shares

Divide = Callable[[Dice, int], Mosaic]
"""A family: divides the canvas into about the given number of pieces."""

MAX_ATTEMPTS: Final = 200
"""Cards of a deck need one or two, rarely five."""
MIN_PIECES: Final = 12
MAX_PIECES: Final = 100


class Wanted(NamedTuple):
    """What a picture is drawn from."""

    divide: Divide
    shares: Shares
    manners: Mapping[Colour, Manner]
    dice: Dice


def draw(wanted: Sequence[Wanted]) -> list[Picture | Undrawable]:
    """Each picture, or that its shares leave too little white. It does not depend on what else is drawn."""
    drawn = list[Picture | Undrawable | None]([None] * len(wanted))
    under_way = list(enumerate(map(_drawing, wanted)))
    answers: Sequence[Parts | None] = [None] * len(wanted)
    while under_way:
        asking, asked = [], []
        for (at, drawing), answer in zip(under_way, answers, strict=True):
            try:
                asked.append(next(drawing) if answer is None else drawing.send(answer))
                asking.append((at, drawing))
            except StopIteration as ended:
                drawn[at] = ended.value
        under_way, answers = asking, _shrunk(asked) if asked else []
    return [each for each in drawn if each is not None]


def _drawing(wanted: Wanted) -> Shrinking[Picture | Undrawable]:
    """Divide the canvas, colour the pieces, fit the areas; if a step fails, try again with fewer pieces.

    The colours come in their fixed order, which tells nothing about their shares.
    """
    divide, shares, manners, dice = wanted
    needs = {colour: shares[colour] * WHITE_AREA / 100 for colour in Colour if shares[colour]}
    white = 1 - sum(shares[colour] for colour in Colour) / 100
    count = _count(white) * dice.uniform(0.6, 1)
    for _ in range(MAX_ATTEMPTS):
        try:
            mosaic = divide(dice, max(MIN_PIECES, round(count)))
            painted = yield from colour_pieces(mosaic, needs, manners, dice)
            fitted = fit_areas([painted[colour] for colour in needs], list(needs.values()))
            return dict(zip(needs, fitted, strict=True))
        except (CannotPaint, CannotFit):
            count *= 0.85
    return Undrawable(shares)


def _count(white: float) -> float:
    """The number of pieces whose gaps take most of the white (given as a part of the white area, 0 to 1).

    N compact pieces that cover an area A have borders of length 2 √(A N) in all, and each border is a gap wide.
    """
    borders = 0.7 * white * CANVAS_AREA / (2 * GAP)
    return min(max(borders * borders / CANVAS_AREA, MIN_PIECES), MAX_PIECES)


def _shrunk(asked: Sequence[Pieces]) -> list[Parts]:
    """What is left of the pieces of several cards, in one go: array operations cost the same for few points and many.

    Each piece by itself comes out the same, whatever others are there.
    """
    if len(asked) == 1:
        return [_parts(*asked[0])]
    firsts = list(accumulate((len(pieces.layers) for pieces in asked), initial=0))
    rings = [pieces.rings for pieces in asked]
    together = Rings(
        np.concatenate([each.x for each in rings]),
        np.concatenate([each.y for each in rings]),
        RingLayout(np.concatenate([each.layout.sizes for each in rings])),
        np.concatenate([each.piece + first for each, first in zip(rings, firsts, strict=False)]),
    )
    found = list[Parts]([{} for _ in asked])
    for number, part in _parts(together, [layer for pieces in asked for layer in pieces.layers]).items():
        card = bisect_right(firsts, number) - 1
        part.piece = number - firsts[card]
        found[card][part.piece] = part
    return found


def _parts(rings: Rings, layers: Sequence[int]) -> Parts:
    """The pieces that these rings outline with the gaps taken off, without those that are too small or have a neck."""
    inner, necks = inset(rings)
    if not len(inner.layout.sizes):
        return {}
    starts = inner.layout.starts
    after = inner.layout.after
    dx, dy = inner.x[after] - inner.x, inner.y[after] - inner.y
    steps = np.rint(np.sqrt((dx * dx + dy * dy).astype(np.float64))).astype(np.int64)
    lengths = (np.add.reduceat(steps, starts) / FINE).tolist()
    areas = (inner.double_areas() / (2 * FINE * FINE)).tolist()
    x = ((np.minimum.reduceat(inner.x, starts) + np.maximum.reduceat(inner.x, starts)) / (2 * FINE)).tolist()
    y = ((np.minimum.reduceat(inner.y, starts) + np.maximum.reduceat(inner.y, starts)) / (2 * FINE)).tolist()
    points = np.zeros((len(inner.x), 2))
    points[:, 0], points[:, 1] = units(inner.x), units(inner.y)
    parts: Parts = {}
    bad = set(necks.tolist())
    ends = inner.layout.ends.tolist()
    for piece, start, end, area, length, u, v in zip(
        inner.piece.tolist(), starts.tolist(), ends, areas, lengths, x, y, strict=True
    ):
        if piece in parts:
            part = parts[piece]
            part.region.append(points[start:end])
            part.area += area
            part.length += length
        elif area > 0 and piece not in bad:
            parts[piece] = Part([points[start:end]], layers[piece], area, length, u, v, piece)
    return {piece: part for piece, part in parts.items() if part.area > MIN_REGION_AREA}

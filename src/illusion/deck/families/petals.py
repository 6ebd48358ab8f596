"""Petals: flowers of different sizes, each with a round heart, on a ground of a few patches."""

from math import ceil, sqrt
from typing import Final, NamedTuple

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import MAX_SAG, Disc, Point, chords, pack_discs, polar
from illusion.deck.plane.exact import PI, TAU, Dice, cos_sin
from illusion.deck.plane.ground import Figure, ground
from illusion.deck.plane.mosaic import Mosaic, mosaic_with_holes
from illusion.deck.plane.rings import Numbers

MIN_RADIUS: Final = 500.0
MAX_RADIUS: Final = 2500.0


class _FlowerStyle(NamedTuple):
    """The style of all flowers of a card."""

    petals: tuple[int, ...]
    heart: float
    depth: float
    roundness: float
    pinwheel: bool


class _Flower(NamedTuple):
    """A flower: `steps` points of its outline belong to each petal, `base` points of its heart's rim."""

    figure: Figure
    petals: int
    steps: int
    heart: list[Point]
    base: int


def pieces(dice: Dice, count: int) -> Mosaic:
    count = round(0.78 * count)
    pinwheel = dice.chance(0.35)
    few = dice.choice([5, 6]) if count > 20 else 5
    style = _FlowerStyle(
        petals=(6, 8) if pinwheel else (few, few + 1, few + 3),
        heart=dice.uniform(0.26, 0.38),
        depth=dice.uniform(0.16, 0.34),
        roundness=dice.choice([0.5, 0.75, 1.0]),
        pinwheel=pinwheel,
    )
    wanted = max(3, round(count / 7.5))
    size = sqrt(CANVAS_AREA / wanted)
    largest = min(MAX_RADIUS, size * dice.uniform(0.58, 0.8))
    spots = pack_discs(dice, wanted, largest, MIN_RADIUS, max(120, size * 0.05), 0.95)
    flowers = [_flower(dice, style, spot) for spot in spots]
    patches, rims = ground(dice, [flower.figure for flower in flowers], 4 + count // 9)
    shapes, layers = list(patches), [0] * len(patches)
    for flower, rim in zip(flowers, rims, strict=True):
        shapes.append([flower.heart])
        layers.append(0)
        around = rim.places()
        for petal in range(flower.petals):
            first, last = petal * flower.steps, (petal + 1) * flower.steps
            tip = [point for place, point in around if first <= place < last]
            inner = flower.heart[petal * flower.base : (petal + 1) * flower.base]
            ends = (around[0][1], flower.heart[0])
            if petal < flower.petals - 1:
                ends = next(point for place, point in around if place == last), flower.heart[(petal + 1) * flower.base]
            shapes.append([[*tip, *ends, *inner[::-1]]])
            layers.append(1 + style.pinwheel * (petal % 2))
    return mosaic_with_holes(shapes, layers)


def _flower(dice: Dice, style: _FlowerStyle, spot: Disc) -> _Flower:
    x, y, radius = spot
    petals = style.petals[-1] if radius > 3 * MIN_RADIUS else dice.choice(style.petals[:-1])
    steps = 2 * ceil(PI / petals * sqrt(radius / (8 * MAX_SAG)) * 0.8)
    start, width = dice.uniform(0, TAU), TAU / petals
    lobes = cos_sin(PI * (np.arange(steps) / steps - 0.5))[1]
    reaches = radius * (1 - style.depth + style.depth * _rounded(np.abs(lobes), style.roundness))
    angles = start + width * (np.arange(petals)[:, None] + lobes / 2)
    outline = [(u, v) for u, v in polar((x, y), reaches, angles).reshape(-1, 2).tolist()]
    heart = radius * style.heart
    base = chords(width, heart)
    inner = [(u, v) for u, v in polar((x, y), heart, start + width * (np.arange(petals * base) / base - 0.5)).tolist()]
    return _Flower(Figure(x, y, outline, radius), petals, steps, inner, base)


def _rounded(side: Numbers, roundness: float) -> Numbers:
    """A petal's reach across its width, 1 in the middle and 0 at the sides; the rounder, the later it falls off."""
    square = side * side
    fall = np.maximum(1 - (square * square if roundness == 0.5 else square * side if roundness == 0.75 else square), 0)
    root = np.sqrt(fall)
    return root if roundness == 0.5 else root * np.sqrt(root) if roundness == 0.75 else fall

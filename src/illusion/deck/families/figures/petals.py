"""Petals: flowers of different sizes, each with a round heart, on a ground of a few cells."""

from math import ceil, pi, sqrt
from random import Random
from typing import Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from illusion.deck.drawing.card_face import CANVAS, Piece
from illusion.deck.drawing.curves import MAX_SAG, arc
from illusion.deck.drawing.scattering import delaunay_cells, pack_discs

MIN_RADIUS: Final = 500.0
MAX_RADIUS: Final = 2500.0
MIN_PIECE_AREA: Final = 25000.0


class _FlowerStyle(NamedTuple):
    """What the flowers of a card have in common."""

    petals: tuple[int, ...]
    heart: float
    depth: float
    roundness: float
    pinwheel: bool


def pieces(rng: Random, count: int) -> list[Piece]:
    pinwheel = rng.random() < 0.35
    few = rng.choice([5, 6]) if count > 20 else 5
    style = _FlowerStyle(
        petals=(6, 8) if pinwheel else (few, few + 1, few + 3),
        heart=rng.uniform(0.26, 0.38),
        depth=rng.uniform(0.16, 0.34),
        roundness=rng.choice([0.5, 0.7, 1.0]),
        pinwheel=pinwheel,
    )
    wanted = max(3, round(count / 7.5))
    size = (CANVAS.area / wanted) ** 0.5
    flowers = pack_discs(
        rng, wanted, min(MAX_RADIUS, size * rng.uniform(0.58, 0.8)), MIN_RADIUS, max(120, size * 0.05), 0.95
    )
    cells = delaunay_cells(rng, [(x, y) for x, y, _ in flowers], 4 + count // 9)
    outlines, figures, layers = list[Polygon](), list[Polygon](), list[int]()
    for x, y, radius in flowers:
        outline, parts = _flower(rng, style, np.array([x, y]), radius)
        outlines.append(outline)
        figures += parts
        layers += [0, *(1 + style.pinwheel * (at % 2) for at in range(len(parts) - 1))]
    ground = shapely.get_parts(shapely.difference(cells, shapely.multipolygons(outlines)))
    seen, of_figure = shapely.get_parts(shapely.clip_by_rect(figures, *CANVAS.bounds), return_index=True)
    return [
        *(Piece(part) for part in ground if part.area > MIN_PIECE_AREA),
        *(Piece(part, layers[at]) for part, at in zip(seen, of_figure, strict=True) if part.area > MIN_PIECE_AREA),
    ]


def _flower(
    rng: Random, style: _FlowerStyle, centre: NDArray[np.float64], radius: float
) -> tuple[Polygon, list[Polygon]]:
    """The outline, then the heart and the petals around it."""
    petals = style.petals[-1] if radius > 3 * MIN_RADIUS else rng.choice(style.petals[:-1])
    steps = 2 * ceil(pi / petals * sqrt(radius / (8 * MAX_SAG)) * 0.8)
    lobe = np.sin(np.linspace(-pi / 2, pi / 2, steps + 1))
    reach = radius * (1 - style.depth + style.depth * (1 - np.abs(lobe) ** (2 / style.roundness)) ** style.roundness)
    start, width = rng.uniform(0, 2 * pi), 2 * pi / petals
    heart = radius * style.heart
    inner, parts, outline = list[tuple[float, float]](), list[Polygon](), list[NDArray[np.float64]]()
    for petal in range(petals):
        turn = start + width * (petal + lobe / 2)
        tip = centre + reach[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
        base = arc((centre[0], centre[1]), heart, turn[-1], turn[0])
        parts.append(Polygon([*tip, *base]))
        outline.append(tip[:-1])
        inner += base[::-1][:-1]
    return Polygon(np.concatenate(outline)), [Polygon(inner), *parts]

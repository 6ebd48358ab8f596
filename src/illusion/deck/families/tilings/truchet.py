"""Truchet tiles with quarter circles (C. S. Smith 1987): bands on a tilted grid, and the shapes between them."""

from math import ceil, cos, pi, radians, sin, sqrt
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from illusion.deck.drawing.card_face import CANVAS, CENTRE, Piece
from illusion.deck.drawing.curves import MAX_SAG, canvas_diagonal

Key = tuple[str, int, int]

MIN_PIECE_AREA: Final = 20000.0


class _DisjointSets:
    """Union-find with a limit on the size of a set."""

    def __init__(self) -> None:
        self.head: dict[Key, Key] = {}
        self.size: dict[Key, int] = {}

    def find(self, key: Key) -> Key:
        while (head := self.head.setdefault(key, key)) != key:
            key = head
        return key

    def join(self, one: Key, other: Key, most: int) -> None:
        one, other = self.find(one), self.find(other)
        size = self.size.get(one, 1) + self.size.get(other, 1)
        if one != other and size <= most:
            self.head[other] = one
            self.size[one] = size


def pieces(rng: Random, count: int) -> list[Piece]:
    side = (CANVAS.area / max(5, count / 2.3)) ** 0.5
    tilt = radians(rng.choice([-1, 1]) * rng.uniform(6, 39))
    frame = side * np.array([[cos(tilt), sin(tilt)], [-sin(tilt), cos(tilt)]])
    origin = np.array(CENTRE) + side * np.array([rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)])
    shapes = _tile(rng.uniform(0.1, 0.145), side)
    tiles = [np.concatenate(shapes) @ frame, (np.concatenate(shapes) * (-1, 1) + (1, 0)) @ frame]
    ripple, bias = rng.choice([0, 1]), rng.uniform(0.5, 0.8)

    reach = ceil(canvas_diagonal() / 2 / side) + 1
    left, top, right, bottom = CANVAS.bounds
    groups, points, keys = _DisjointSets(), list[NDArray[np.float64]](), list[Key]()
    for j in range(-reach, reach):
        for i in range(-reach, reach):
            x, y = origin + (i + 0.5, j + 0.5) @ frame
            if not (left - 0.65 * side < x < right + 0.65 * side and top - 0.65 * side < y < bottom + 0.65 * side):
                continue
            turned = (rng.random() < bias) != bool((i + j) * ripple % 2)
            points.append(tiles[turned] + origin + (i, j) @ frame)
            # A turned tile is a mirror image: its left and right sides change places.
            near, past = (i + 1, i) if turned else (i, i + 1)
            one, other = ("one", i, j), ("other", i, j)
            keys += [("node", near, j), ("node", past, j + 1), one, other, ("node", past, j), ("node", near, j + 1)]
            if rng.random() < 0.4:
                groups.join(("node", past, j), ("node", near, j + 1), 3)
            for band, across, level in ((one, near, j), (other, past, j + 1)):
                if rng.random() < 0.8:
                    groups.join(("upright", across, j), band, 9)
                if rng.random() < 0.8:
                    groups.join(("level", i, level), band, 9)
    sizes = [len(shape) for shape in shapes] * len(points)
    rings = shapely.linearrings(np.concatenate(points).round(2), indices=np.repeat(np.arange(len(keys)), sizes))
    return _joined(np.asarray(shapely.polygons(rings)), [groups.find(key) for key in keys])


def _tile(half: float, side: float) -> list[NDArray[np.float64]]:
    """The parts of a tile from (0, 0) to (1, 1) whose bands run around those two corners."""
    steps = 2 * ceil(pi / 4 * sqrt(side * (0.5 + half) / (8 * MAX_SAG)))
    turn = np.linspace(0, pi / 2, steps + 1)
    round_ = np.column_stack([np.cos(turn), np.sin(turn)])
    inner, outer = (0.5 - half) * round_, (0.5 + half) * round_
    band = np.concatenate([inner, outer[::-1]])
    corner = np.concatenate([inner, [(0, 0)]])
    middle = steps // 2
    between = np.concatenate([outer[: middle + 1], 1 - outer[middle:], [(1, 0)]])
    return [corner, 1 - corner, band, 1 - band, between, between[:, ::-1]]


def _joined(parts: NDArray[np.object_], groups: list[Key]) -> list[Piece]:
    members: dict[Key, list[int]] = {}
    for at, group in enumerate(groups):
        members.setdefault(group, []).append(at)
    joined = [parts[ats[0]] if len(ats) == 1 else shapely.coverage_union_all(parts[ats]) for ats in members.values()]
    layers = [2 * ((i + j) % 2) if kind == "node" else 1 for kind, i, j in members]
    seen, of_group = shapely.get_parts(shapely.clip_by_rect(joined, *CANVAS.bounds), return_index=True)
    return [Piece(part, layers[at]) for part, at in zip(seen, of_group, strict=True) if part.area > MIN_PIECE_AREA]

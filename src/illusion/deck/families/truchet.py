"""Truchet tiles with quarter circles (C. S. Smith 1987): bands on a tilted grid, and the shapes between them."""

from math import ceil, sqrt

import numpy as np

from illusion.deck.picture import CANVAS_AREA
from illusion.deck.plane.curves import CANVAS_DIAGONAL, CENTRE_POINT, MAX_SAG, counted, on_canvas
from illusion.deck.plane.exact import PI, Dice, cos_sin, turn
from illusion.deck.plane.mosaic import Mosaic, cut_out
from illusion.deck.plane.rings import Numbers, RingLayout, Rings, outward, whole

Key = tuple[str, int, int]


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


def pieces(dice: Dice, count: int) -> Mosaic:
    side = sqrt(CANVAS_AREA / max(5, count / 2.7))
    cosine, sine = turn(dice.sign() * dice.uniform(0.105, 0.68))
    axis, other_axis = side * np.array([cosine, sine]), side * np.array([-sine, cosine])
    origin = CENTRE_POINT + side * np.array(dice.uniforms(-0.5, 0.5, 2))
    shapes = _tile(dice.uniform(0.1, 0.145), side)
    tile = np.concatenate(shapes)
    ripple, bias = dice.below(2), dice.uniform(0.5, 0.8)

    reach = ceil(CANVAS_DIAGONAL / 2 / side) + 1
    wide = 0.65 * side
    groups, places, turns, keys = _DisjointSets(), list[tuple[int, int]](), list[bool](), list[Key]()
    (left, top), (ax, ay), (bx, by) = origin.tolist(), axis.tolist(), other_axis.tolist()
    for j in range(-reach, reach):
        for i in range(-reach, reach):
            x, y = left + (i + 0.5) * ax + (j + 0.5) * bx, top + (i + 0.5) * ay + (j + 0.5) * by
            if not on_canvas(x, y, -wide):
                continue
            turned = (dice.random() < bias) != bool((i + j) * ripple % 2)
            places.append((i, j))
            turns.append(turned)
            # A turned tile is a mirror image: its left and right sides change places.
            near, past = (i + 1, i) if turned else (i, i + 1)
            one, other = ("one", i, j), ("other", i, j)
            keys += [("node", near, j), ("node", past, j + 1), one, other, ("node", past, j), ("node", near, j + 1)]
            if dice.chance(0.4):
                groups.join(("node", past, j), ("node", near, j + 1), 3)
            for band, across, level in ((one, near, j), (other, past, j + 1)):
                if dice.chance(0.8):
                    groups.join(("upright", across, j), band, 9)
                if dice.chance(0.8):
                    groups.join(("level", i, level), band, 9)
    both = np.stack([tile, tile * (-1, 1) + (1, 0)])
    tiles = (both[np.array(turns, np.int64)] + np.array(places)[:, None]).reshape(-1, 2)
    points = origin + tiles[:, :1] * axis + tiles[:, 1:] * other_axis
    layout = RingLayout(np.tile([len(shape) for shape in shapes], len(places)))
    parts = outward(Rings(whole(points[:, 0]), whole(points[:, 1]), layout, np.arange(len(keys))))
    heads = [groups.find(key) for key in keys]
    numbers = {head: at for at, head in enumerate(dict.fromkeys(heads))}
    layers = [2 * ((i + j) % 2) if kind == "node" else 1 for kind, i, j in numbers]
    return cut_out(Mosaic(parts, [0] * len(keys)).joined(np.array([numbers[head] for head in heads])), layers)


def _tile(half: float, side: float) -> list[Numbers]:
    """The parts of a tile from (0, 0) to (1, 1) whose bands run around those two corners."""
    steps = 2 * ceil(PI / 4 * sqrt(side * (0.5 + half) / (8 * MAX_SAG)))
    cosines, sines = cos_sin(counted(steps + 1) * (PI / 2 / steps))
    cosines[-1], sines[-1] = 0.0, 1.0
    round_ = np.stack([cosines, sines], axis=1)
    inner, outer = (0.5 - half) * round_, (0.5 + half) * round_
    band = np.concatenate([inner, outer[::-1]])
    corner = np.concatenate([inner, [(0, 0)]])
    middle = steps // 2
    between = np.concatenate([outer[: middle + 1], 1 - outer[middle:], [(1, 0)]])
    return [corner, 1 - corner, band, 1 - band, between, between[:, ::-1]]

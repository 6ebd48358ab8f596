"""Maze: winding passages as broad ribbons on a tilted grid, and the walls between them."""

from math import cos, radians, sin
from random import Random
from typing import Final

import numpy as np
import shapely
from numpy.typing import NDArray

from illusion.deck.curves import far
from illusion.deck.face import CANVAS, CENTRE, Piece

Node = tuple[int, int]
"""A box of the grid: passages run through those with odd numbers, walls stand on those with even ones."""

CRUMB: Final = 25000.0
SIDES: Final = ((2, 0), (0, 2), (-2, 0), (0, -2))


def pieces(rng: Random, count: int) -> list[Piece]:
    pitch = (CANVAS.area / (1.15 * count)) ** 0.5
    size = int(far() / pitch) + 2
    tilt = radians(rng.choice([-1, 1]) * rng.uniform(10, 38))
    passage = rng.uniform(0.48, 0.6)
    across, down = np.meshgrid(_lines(rng, size, pitch, passage), _lines(rng, size, pitch, passage), indexing="ij")
    x, y = CENTRE[0] + across * cos(tilt) - down * sin(tilt), CENTRE[1] + across * sin(tilt) + down * cos(tilt)
    grid = np.stack([x, y], axis=-1)
    boxes = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2)
    left, top, right, bottom = CANVAS.bounds
    low, high = boxes.min(axis=2), boxes.max(axis=2)
    seen = (low < (right, bottom)).all(axis=-1) & (high > (left, top)).all(axis=-1)
    nodes = [(int(i), int(j)) for i, j in np.argwhere(seen)]

    opened = _passages(rng, [node for node in nodes if node[0] % 2 and node[1] % 2])
    groups = _groups(rng, nodes, opened)
    shapes = np.asarray(shapely.polygons(boxes[tuple(np.array(list(groups)).T)]))
    members: dict[Node, list[int]] = {}
    for at, head in enumerate(groups.values()):
        members.setdefault(head, []).append(at)
    joined = [shapely.coverage_union_all(shapes[ats]) for ats in members.values()]
    parts, of_group = shapely.get_parts(shapely.clip_by_rect(joined, left, top, right, bottom), return_index=True)
    layers = [head[0] % 2 for head in members]
    return [Piece(part, layers[at]) for part, at in zip(parts, of_group, strict=True) if part.area > CRUMB]


def _lines(rng: Random, size: int, pitch: float, passage: float) -> NDArray[np.float64]:
    """Where the boxes begin and end along one direction: wall and passage by turns, some of them wider."""
    widths = [pitch * share * rng.uniform(0.78, 1.22) for _ in range(size) for share in (1 - passage, passage)]
    lines = np.cumsum(widths)
    return np.asarray(lines - lines[-1] / 2)


def _passages(rng: Random, cells: list[Node]) -> dict[Node, None]:
    """The boxes between two cells that a walk through all of them, which turns back in dead ends, opens.

    Neither passages nor walls cross, lest a crossing with bent arms look like a sign.
    """
    fresh, opened, ways = dict.fromkeys(cells), dict[Node, None](), dict.fromkeys(cells, 0)
    for start in cells:
        path = [start] if start in fresh else []
        fresh.pop(start, None)
        while path:
            i, j = path[-1]
            onward = [(di, dj) for di, dj in SIDES if (i + di, j + dj) in fresh] if ways[i, j] < 3 else []
            if not onward:
                path.pop()
                continue
            di, dj = rng.choice(onward)
            opened[i + di // 2, j + dj // 2] = None
            path.append((i + di, j + dj))
            ways[i, j] += 1
            ways[path[-1]] += 1
            del fresh[path[-1]]
    for i, j in cells:
        square = [(i, j), (i + 2, j), (i + 2, j + 2), (i, j + 2)]
        sides = [((a + c) // 2, (b + d) // 2) for (a, b), (c, d) in zip(square, square[1:] + square[:1], strict=True)]
        if any(side in opened for side in sides):
            continue
        quiet = [at for at in range(4) if all(ways.get(square[end % 4], 3) < 3 for end in (at, at + 1))]
        if quiet:
            at = rng.choice(quiet)
            opened[sides[at]] = None
            ways[square[at]] += 1
            ways[square[(at + 1) % 4]] += 1
    return opened


def _groups(rng: Random, nodes: list[Node], opened: dict[Node, None]) -> dict[Node, Node]:
    """Which piece each box belongs to: a few neighbours along the passages, a few along the walls."""
    heads = {node: node for node in nodes}
    sizes = dict.fromkeys(nodes, 1)

    def head_of(node: Node) -> Node:
        while heads[node] != node:
            node = heads[node]
        return node

    def join(one: Node, other: Node, most: int) -> None:
        one, other = head_of(one), head_of(other)
        if one != other and sizes[one] + sizes[other] <= most:
            heads[other] = one
            sizes[one] += sizes[other]

    between = [(i, j) for i, j in nodes if (i + j) % 2]
    rng.shuffle(between)
    for i, j in between:
        level = (i % 2 == 0) == ((i, j) in opened)
        ends = [end for end in (((i - 1, j), (i + 1, j)) if level else ((i, j - 1), (i, j + 1))) if end in heads]
        for number, end in enumerate(ends):
            join(end, (i, j), 99 if number == 0 else rng.choice([4, 6, 8, 10]))
    return {node: head_of(node) for node in nodes}

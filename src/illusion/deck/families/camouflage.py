"""Camouflage: blobs in which one of several smooth noises is the largest.

The borders are traced by marching squares, on a grid of labels that a majority filter has cleared of specks.
"""

from math import sqrt
from typing import Final

import numpy as np

from illusion.deck.picture import CANVAS_AREA, CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP, CENTRE
from illusion.deck.plane.curves import counted
from illusion.deck.plane.exact import PI, TAU, Dice, cos_sin, turn
from illusion.deck.plane.mosaic import Mosaic, cut_out
from illusion.deck.plane.rings import FINE, Numbers, RingLayout, Rings, Whole

WAVES_PER_NOISE: Final = 5
ROUNDS_OF_SMOOTHING: Final = 3
STRAIGHT: Final = 3.0
"""Points nearer than this to the line between their neighbours are dropped."""


def pieces(dice: Dice, count: int) -> Mosaic:
    count = round(0.8 * count)
    noises = dice.choice([3, 4])
    length = (1.5 if noises == 3 else 1.85) * sqrt(CANVAS_AREA / count)
    step = min(max(length / 7.5, 145), 190)
    across = CANVAS_LEFT + step * (counted(int((CANVAS_RIGHT - CANVAS_LEFT) / step) + 6) - 2)
    down = CANVAS_TOP + step * (counted(int((CANVAS_BOTTOM - CANVAS_TOP) / step) + 6) - 2)
    noise = _noise(dice, noises, length, across, down)
    labels = _without_specks(np.argmax(noise, axis=0), noises)
    labels[[0, -1], :] = labels[:, [0, -1]] = noises
    return _traced(labels, np.concatenate([noise, np.zeros_like(noise[:1])]), across, down)


def _noise(dice: Dice, noises: int, length: float, across: Numbers, down: Numbers) -> Numbers:
    """Sums of waves in all directions, stretched along one: for each noise its value at every node of the grid."""
    cosine, sine = turn(dice.uniform(-1.2, 1.2))
    stretch = dice.uniform(1, 1.35)
    paces, phases = list[tuple[float, float]](), list[float]()
    for _ in range(noises):
        start = dice.uniform(0, PI)
        for wave in range(WAVES_PER_NOISE):
            x, y = turn(start + PI * (wave + dice.uniform(-0.3, 0.3)) / WAVES_PER_NOISE)
            pace = TAU / length * dice.uniform(0.65, 1.15)
            u, v = pace * x / stretch, pace * y * stretch
            paces.append((u * cosine - v * sine, u * sine + v * cosine))
            phases.append(dice.uniform(0, TAU))
    waves = np.array(paces)
    cos_x, sin_x = cos_sin(waves[:, :1] * (across - CENTRE[0]) + np.array(phases)[:, None])
    cos_y, sin_y = cos_sin(waves[:, 1:] * (down - CENTRE[1]))
    total = np.zeros((noises, len(down), len(across)))
    for wave in range(WAVES_PER_NOISE):  # the first of each noise, then the second
        of = slice(wave, None, WAVES_PER_NOISE)
        total += cos_y[of, :, None] * cos_x[of, None, :] - sin_y[of, :, None] * sin_x[of, None, :]
    return total


def _without_specks(labels: Whole, noises: int) -> Whole:
    """Majority filter: a label with few equal neighbours is replaced by the most frequent one around it."""
    inner = (slice(1, -1), slice(1, -1))
    for _ in range(2):
        own = (labels == np.arange(noises)[:, None, None]).astype(np.int8)
        rows = own[:, :-2] + own[:, 1:-1] + own[:, 2:]
        votes = rows[..., :-2] + rows[..., 1:-1] + rows[..., 2:]
        alike = np.take_along_axis(votes, labels[inner][None], axis=0)[0]
        labels = labels.copy()
        labels[inner] = np.where(alike < 5, votes.argmax(axis=0), labels[inner])
    return labels


def _traced(grid: Whole, noise: Numbers, across: Numbers, down: Numbers) -> Mosaic:
    """The blobs: for each label the rings around it, through points where a side of the grid joins two labels."""
    outside = len(noise) - 1
    columns = grid.shape[1]
    labels = grid.ravel()
    # Squares whose corners have different labels, by their first node; their sides in order, from one node to the next.
    level, upright = grid[:, 1:] != grid[:, :-1], grid[1:] != grid[:-1]
    rows, places = (level[:-1] | level[1:] | upright[:, 1:] | upright[:, :-1]).nonzero()
    first = (rows * columns + places)[:, None] + np.array([0, 1, columns + 1, columns])
    second = first[:, [1, 2, 3, 0]]
    crossed = labels.take(first) != labels.take(second)
    one, two, three, four = crossed.T.astype(np.intp)
    number = one + two + three + four
    low, high = np.minimum(first, second)[crossed], np.maximum(first, second)[crossed]
    _, of_key, point = np.unique(low * 2 + (high - low == columns), return_index=True, return_inverse=True)
    x, y = _crossings(low[of_key], high[of_key], noise.reshape(len(noise), -1), labels, (across, down))

    start = np.cumsum(number) - number
    square = np.repeat(np.arange(len(number)), number)
    several = np.cumsum(number > 2) - 1 + len(x)
    centre = np.where(number > 2, several, -1)
    middle_x, middle_y = _middles(x[point], y[point], start[number > 2], number[number > 2])
    # From one crossed side to the next, the corners have one label; its border runs from the next back to this.
    after = np.arange(len(square)) + 1
    after[start + number - 1] = start
    label = labels[second[crossed]]
    # Where a label lies on two opposite corners only, the borders leave the middle free instead of meeting there.
    of_four = start[number == 4]
    pinched = (label[of_four] == label[of_four + 2]) | (label[of_four + 1] == label[of_four + 3])
    centre[(number == 4).nonzero()[0][pinched]] = -1
    inside = (label != outside).nonzero()[0]
    begins, ends = point[after[inside]], point[inside]
    steps = zip(centre[square[inside]].tolist(), ends.tolist(), strict=True)
    rings, owners = _rings(dict(zip((begins * outside + label[inside]).tolist(), steps, strict=True)), outside)
    x, y = _smoothed(np.append(x, middle_x), np.append(y, middle_y), rings, len(x))
    sizes = np.array([len(ring) for ring in rings])
    at = np.concatenate(rings)
    keep = x[at] == x[at]  # dropped points are NaN
    kept_sizes = np.add.reduceat(keep.astype(np.intp), np.cumsum(sizes) - sizes)
    whole_x, whole_y = (np.rint(each[at[keep]] * FINE).astype(np.int64) for each in (x, y))
    found = Rings(whole_x, whole_y, RingLayout(kept_sizes), np.array(owners)).select(kept_sizes > 2)
    return cut_out(found, list(range(outside)))


def _crossings(
    low: Whole, high: Whole, noise: Numbers, labels: Whole, axes: tuple[Numbers, Numbers]
) -> tuple[Numbers, Numbers]:
    """Where on the sides between these nodes the noises of the two labels are equal."""
    one, other = labels[low], labels[high]
    before = np.abs(noise[one, low] - noise[other, low])
    behind = np.abs(noise[other, high] - noise[one, high])
    share = np.minimum(np.maximum(before / np.maximum(before + behind, 1e-9), 0.05), 0.95)
    across, down = axes
    columns = len(across)
    x, y = across[low % columns], down[low // columns]
    return x + share * (across[high % columns] - x), y + share * (down[high // columns] - y)


def _middles(x: Numbers, y: Numbers, starts: Whole, numbers: Whole) -> tuple[Numbers, Numbers]:
    """The means of three or four points each."""
    last = np.where(numbers == 4, starts + 3, starts)
    more = numbers == 4
    sum_x, sum_y = (
        each[starts] + each[starts + 1] + each[starts + 2] + np.where(more, each[last], 0) for each in (x, y)
    )
    return sum_x / numbers, sum_y / numbers


def _rings(steps: dict[int, tuple[int, int]], labels: int) -> tuple[list[Whole], list[int]]:
    """The steps from point to point joined to rings, and the label of each; -1 means no point on the way.

    The key of a step is its first point times the number of labels, plus its label.
    """
    rings, owners = [], []
    while steps:
        key = next(iter(steps))
        label = key % labels
        ring = []
        while key in steps:
            ring.append(key // labels)
            middle, end = steps.pop(key)
            if middle >= 0:
                ring.append(middle)
            key = end * labels + label
        rings.append(np.array(ring))
        owners.append(label)
    return rings, owners


def _smoothed(x: Numbers, y: Numbers, rings: list[Whole], free: int) -> tuple[Numbers, Numbers]:
    """The points moved towards their neighbours' middle, a few times; those from `free` on join three lines and stay.

    Points that are then on a straight line are set to NaN. Both neighbours get the same bits.
    """
    flat, layout = np.concatenate(rings), RingLayout(np.array([len(ring) for ring in rings]))
    before, after = np.zeros(len(x), np.int64), np.zeros(len(x), np.int64)
    before[flat], after[flat] = flat[layout.before], flat[layout.after]
    before, after = before[:free], after[:free]
    for _ in range(ROUNDS_OF_SMOOTHING):
        x[:free], y[:free] = (((each[before] + each[after]) + 2 * each[:free]) / 4 for each in (x, y))
    dx, dy = x[after] - x[before], y[after] - y[before]
    off = dx * (y[:free] - y[before]) - dy * (x[:free] - x[before])
    dull = np.append(off * off < STRAIGHT * STRAIGHT * (dx * dx + dy * dy), np.zeros(len(x) - free, bool))
    number = np.arange(free)
    drop = dull[:free] & ~(dull[before] & (before < number)) & ~(dull[after] & (after < number))
    x[:free][drop] = np.nan
    return x, y

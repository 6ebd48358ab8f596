"""Fish: striped fish of different sizes that swim along the lines between wavy bands of water."""

from bisect import bisect_left, bisect_right
from itertools import pairwise
from math import sqrt
from typing import Final, NamedTuple

from illusion.deck.picture import CANVAS_AREA, CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP, CENTRE
from illusion.deck.plane.curves import CANVAS_DIAGONAL, Point, catmull_rom, counted, length, on_canvas
from illusion.deck.plane.exact import TAU, Dice, cos_sin, turn
from illusion.deck.plane.mosaic import Mosaic, mosaic_with_holes

MIN_LENGTH: Final = 1050.0
MIN_WATER_WIDTH: Final = 140.0
HALF_HEIGHT: Final = 0.24
"""Half the height of a fish of length 1 and plumpness 1."""
BACK: Final = catmull_rom(
    [(-0.3, 0.06), (-0.18, 0.13), (0, 0.2), (0.2, 0.22), (0.38, 0.15), (0.47, 0.07), (0.5, 0.0)], 4
)
"""Half the thickness of a fish of length 1 along its spine, from the tail to the mouth."""
TAIL: Final = catmull_rom([(-0.3, 0.06), (-0.42, 0.12), (-0.5, 0.2), (-0.47, 0.09), (-0.45, 0)], 3)
BOW: Final = [step / 4 - 1 for step in range(1, 8)]
EYE: Final = [
    (0.35 + 0.028 * cosine, -0.02 + 0.028 * sine) for cosine, sine in (turn(-step * TAU / 9) for step in range(9))
]


class _Fish(NamedTuple):
    """A fish on a line of the water: it takes the place of the line's points from `first` to `last`."""

    line: int
    first: int
    last: int
    middle: Point
    length: float
    way: Point
    """The direction in which it faces, a unit vector."""
    plump: float
    bend: float

    def placed(self, points: list[Point]) -> list[Point]:
        (x, y), (u, v), long = self.middle, self.way, self.length
        found = []
        for p, q in points:
            along, across = p * long, (q * self.plump + p * p * self.bend) * long
            found.append((x + along * u - across * v, y + along * v + across * u))
        return found


def pieces(dice: Dice, count: int) -> Mosaic:
    count = round(0.8 * count)
    cosine, sine = turn(dice.sign() * dice.uniform(0.07, 0.49))
    gill = dice.uniform(0.16, 0.24)
    shoal = max(2, round(count / 13))
    lines = _lines(dice, count)
    fish = _shoal(dice, lines, shoal, (cosine, sine))

    shapes: list[list[list[Point]]] = []
    layers: list[int] = []
    above: list[dict[float, Point]] = [dict(enumerate(line)) for line in lines]
    below: list[dict[float, Point]] = [dict(enumerate(line)) for line in lines]
    for each in fish:
        stripes = (
            (1 if count < 20 else 2) + (each.length > 2 * MIN_LENGTH) + (each.length > 3.2 * MIN_LENGTH and count > 40)
        )
        back, parts = _parts(stripes, gill)
        shapes += [[each.placed(ring) for ring in part] for part in parts]
        layers += [1] * len(parts)
        # The line reaches the fish at its tail and leaves it at its mouth, or the other way round.
        far, near = each.placed(back), each.placed([(x, -y) for x, y in back])
        faces_on = each.way[0] > 0
        for sides, outline in ((below, far if faces_on else near), (above, near if faces_on else far)):
            side = sides[each.line]
            for at in range(each.first, each.last + 1):
                side.pop(at, None)
            for at, point in enumerate(outline if faces_on else outline[::-1]):
                side[each.first + (each.last - each.first) * (at + 1) / (len(outline) + 1)] = point
    water, water_layers = _water(dice, lines, above, below, count - 4 * shoal)
    seen = [shape if _eye_seen(shape, (cosine, sine)) else shape[:1] for shape in shapes]
    return mosaic_with_holes([*water, *seen], [*water_layers, *layers], (cosine, sine))


def _eye_seen(shape: list[list[Point]], way: Point) -> bool:
    """Whether a head's eye, if there is one, is well inside the canvas."""
    return len(shape) < 2 or all(on_canvas(*_turned(x, y, way), 120) for x, y in shape[1])


def _turned(x: float, y: float, way: Point) -> Point:
    """A point around the card's centre, given along and across the water."""
    return CENTRE[0] + x * way[0] - y * way[1], CENTRE[1] + x * way[1] + y * way[0]


def _lines(dice: Dice, count: int) -> list[list[Point]]:
    """The lines between the bands of water: waves along the first axis, one below the other."""
    bands = max(4, round(1.15 * sqrt(max(count, 12))))
    wave, height = dice.uniform(2200, 4200), dice.uniform(0.14, 0.26)
    span, reach = CANVAS_DIAGONAL / bands, 0.55 * CANVAS_DIAGONAL
    steps = round(2 * reach / wave * 12)
    along = counted(steps + 1) * (2 * reach / steps) - reach
    middle, lines = -reach - span, []
    while middle < reach + 2 * span:
        across = middle + height * span * cos_sin(TAU * along / wave + dice.uniform(0, 0.9))[1]
        lines.append(list(zip(along.tolist(), across.tolist(), strict=True)))
        middle += span * dice.uniform(0.75, 1.3)
    return lines


def _shoal(dice: Dice, lines: list[list[Point]], count: int, way: Point) -> list[_Fish]:
    """Fish on the lines, by dart throwing; large ones first. None reaches the next line or another fish."""
    heading, plump = dice.sign(), dice.uniform(0.85, 1.3)
    longest = min(1.25 * sqrt(CANVAS_AREA / count), 0.8 * (CANVAS_RIGHT - CANVAS_LEFT))
    step = lines[0][1][0] - lines[0][0][0]
    fish: list[_Fish] = []
    trials = 60 * count
    for trial in range(trials):
        long = max(longest * (1 - 0.75 * trial / trials), MIN_LENGTH)
        line, at = 1 + dice.below(len(lines) - 2), dice.below(len(lines[0]))
        x, y = lines[line][at]
        u, v = _turned(x, y, way)
        margin = 0.34 * long
        half = int(0.65 * long / step) + 1
        first, last = at - half, at + half
        if (
            not (
                CANVAS_LEFT + margin < u < CANVAS_RIGHT - margin
                and CANVAS_TOP + margin / 2 < v < CANVAS_BOTTOM - margin / 2
            )
            or first < 1
            or last > len(lines[line]) - 2
            or any(_near((x, y), long, other, plump) for other in fish)
            or any(other.line == line and first <= other.last + 1 and other.first <= last + 1 for other in fish)
        ):
            continue
        room = HALF_HEIGHT * plump * long + MIN_WATER_WIDTH
        (a, b), (c, d) = lines[line][first], lines[line][last]
        slope = length(c - a, d - b)
        ahead = (c - a) / slope, (d - b) / slope
        if all(
            _off(lines[other][spot], (x, y), ahead) > room
            for other in (line - 1, line + 1)
            for spot in range(first, last + 1)
        ):
            faces = heading if dice.chance(0.85) else -heading
            faced = faces * ahead[0], faces * ahead[1]
            fish.append(_Fish(line, first, last, (x, y), long, faced, plump, dice.uniform(-0.12, 0.12)))
        if len(fish) == count:
            break
    return fish


def _near(place: Point, long: float, other: _Fish, plump: float) -> bool:
    x, y = place[0] - other.middle[0], place[1] - other.middle[1]
    together = (long + other.length) / 2
    flat = 1.1 * together / (2 * HALF_HEIGHT * plump * together + MIN_WATER_WIDTH)
    return length(x, flat * y) < 1.1 * together + MIN_WATER_WIDTH


def _off(point: Point, origin: Point, ahead: Point) -> float:
    """The distance of a point from the line through the origin."""
    return abs(ahead[0] * (point[1] - origin[1]) - ahead[1] * (point[0] - origin[0]))


def _parts(stripes: int, gill: float) -> tuple[list[Point], list[list[list[Point]]]]:
    """A fish of length 1 that faces along the first axis: one side of its outline, from tail to mouth; and its parts.

    The parts are tail, stripes, and the head with an eye. Their outlines share the outline's points.
    """
    cuts = [-0.3 + (gill + 0.3) * stripe / stripes for stripe in range(stripes + 1)]
    backs = [_back(start, end) for start, end in pairwise([*cuts, 0.5])]
    bows = [_bow(back[0]) for back in backs]
    tail = TAIL[::-1]
    outline = [(-0.6, 0.0), *tail[:-1], *(point for back in backs for point in back[:-1]), (0.5, 0.0), (0.6, 0.0)]
    parts = [[[*tail, *bows[0][::-1], *_mirrored(tail)[::-1][:-1]]]]
    for at, back in enumerate(backs[:-1]):
        parts.append([[*back, *bows[at + 1][::-1], *_mirrored(back)[::-1], *bows[at]]])
    parts.append([[*backs[-1], *_mirrored(backs[-1])[::-1][1:], *bows[-1]], EYE])
    return outline, parts


def _back(start: float, end: float) -> list[Point]:
    inside = [(x, y) for x, y in BACK if start + 0.02 < x < end - 0.02]
    return [(start, _half(start)), *inside, (end, _half(end))]


def _half(at: float) -> float:
    """Half the thickness at a place on the spine, interpolated."""
    for (x, y), (u, v) in pairwise(BACK):
        if at <= u:
            return y + (v - y) * (at - x) / (u - x)
    return BACK[-1][1]


def _bow(end: Point) -> list[Point]:
    """The points of a bow across the fish between its ends, from below to above."""
    at, half = end
    return [(at + 0.35 * half * (1 - across * across), half * across) for across in BOW]


def _mirrored(points: list[Point]) -> list[Point]:
    return [(x, -y) for x, y in points]


def _water(
    dice: Dice, lines: list[list[Point]], above: list[dict[float, Point]], below: list[dict[float, Point]], count: int
) -> tuple[list[list[list[Point]]], list[int]]:
    """The bands cut into segments where no fish is, each with its layer."""
    steps, bands = len(lines[0]) - 1, len(lines) - 3
    water, layers = [], []
    for band in range(len(lines) - 1):
        top, bottom = below[band], above[band + 1]
        tops, bottoms = sorted(top), sorted(bottom)
        cuts, target = [0], 0.0
        while cuts[-1] < steps:
            target = cuts[-1] + max(5, steps * bands / max(count, 8) * dice.uniform(0.6, 1.1))
            open_ = [at for at in range(round(target), steps - 4) if at in top and at in bottom]
            cuts.append(open_[0] if open_ else steps)
        for start, end in pairwise(cuts):
            upper = [top[at] for at in tops[bisect_left(tops, start) : bisect_right(tops, end)]]
            lower = [bottom[at] for at in bottoms[bisect_left(bottoms, start) : bisect_right(bottoms, end)]]
            water.append([[*upper, *lower[::-1]]])
            layers.append(2 * (band % 2))
    return water, layers

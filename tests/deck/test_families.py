"""Every mosaic covers the canvas with valid pieces that do not overlap and share their borders, for any number."""

import numpy as np
import pytest
import shapely
from harness.sweeps import sweep

from illusion.deck.families import FAMILIES
from illusion.deck.picture import CANVAS_AREA, CANVAS_BOTTOM, CANVAS_LEFT, CANVAS_RIGHT, CANVAS_TOP
from illusion.deck.plane.exact import Dice
from illusion.deck.plane.rings import FINE, Rings

COUNTS = [12, 25, 60, 100]
CANVAS = shapely.box(CANVAS_LEFT, CANVAS_TOP, CANVAS_RIGHT, CANVAS_BOTTOM)


def polygons(rings: Rings) -> dict[int, shapely.Polygon]:
    """A polygon with its holes for each piece."""
    found: dict[int, list[np.ndarray]] = {}
    for start, size, piece in zip(rings.layout.starts, rings.layout.sizes, rings.piece, strict=True):
        points = np.stack([rings.x[start : start + size], rings.y[start : start + size]], axis=1) / FINE
        found.setdefault(int(piece), []).append(points)
    return {piece: shapely.Polygon(outline, holes) for piece, (outline, *holes) in found.items()}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", FAMILIES)
def test_pieces_are_whole_and_apart_and_cover_the_canvas(name: str, count: int) -> None:
    for seed in range(sweep(1, 3)):
        pieces = FAMILIES[name](Dice(f"{name} {seed}"), count)
        shapes = np.array(list(polygons(pieces.rings).values()))
        shapes = shapes[shapely.area(shapes) > 500]
        assert shapely.is_valid(shapes).all()
        assert shapely.covered_by(shapes, CANVAS).all()
        covered = shapely.area(shapely.union_all(shapes))
        assert covered >= 0.97 * CANVAS_AREA
        assert shapely.area(shapes).sum() == pytest.approx(covered, rel=1e-4)  # so no two overlap
        assert count / 3 <= len(shapes) <= 3 * count


@pytest.mark.parametrize("name", FAMILIES)
def test_neighbours_share_their_borders_point_by_point(name: str) -> None:
    """Nearly all of the length of the borders inside the canvas has a twin that runs the other way."""
    pieces = FAMILIES[name](Dice(name), 50)
    x, y, after = pieces.rings.x, pieces.rings.y, pieces.after
    on_side = np.zeros(len(x), bool)
    for axis, side in ((x, CANVAS_LEFT), (x, CANVAS_RIGHT), (y, CANVAS_TOP), (y, CANVAS_BOTTOM)):
        on_side |= (axis == 16 * side) & (axis[after] == 16 * side)
    lengths = pieces.lengths
    alone = lengths[(pieces.twin < 0) & ~on_side].sum()
    assert alone < 0.02 * lengths.sum(), alone / lengths.sum()

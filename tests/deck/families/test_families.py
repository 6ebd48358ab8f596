"""Every family covers the canvas with valid pieces that do not overlap, for any number of pieces."""

from random import Random

import numpy as np
import pytest
import shapely

from illusion.deck.drawing.card_face import CANVAS
from illusion.deck.families import FAMILIES

COUNTS = [12, 25, 60, 100]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", FAMILIES)
def test_pieces_are_whole_and_apart_and_cover_the_canvas(name: str, count: int) -> None:
    for seed in range(3):
        pieces = FAMILIES[name](Random(seed), count)
        shapes = np.array([piece.polygon for piece in pieces])
        assert shapely.is_valid(shapes).all()
        assert shapely.covered_by(shapes, CANVAS.buffer(0.5)).all()
        covered = shapely.area(shapely.union_all(shapes))
        assert covered >= 0.97 * CANVAS.area
        assert shapely.area(shapes).sum() == pytest.approx(covered, rel=1e-4)  # so no two overlap
        assert count / 3 <= len(pieces) <= 3 * count


@pytest.mark.parametrize("name", FAMILIES)
def test_the_same_randomness_gives_the_same_pieces_and_other_randomness_others(name: str) -> None:
    def drawn(seed: int) -> list[str]:
        return [piece.polygon.wkt for piece in FAMILIES[name](Random(seed), 40)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)

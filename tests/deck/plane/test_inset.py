"""Insetting against GEOS: nothing nearer to the border than half a gap, nothing too thin, and all that is stout."""

import numpy as np
import pytest
import shapely

from illusion.deck.families import FAMILIES
from illusion.deck.plane.exact import Dice
from illusion.deck.plane.inset import inset
from illusion.deck.plane.mosaic import mosaic, mosaic_with_holes
from illusion.deck.plane.necks import HALF_MIN_WIDTH, crossing_pieces
from tests.deck.plane.shapes import polygons


@pytest.mark.parametrize("name", FAMILIES)
def test_pieces_lose_half_a_gap_and_their_thin_parts(name: str) -> None:
    for seed in range(2):
        pieces = FAMILIES[name](Dice(f"{name} {seed}"), 40)
        inner, necks = inset(pieces.rings)
        gross, net = polygons(pieces.rings), polygons(inner)
        good = [piece for piece in net if piece not in set(necks.tolist()) and net[piece].area > 7000]
        assert sum(gross[piece].area for piece in good) > 0.75 * sum(shape.area for shape in gross.values())
        for piece in good:
            assert net[piece].is_valid, (name, seed, piece)
            eroded = shapely.buffer(gross[piece], -22, quad_segs=32)
            assert shapely.buffer(eroded, 0.6).covers(net[piece]), (name, seed, piece)
            # What GEOS has left after eroding deeper is there, except for islands behind a narrow place.
            deep = shapely.buffer(gross[piece], -22 - HALF_MIN_WIDTH, join_style="mitre")
            assert shapely.difference(deep, net[piece].buffer(1)).area < 0.02 * gross[piece].area + 1


def test_a_strip_that_is_too_thin_vanishes_and_a_tail_is_cut_off() -> None:
    strip = np.array([(1000, 1000), (3000, 1040), (3000, 1120), (1000, 1080)], dtype=np.float64)
    flag = np.array([(1000, 3000), (2000, 3000), (2000, 3500), (4000, 3540), (2000, 3580), (2000, 4000), (1000, 4000)])
    pieces = mosaic([strip, flag.astype(np.float64)], [0, 0])
    inner, necks = inset(pieces.rings)
    net = polygons(inner)
    assert list(net) == [1]
    assert not len(necks)
    assert net[1].is_valid
    assert net[1].bounds[2] < 2200


def test_a_dumbbell_is_refused() -> None:
    dumbbell = np.array([(1000, 1000), (2000, 1000), (2000, 1470), (3000, 1470), (3000, 1000), (4000, 1000.0)])
    mirrored = dumbbell[::-1] * (1, -1) + (0, 3000)
    _, necks = inset(mosaic([np.concatenate([dumbbell, mirrored])], [0]).rings)
    assert set(necks.tolist()) == {0}


def test_a_hole_near_the_outline_is_refused_and_one_in_the_middle_is_not() -> None:
    outline = [(1000, 1000), (3000, 1000), (3000, 3000), (1000, 3000)]
    middle, near = [(1800, 1800), (1800, 2200), (2200, 2200), (2200, 1800)], [(1050, 1800), (1050, 2200), (1400, 2000)]
    inner, necks = inset(mosaic_with_holes([[outline, middle]], [0]).rings)
    assert not len(necks)
    assert polygons(inner)[0].area == pytest.approx(1956**2 - 444**2, rel=1e-6)
    _, necks = inset(mosaic_with_holes([[outline, near]], [0]).rings)
    assert set(necks.tolist()) == {0}


def test_outlines_that_cross_themselves_are_found() -> None:
    plain = np.array([(1000, 1000), (2000, 1000), (2000, 2000), (1000, 2000)], dtype=np.float64)
    knot = np.array([(3000, 3000), (4000, 4000), (4000, 3000), (3000, 4100)], dtype=np.float64)
    assert set(crossing_pieces(mosaic([plain, knot], [0, 0]).rings).tolist()) == {1}


def test_a_tail_that_widens_again_is_cut_off_too() -> None:
    """Its end vanishes first, and then its sides do not meet there; found among 3,000 cards."""
    water = [(6007, 293), (6007, 365), (5910, 362), (5558, 383), (5204, 413), (4853, 430), (4507, 414), (4527, 293)]
    inner, necks = inset(mosaic([np.array(water, dtype=np.float64)], [0]).rings)
    (shape,) = polygons(inner).values()
    assert not len(necks)
    assert shape.bounds[2] < 5700
    assert shapely.difference(shape, shape.buffer(-18.9).buffer(20.9)).area < 1000

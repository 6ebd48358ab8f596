"""A picture as path data: steps from point to point, with no space before a minus sign."""

import numpy as np

from illusion.deck.svg import painted
from illusion.rules import Colour


def test_paths_hold_each_ring_relative_to_its_first_point() -> None:
    one, other = list(Colour)[:2]
    outline = np.array([(400, 500), (900, 480), (890, 1200), (400, 1200)])
    hole = np.array([(500, 600), (500, 700), (600, 650)])
    twice = np.array([(3000, 4000), (3000, 4000), (3200, 4000), (3200, 4300), (3200, 4300)])
    assert list(painted({one: [[outline, hole]], other: [[twice]]})) == [
        f'<path class="{one}" d="M400 500l500-20-10 720-490 0zM500 600l0 100 100-50z"/>',
        f'<path class="{other}" d="M3000 4000l200 0 0 300z"/>',
    ]


def test_a_ring_may_begin_where_the_one_before_it_ends() -> None:
    colour = next(iter(Colour))
    one = np.array([(400, 500), (900, 480), (890, 1200)])
    other = np.array([(890, 1200), (900, 1900), (400, 1950)])
    assert list(painted({colour: [[one], [other]]})) == [
        f'<path class="{colour}" d="M400 500l500-20-10 720zM890 1200l10 700-500 50z"/>'
    ]

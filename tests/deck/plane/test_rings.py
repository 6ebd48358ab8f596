"""Rings in flat arrays: each point's neighbours."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from illusion.deck.plane.rings import RingLayout


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12))
def test_neighbours_go_around_their_ring(sizes: list[int]) -> None:
    layout = RingLayout(np.array(sizes))
    first = 0
    for ring, size in enumerate(sizes):
        points = list(range(first, first + size))
        assert layout.after[points].tolist() == points[1:] + points[:1]
        assert layout.before[points].tolist() == points[-1:] + points[:-1]
        assert layout.ring[points].tolist() == [ring] * size
        assert (layout.starts[ring], layout.ends[ring]) == (first, first + size)
        first += size
    assert layout.count(np.arange(first) % 2 == 0).sum() == (first + 1) // 2

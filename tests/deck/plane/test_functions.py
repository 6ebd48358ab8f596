"""Our sine, cosine and powers against the library's, and one angle at a time against many at once."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from illusion.deck.plane.exact import cos_sin, exponential, exponentials, logarithm, power, turn

angles = st.floats(-500, 500)
positive = st.floats(1e-6, 1e6)


@given(angles)
def test_sines_and_cosines(angle: float) -> None:
    assert turn(angle) == pytest.approx((math.cos(angle), math.sin(angle)), abs=1e-13)
    cosines, sines = cos_sin(np.array([angle]))
    assert turn(angle) == (cosines[0], sines[0])


@given(positive, st.floats(-8, 8))
def test_powers(base: float, exponent: float) -> None:
    assert logarithm(base) == pytest.approx(math.log(base), rel=1e-13, abs=1e-13)
    assert power(base, exponent) == pytest.approx(base**exponent, rel=1e-12)


@given(st.floats(-20, 20))
def test_exponentials(value: float) -> None:
    assert exponential(value) == pytest.approx(math.exp(value), rel=1e-13)
    assert exponentials(np.array([value]))[0] == pytest.approx(math.exp(value), rel=1e-13)

"""Our implementation of CIEDE2000 against pairs published with the formula (Sharma, Wu and Dalal 2005, table 1)."""

import pytest

from tests.deck.ciede2000 import Lab, ciede2000, lab


@pytest.mark.parametrize(
    ("one", "other", "published"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_published_pairs(one: Lab, other: Lab, published: float) -> None:
    assert ciede2000(one, other) == pytest.approx(published, abs=1e-4)
    assert ciede2000(other, one) == pytest.approx(published, abs=1e-4)


def test_white_and_black() -> None:
    assert lab("#ffffff") == pytest.approx((100, 0, 0), abs=0.01)
    assert lab("#000000") == pytest.approx((0, 0, 0), abs=0.01)

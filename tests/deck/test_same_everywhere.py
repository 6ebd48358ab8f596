"""Pictures are the same bytes on any machine: they are drawn with exact operations only."""

import ast
import hashlib
from pathlib import Path

import numpy as np
import pytest
from tools.picture_hashes import RECORDED

from illusion import deck
from illusion.deck import make_deck
from illusion.deck.plane.rings import RingLayout

PACKAGE = Path(deck.__file__).parent
DRAWN_WITH = sorted(
    [
        *(PACKAGE / "plane").rglob("*.py"),
        *(PACKAGE / "families").rglob("*.py"),
        PACKAGE / "painting.py",
        PACKAGE / "shares.py",
    ]
)
EXACT_FUNCTIONS = {"ceil", "floor", "frexp", "ldexp", "sqrt"}
"""Of `math`, what IEEE 754 defines to the last bit."""
EXACT_ARRAYS = set(
    """
    abs add append arange argmax argmin array bincount bool_ clip concatenate cumsum diff divmod flatnonzero
    float64 fromiter full full_like iinfo indices inf insert int8 int32 int64 intp ldexp lexsort logical_and logical_or
    maximum meshgrid mgrid minimum nan ndarray ones_like repeat rint roll searchsorted sign split sqrt stack
    take_along_axis tile unique where zeros zeros_like
    """.split()  # noqa: SIM905  (a list would take a page)
)
"""Of numpy, what works element by element with exact operations, or only moves, compares or counts."""
WHOLE_NUMBERS_SUMMED = {
    ("curves", "np.rint(values * FINE).astype(np.int64)"),
    ("painting", "(shares[colour] for colour in Colour)"),
    ("fitting", "map(len, colours)"),
    ("fitting", "map(len, regions)"),
    ("hexagons", "map(len, kinds)"),
    ("mosaic", "crossed"),
    ("sunburst", "(on_canvas(x, y, HALF_GAP) for x, y in places)"),
}


@pytest.mark.parametrize("path", DRAWN_WITH, ids=lambda path: path.stem)
def test_only_exact_operations_are_used(path: Path) -> None:
    """No library's sine or power, no matrix product, no mean: their last bits differ between versions, processors."""
    for node in ast.walk(ast.parse(path.read_text())):
        where = f"{path.name}, line {getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.ImportFrom):
            assert node.module != "math" or {name.name for name in node.names} <= EXACT_FUNCTIONS, where
            assert node.module not in ("random", "statistics", "cmath") or path.name == "exact.py", where
        elif isinstance(node, ast.Import):
            assert {name.name for name in node.names} <= {"numpy"}, where
        elif isinstance(node, ast.BinOp):
            assert not isinstance(node.op, ast.MatMult), where
            whole = isinstance(node.op, ast.Pow) and path.name == "shares.py"  # a whole number's square
            assert not isinstance(node.op, ast.Pow) or whole, where
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "np":
                assert node.attr in EXACT_ARRAYS, f"{where}: np.{node.attr}"
            assert node.attr not in ("mean", "std", "dot", "prod", "round"), where


def test_floats_are_never_summed_by_a_library() -> None:
    """Python 3.12 sums floats in another way than 3.11, numpy in another order on other processors."""
    summed = set[tuple[str, str]]()
    for path in DRAWN_WITH:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and path.name != "shares.py":  # which knows whole numbers only
                if isinstance(node.func, ast.Attribute) and node.func.attr == "sum":
                    summed.add((path.stem, ast.unparse(node.func.value)))
                elif isinstance(node.func, ast.Name) and node.func.id == "sum":
                    summed.add((path.stem, ast.unparse(node.args[0])))
    assert summed == WHOLE_NUMBERS_SUMMED


def test_indices_of_32_bits_draw_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where addresses have 32 bits, in a browser for one. There numpy takes no others for counts and starts."""
    monkeypatch.setattr(np, "intp", np.int32)
    assert RingLayout(np.array([3, 5], np.int64)).sizes.dtype == np.int32
    recorded = RECORDED[7].read_text().split()[::2]
    for card in {card.family: card for card in make_deck(7)}.values():
        assert hashlib.sha256(card.svg().encode()).hexdigest() == recorded[card.number - 1], card

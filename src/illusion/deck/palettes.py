"""The look of cards: palettes of paints, hatches, symbols, and the layout of printed sides. Shares never depend on it.

Any two colours of a palette, and each colour and white, differ by at least 15 (CIEDE2000), also as seen with the colour
vision that the palette is made for (tests/deck/test_palettes.py measures it).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final, NamedTuple

from illusion.rules import Colour, Shares


@dataclass(frozen=True, slots=True)
class Palette:
    """A paint for each colour; with `texture`, each also has its own hatch."""

    name: str
    red: str
    yellow: str
    green: str
    blue: str
    frame: str = "#c9ccd1"
    texture: bool = False

    def __getitem__(self, colour: Colour) -> str:
        paint: str = getattr(self, colour)
        return paint


STANDARD: Final = Palette("standard", "#d62839", "#f6c100", "#1f9e80", "#1f3b8c")

PALETTES: Final = {
    palette.name: palette
    for palette in (
        STANDARD,
        Palette("deuteranopia", "#9b1b1b", "#f0c63a", "#1aa38c", "#1f45d6"),
        Palette("protanopia", "#8c1f0f", "#f4d426", "#178f75", "#3f5fbf"),
        Palette("tritanopia", "#9c2f2a", "#eaa60a", "#3dbb47", "#1420d6"),
        Palette("high-contrast", "#c00000", "#ffd000", "#00803c", "#00138c", frame="#6b6f76"),
        Palette("texture", "#d62839", "#f6c100", "#1f9e80", "#1f3b8c", texture=True),
    )
}


TILE: Final = 240
"""The width and height of a hatch's tile: the distance from one line to the next, wide enough to see on a phone."""
LINE_WIDTH: Final = 50
DOT_RADIUS: Final = 42

INKS: Final = {Colour.RED: "#7d0f1c", Colour.YELLOW: "#5c4600", Colour.GREEN: "#d5f2ea", Colour.BLUE: "#c3cff5"}
"""Dark on red and yellow, light on green and blue."""


def hatch(colour: Colour) -> str:
    """One tile of the texture palette's hatch as SVG: diagonals, dots, uprights, a grid."""
    half = TILE // 2
    match colour:
        case Colour.RED:
            return _lines(
                colour,
                f"M-{half} {half}L{half}-{half}M0 {TILE}L{TILE} 0M{half} {TILE + half}L{TILE + half} {half}",
            )
        case Colour.YELLOW:
            places = ((TILE // 4, TILE // 4), (TILE * 3 // 4, TILE * 3 // 4))
            return "".join(f'<circle cx="{x}" cy="{y}" r="{DOT_RADIUS}" fill="{INKS[colour]}"/>' for x, y in places)
        case Colour.GREEN:
            return _lines(colour, f"M{half} 0V{TILE}")
        case Colour.BLUE:
            return _lines(colour, f"M0 {half}H{TILE}M{half} 0V{TILE}")


def _lines(colour: Colour, path: str) -> str:
    return f'<path d="{path}" stroke="{INKS[colour]}" stroke-width="{LINE_WIDTH}"/>'


Point = tuple[float, float]

SYMBOLS: Final[dict[Colour, list[Point]]] = {
    Colour.RED: [(50 * cos(step * pi / 32), 50 * sin(step * pi / 32)) for step in range(64)],
    Colour.YELLOW: [(0, -56), (60, 46), (-60, 46)],
    Colour.GREEN: [(-46, -46), (46, -46), (46, 46), (-46, 46)],
    Colour.BLUE: [(0, -64), (50, 0), (0, 64), (-50, 0)],
}
"""Disc, triangle, square, diamond, about 100 units wide around the origin: for people who cannot tell the colours."""

ARROW: Final[list[Point]] = [(-1000, -350), (100, -350), (100, -750), (1000, 0), (100, 750), (100, 350), (-1000, 350)]


class Swatch(NamedTuple):
    """A patch of a colour, around the middle of its height."""

    colour: Colour
    y: int


class Sign(NamedTuple):
    """A symbol or an arrow; white without a colour."""

    colour: Colour | None
    points: list[Point]
    x: int
    y: int
    size: float


class Words(NamedTuple):
    """Words centred on the card, or with `right` aligned with the ends of the percentages."""

    words: str
    y: int
    size: int
    right: bool = False


Printed = Swatch | Sign | Words


def back(shares: Shares, number: int, percent: Callable[[int], str]) -> Iterator[Printed]:
    """The four percentages in large figures, each beside its colour and symbol."""
    for row, colour in enumerate(Colour):
        y = 1450 + 1800 * row
        yield Swatch(colour, y)
        yield Sign(None, SYMBOLS[colour], 1500, y, 6)
        yield Words(percent(shares[colour]), y + 400, 1150, right=True)
    yield Words(str(number), 8370, 240)


def arrow(colour: Colour, name: str) -> Iterator[Printed]:
    """An arrow card; the row begins at its tip (R3.1)."""
    yield Sign(colour, ARROW, 3150, 4400, 2)
    yield Sign(colour, SYMBOLS[colour], 3150, 1500, 5)
    yield Words(name, 7300, 700)


def arrow_back() -> Iterator[Printed]:
    """The back of every arrow card: an arrow of each colour."""
    for colour, y in zip(Colour, (1700, 3500, 5300, 7100), strict=True):
        yield Sign(colour, ARROW, 3150, y, 0.9)

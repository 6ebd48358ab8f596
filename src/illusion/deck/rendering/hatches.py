"""The hatches of the texture palette: diagonals, dots, uprights, a grid, wide enough to see on a phone."""

from typing import Final

from illusion.rules import Colour

TILE: Final = 240
"""The width and height of a tile, which is the distance from one line to the next."""
LINE_WIDTH: Final = 50
DOT_RADIUS: Final = 42

INKS: Final = {Colour.RED: "#7d0f1c", Colour.YELLOW: "#5c4600", Colour.GREEN: "#d5f2ea", Colour.BLUE: "#c3cff5"}
"""Dark on red and yellow, light on green and blue."""


def marks(colour: Colour) -> str:
    """One tile of the hatch as SVG, `TILE` wide and high."""
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

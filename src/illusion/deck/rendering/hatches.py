"""What the texture palette lays over each colour: diagonals, dots, uprights, a grid, wide enough to see on a phone."""

from typing import Final

from illusion.rules import Colour

STEP: Final = 240
"""From one line or dot to the next; a whole number of steps lies between any two."""
WIDTH: Final = 50
DOT: Final = 42

INKS: Final = {Colour.RED: "#7d0f1c", Colour.YELLOW: "#5c4600", Colour.GREEN: "#d5f2ea", Colour.BLUE: "#c3cff5"}
"""Dark on red and yellow, light on green and blue."""


def marks(colour: Colour) -> str:
    """One tile of the hatch as SVG, STEP units wide and high."""
    half = STEP // 2
    match colour:
        case Colour.RED:
            return _lines(
                colour, f"M-{half} {half}L{half}-{half}M0 {STEP}L{STEP} 0M{half} {STEP + half}L{STEP + half} {half}"
            )
        case Colour.YELLOW:
            places = ((STEP // 4, STEP // 4), (STEP * 3 // 4, STEP * 3 // 4))
            return "".join(f'<circle cx="{x}" cy="{y}" r="{DOT}" fill="{INKS[colour]}"/>' for x, y in places)
        case Colour.GREEN:
            return _lines(colour, f"M{half} 0V{STEP}")
        case Colour.BLUE:
            return _lines(colour, f"M0 {half}H{STEP}M{half} 0V{STEP}")


def _lines(colour: Colour, path: str) -> str:
    return f'<path d="{path}" stroke="{INKS[colour]}" stroke-width="{WIDTH}"/>'

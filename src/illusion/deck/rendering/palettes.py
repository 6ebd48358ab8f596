"""Palettes: what the four colours look like. Shares never depend on them.

Any two colours of a palette, and each colour and white, differ by at least 15 (CIEDE2000), also as seen with the colour
vision that the palette is made for (tests/deck/rendering/test_palettes.py measures it).
"""

from dataclasses import dataclass
from typing import Final

from illusion.rules import Colour


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


class UnknownPalette(ValueError):
    """No palette has this name."""


def palette_named(palette: Palette | str) -> Palette:
    """The palette of this name; a palette is returned as it is.

    :raises UnknownPalette: if there is none of this name.
    """
    if isinstance(palette, Palette):
        return palette
    if palette not in PALETTES:
        raise UnknownPalette(palette)
    return PALETTES[palette]

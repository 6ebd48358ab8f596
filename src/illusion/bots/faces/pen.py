"""Three SVG primitives: a filled shape, a line with round ends, and dots.

In all parts `{skin}`, `{shade}`, `{hair}`, `{coat}` and `{trim}` are placeholders for the colours of a portrait.
"""

from typing import Final

INK: Final = "#22201d"
WHITE: Final = "#fff"
GOLD: Final = "#f6c100"
RED: Final = "#d62839"
GREEN: Final = "#1f9e80"
BLUE: Final = "#1f3b8c"
PEN: Final = 'fill="none" stroke-linecap="round"'
"""Attributes of the whole picture."""

SKIN, SHADE, HAIR, COAT, TRIM = "{skin}", "{shade}", "{hair}", "{coat}", "{trim}"


def shape(paint: str, path: str) -> str:
    return f'<path d="{path}" fill="{paint}"/>'


def line(width: float, paint: str, path: str) -> str:
    return f'<path d="{path}" stroke="{paint}" stroke-width="{width}"/>'


def dots(width: float, paint: str, *points: tuple[float, float]) -> str:
    """Round dots of one size, as lines of no length with round ends."""
    return line(width, paint, "".join(f"M{x} {y}h0" for x, y in points))

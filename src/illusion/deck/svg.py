"""Cards as SVG: fronts, backs and arrow cards. Colours are CSS classes, which a palette fills."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from illusion.deck.palettes import TILE, Palette, Printed, Sign, Swatch, Words, hatch
from illusion.deck.picture import BOTTOM, FRAME, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Picture
from illusion.rules import Colour

CORNER_RADIUS: Final = 300


def front(picture: Picture, palette: Palette) -> str:
    """The picture in its grey frame."""
    return _card(palette, painted(picture))


def printed(parts: Iterable[Printed], palette: Palette) -> str:
    """A printed card."""
    return _card(palette, map(_printed, parts))


def _printed(part: Printed) -> str:
    match part:
        case Swatch(colour, y):
            return f'<rect class="{colour}" x="750" y="{y - 550}" width="1500" height="1100" rx="160"/>'
        case Words(words, y, size, right):
            x, anchor = (5550, "end") if right else (3150, "middle")
            return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}">{words}</text>'
        case Sign(colour, points, x, y, scale):
            corners = " ".join(f"{x + u * scale:.0f} {y + v * scale:.0f}" for u, v in points)
            return f'<path class="{colour or "white"}" d="M{corners}z"/>'


def _card(palette: Palette, inside: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="630" height="880" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{style(palette)}{framed(inside)}</svg>\n"
    )


def framed(inside: Iterable[str]) -> str:
    """The grey frame and the white area with its content."""
    return (
        f'<rect class="frame" width="{WIDTH}" height="{HEIGHT}" rx="{CORNER_RADIUS}"/>'
        f'<rect class="white" x="{FRAME}" y="{FRAME}" width="{RIGHT - LEFT}" height="{BOTTOM - TOP}"/>'
        f"{''.join(inside)}"
    )


def painted(picture: Picture) -> Iterator[str]:
    """A path for each colour."""
    for colour, regions in picture.items():
        rings = "".join(_closed(ring.tolist()) for region in regions for ring in region)
        yield f'<path class="{colour}" d="{rings}"/>'


def _closed(ring: list[list[int]]) -> str:
    """A path in relative coordinates, without a space before a minus sign."""
    steps = (f"{u - x} {v - y}" for (x, y), (u, v) in pairwise(ring) if u != x or v != y)
    return f"M{ring[0][0]} {ring[0][1]}l{' '.join(steps).replace(' -', '-')}z"


def style(palette: Palette) -> str:
    """The style sheet that fills the classes, with the hatches it refers to."""
    fills = {colour: f"url(#{colour}-hatch)" if palette.texture else palette[colour] for colour in Colour}
    classes = "".join(f".{colour}{{fill:{fill}}}" for colour, fill in fills.items())
    sheet = (
        f"<style>path{{fill-rule:evenodd}}.frame{{fill:{palette.frame}}}.white{{fill:#fff}}{classes}"
        "text{font-family:Helvetica,Arial,sans-serif;font-weight:700;fill:#1d1f23}</style>"
    )
    return sheet + (_hatches(palette) if palette.texture else "")


def _hatches(palette: Palette) -> str:
    patterns = "".join(
        f'<pattern id="{colour}-hatch" width="{TILE}" height="{TILE}" patternUnits="userSpaceOnUse">'
        f'<rect width="{TILE}" height="{TILE}" fill="{palette[colour]}"/>{hatch(colour)}</pattern>'
        for colour in Colour
    )
    return f"<defs>{patterns}</defs>"

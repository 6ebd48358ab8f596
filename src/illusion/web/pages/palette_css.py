"""The palettes as a stylesheet: arrows and symbols on the pages wear the colours of the viewer's cards."""

from functools import lru_cache

from illusion.deck import PALETTES
from illusion.deck.palettes import TILE, hatch
from illusion.rules import Colour


@lru_cache(1)
def stylesheet() -> str:
    """One rule for each palette of the deck; `texture` fills with the hatches of `patterns`."""
    rules = []
    for palette in PALETTES.values():
        paints = "".join(f"--{colour}:{palette[colour]};" for colour in Colour)
        rules.append(f":root[data-palette={palette.name}]{{{paints}--frame:{palette.frame}}}")
        if palette.texture:
            rules += [f"[data-palette={palette.name}] .{colour}{{fill:url(#{colour}-paint)}}" for colour in Colour]
    return "\n".join(rules) + "\n"


@lru_cache(1)
def patterns() -> str:
    """The hatches as SVG patterns, small enough for symbols; they stand once on every page."""
    return "".join(
        f'<pattern id="{colour}-paint" width="{TILE}" height="{TILE}" patternUnits="userSpaceOnUse"'
        f' patternTransform="scale(.15)"><rect class="plain-{colour}" width="{TILE}" height="{TILE}"/>{hatch(colour)}'
        "</pattern>"
        for colour in Colour
    )

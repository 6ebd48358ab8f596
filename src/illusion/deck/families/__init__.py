"""The registry of families by name. A family divides the canvas into pieces, without regard to colours.

Each is a file here; docs/deck.md says how to add one.
"""

from pkgutil import resolve_name
from typing import Final

from illusion.deck.painting import Divide

NAMES: Final = (
    "broken-rings",
    "brush-ribbons",
    "camouflage",
    "chevrons",
    "circle-packing",
    "confetti",
    "fish",
    "halftone",
    "herringbone",
    "hexagons",
    "munker-stripes",
    "nested-squares",
    "petals",
    "pinwheels",
    "scales",
    "spiral",
    "stained-glass",
    "sunburst",
    "triangle-mesh",
    "truchet",
    "tumbling-blocks",
    "warped-checkerboard",
    "wavy-bands",
    "woven-ribbons",
)

FAMILIES: Final[dict[str, Divide]] = {
    name: resolve_name(f"illusion.deck.families.{name.replace('-', '_')}:pieces") for name in NAMES
}

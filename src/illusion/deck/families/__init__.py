"""The registry of families by name. A family divides the canvas into pieces; it knows nothing of colours.

docs/deck.md says how to add one.
"""

from typing import Final

from illusion.deck.families import (
    broken_rings,
    brush_ribbons,
    camouflage,
    chevrons,
    circle_packing,
    confetti,
    fish,
    halftone,
    herringbone,
    hexagons,
    munker_stripes,
    nested_squares,
    petals,
    pinwheels,
    scales,
    spiral,
    stained_glass,
    sunburst,
    triangle_mesh,
    truchet,
    tumbling_blocks,
    warped_checkerboard,
    wavy_bands,
    woven_ribbons,
)
from illusion.deck.painting import Divide

FAMILIES: Final[dict[str, Divide]] = {
    "broken-rings": broken_rings.pieces,
    "brush-ribbons": brush_ribbons.pieces,
    "camouflage": camouflage.pieces,
    "chevrons": chevrons.pieces,
    "circle-packing": circle_packing.pieces,
    "confetti": confetti.pieces,
    "fish": fish.pieces,
    "halftone": halftone.pieces,
    "herringbone": herringbone.pieces,
    "hexagons": hexagons.pieces,
    "munker-stripes": munker_stripes.pieces,
    "nested-squares": nested_squares.pieces,
    "petals": petals.pieces,
    "pinwheels": pinwheels.pieces,
    "scales": scales.pieces,
    "spiral": spiral.pieces,
    "stained-glass": stained_glass.pieces,
    "sunburst": sunburst.pieces,
    "triangle-mesh": triangle_mesh.pieces,
    "truchet": truchet.pieces,
    "tumbling-blocks": tumbling_blocks.pieces,
    "warped-checkerboard": warped_checkerboard.pieces,
    "wavy-bands": wavy_bands.pieces,
    "woven-ribbons": woven_ribbons.pieces,
}

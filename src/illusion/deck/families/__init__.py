"""The families of patterns, and which of them each version of the generator deals.

To add a family, copy one of the files here, write another `pieces`, and enter it in a new version below: a stored game
names the version it was dealt with, so a version that has been released never changes.
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
    maze,
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
from illusion.deck.picture import Pieces

VERSIONS: Final[dict[int, dict[str, Pieces]]] = {
    1: {
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
        "maze": maze.pieces,
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
    },
}
LATEST: Final = max(VERSIONS)

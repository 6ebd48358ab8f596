"""Draw the home-screen icons anew from the brand's four shapes: python tools/icons.py (needs the print extra)."""

import re
from pathlib import Path

import resvg_py

ICONS = Path(__file__).parent.parent / "src" / "illusion" / "web" / "static" / "icons"
PAPER = "#faf7f2"


def drawn(shapes: str, *, size: int, inset: float, corner: float) -> bytes:
    """The shapes on paper; `inset` and `corner` are parts of the width."""
    scale = 1 - 2 * inset
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="{32 * corner}" '
        f'fill="{PAPER}"/><g transform="translate({32 * inset} {32 * inset}) scale({scale})">{shapes}</g></svg>'
    )
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))


def main() -> None:
    favicon = (ICONS / "favicon.svg").read_text()
    shapes = re.sub(r"</?svg[^>]*>|<rect[^>]*/>", "", favicon)
    icons = {
        "icon-192.png": drawn(shapes, size=192, inset=0, corner=7 / 32),
        "icon-512.png": drawn(shapes, size=512, inset=0, corner=7 / 32),
        # A mask may cut off all but a circle of 80 %: everything stays inside it.
        "icon-maskable-512.png": drawn(shapes, size=512, inset=0.15, corner=0),
        "apple-touch-icon.png": drawn(shapes, size=180, inset=0.06, corner=0),
    }
    for name, png in icons.items():
        (ICONS / name).write_bytes(png)


main()

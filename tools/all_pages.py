"""Screenshots of every page and every state of a table, in each language and at two sizes, with sheets to look at.

    python -m tools.all_pages FOLDER [LANGUAGE ...]

FOLDER gets de/home-390.png and so on, and a sheet for each page and size that shows all languages side by side.
"""

import sys
import tempfile
from pathlib import Path

from harness.browser.chromium import DESK, PHONE, running_chromium
from harness.browser.tour import tour
from harness.servers import Server
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, BrowserContext

from illusion.languages import languages

SHOWN = {DESK["width"]: 640, PHONE["width"]: 300}
"""The width of a screenshot of each size on a sheet."""
LABEL = 22
PICTURES_SHOWN = """Promise.all([...document.images].filter((image) => image.checkVisibility())
  .map((image) => image.decode().catch(() => {})))"""


def shoot(browser: Browser, server: Server, codes: list[str], folder: Path) -> list[str]:
    """Walks the tour once and takes each stop in all languages. Returns the names of the stops."""

    def new() -> BrowserContext:
        return browser.new_context(base_url=server.url, viewport=DESK, reduced_motion="reduce", service_workers="block")

    names = []
    for stop in tour(new):
        names.append(stop.name)
        for language in codes:
            stop.speak(language)
            for size in (PHONE, DESK):
                stop.page.set_viewport_size(size)
                stop.page.evaluate(PICTURES_SHOWN)
                path = folder / language / f"{stop.name}-{size['width']}.png"
                stop.page.screenshot(path=path, full_page=not stop.page.locator("[open]").count())
    return names


def sheet(folder: Path, name: str, codes: list[str], width: int) -> None:
    shown = SHOWN[width]
    shots = [Image.open(folder / code / f"{name}-{width}.png").convert("RGB") for code in codes]
    small = [shot.resize((shown, shot.height * shown // shot.width)) for shot in shots]
    paper = Image.new("RGB", ((shown + 8) * len(small), max(shot.height for shot in small) + LABEL), "#777")
    pen = ImageDraw.Draw(paper)
    for at, (code, shot) in enumerate(zip(codes, small, strict=True)):
        pen.text((at * (shown + 8) + 4, 5), f"{code}  {name}", fill="white")
        paper.paste(shot, (at * (shown + 8), LABEL))
    paper.save(folder / f"{name}-{width}.png")


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, codes = Path(sys.argv[1]), sys.argv[2:] or list(languages())
    with tempfile.TemporaryDirectory() as data, running_chromium() as browser:
        server = Server(Path(data))
        try:
            names = shoot(browser, server, codes, folder)
        finally:
            server.stop()
    for name in names:
        for width in SHOWN:
            sheet(folder, name, codes, width)


if __name__ == "__main__":
    main()

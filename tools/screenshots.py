"""Make the pictures of the pages in docs/: python -m tools.screenshots (needs Chromium, see tools/setup/browser).

With a folder, every state of a table on every screen is written there instead, to be looked at.
"""

import sys
import tempfile
from pathlib import Path

from harness.browser.chromium import DESK, PHONE, running_chromium, settle
from harness.browser.people import at_one_device, by_mouse, cards_in_row
from harness.servers import Seat, Server
from harness.tables.rows import long_row, seats_at, sit_at
from playwright.sync_api import Browser, Page, ViewportSize, expect

DOCS = Path(__file__).parent.parent / "docs"
ROOM_IS_MADE_MS = 1000
"""After a card was placed, until the row has room for the next one."""


def place(page: Page, gap: int) -> None:
    cards = cards_in_row(page)
    before = cards.count()
    gaps = page.locator(".gap:enabled")
    gaps.nth(gap % gaps.count()).click()
    page.locator(".confirm [data-do=place]").click()
    expect(cards).to_have_count(before + 1)


def two_at_one_device(browser: Browser, url: str, size: ViewportSize, cards: int) -> Page:
    page = browser.new_context(base_url=url, viewport=size, has_touch=size == PHONE, reduced_motion="reduce").new_page()
    at_one_device(page, "Ana", "Łukasz")
    for card in range(cards):
        place(page, card * 2)
    return page


SCREENS = ((390, 844), (768, 1024), (1440, 900), (2560, 1440))
TELEVISION = (1920, 1080)
ROWS = (3, 10, 20)


def every_state(browser: Browser, server: Server, folder: Path) -> None:
    """The row, a chosen gap, the reveal and the end; what phones and monitors show, and the television beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    for cards in ROWS:
        for width, height in SCREENS:
            seat = long_row(server, cards, ("Ana", "Łukasz", "Cleo"))
            size = ViewportSize(width=width, height=height)
            page = sit_at(browser.new_context(viewport=size, reduced_motion="reduce"), seat, server.url)
            screen = page.context.new_page()
            screen.set_viewport_size(ViewportSize(width=TELEVISION[0], height=TELEVISION[1]))
            screen.goto(f"{server.url}/watch/{seat.table}")

            def keep(state: str, shown: Page, name: str = f"{width}x{height}-{cards}") -> None:
                settle(shown)
                shown.screenshot(path=folder / f"{name}-{state}.png")

            keep("row", page)
            page.keyboard.press("End")
            page.keyboard.press("ArrowLeft")
            keep("choosing", page)
            page.keyboard.press("Escape")
            by_mouse(page, doubting=True)
            expect(page.locator("#reveal.done")).to_be_visible()
            keep("reveal", page)
            expect(screen.locator("#reveal.done")).to_be_visible()
            keep("reveal", screen, f"television-{cards}")
            play_out(seats_at(seat))
            page.reload()
            keep("end", page)
            screen.reload()
            keep("end", screen, f"television-{cards}")
            page.context.close()


def play_out(seats: list[Seat]) -> None:
    view = seats[0].view()
    while not view["over"]:
        seat, is_long = seats[view["to_play"]], len(view["row"]) > 3
        seat.doubt(view["seq"]) if is_long else seat.place(len(view["row"]) // 2, view["seq"])
        view = seats[0].view()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, running_chromium() as browser:
        server = Server(Path(folder))
        try:
            if len(sys.argv) > 1:
                return every_state(browser, server, Path(sys.argv[1]))
            home = browser.new_context(base_url=server.url, viewport=DESK).new_page()
            home.goto("/")
            home.screenshot(path=DOCS / "home.png")
            two_at_one_device(browser, server.url, PHONE, 5).screenshot(path=DOCS / "table-phone.png")
            table = two_at_one_device(browser, server.url, DESK, 6)
            table.wait_for_timeout(ROOM_IS_MADE_MS)
            settle(table)
            table.screenshot(path=DOCS / "table.png")
            by_mouse(table, doubting=True)
            expect(table.locator("#reveal")).to_be_visible()
            table.screenshot(path=DOCS / "reveal.png")
            return None
        finally:
            server.stop()


if __name__ == "__main__":
    main()

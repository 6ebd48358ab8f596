"""Make the pictures of the pages in docs/: python -m tools.screenshots (needs Chromium, see tools/setup/browser).

With a folder, every state of a game on every screen is written there instead, to be looked at (`make screenshots`).
"""

import sys
import tempfile
from pathlib import Path
from typing import Literal

from harness.browser.chromium import DESK, PHONE, running_chromium, settle
from harness.browser.people import (
    Glance,
    at_one_device,
    by_mouse,
    cards_in_row,
    is_up_to_date,
    move_on,
    play_now,
    read_on,
)
from harness.servers import Seat, Server
from harness.tables.rows import long_row, seats_at, sit_at
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

DOCS = Path(__file__).parent.parent / "docs"
ROOM_IS_MADE_MS = 1000
"""After a card was placed, until the row has room for the next one."""
MOST_A_CARD_MS = 4000
"""While a row is turned over on a busy machine."""
THOUGHT_OVER_MS = 60_000
PICTURES_ARE_THERE = """() => [...document.images].every((each) => !each.checkVisibility() || each.naturalWidth
  || each.loading === 'lazy')"""


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
TELEVISION = ViewportSize(width=1920, height=1080)
ROWS = (3, 10, 20)
GUESS = "24"
BELIEVED_ROW = 6


def every_state(browser: Browser, server: Server, folder: Path) -> None:
    """A game with rows of several lengths on every screen, and on a television beside the first of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in SCREENS:
        size = ViewportSize(width=width, height=height)
        among_bots(browser.new_context(base_url=server.url, viewport=size, reduced_motion="reduce").new_page(), folder)
        for cards in ROWS:
            states_of_a_game(browser, server, folder, size, cards, beside=(width, height) == SCREENS[0])


def picture(page: Page, folder: Path, state: str, *, is_still: bool = True, whole: bool = False) -> None:
    page.wait_for_function(PICTURES_ARE_THERE)
    if is_still:
        settle(page)
    screen = page.viewport_size
    assert screen is not None
    page.screenshot(path=folder / f"{screen['width']}x{screen['height']}-{state}.png", full_page=whole)


def among_bots(page: Page, folder: Path) -> None:
    """The first turn of somebody who plays alone, and what the bots saw in the row that they doubt then."""
    play_now(page)
    picture(page, folder, "bots-turn")
    while not Glance.at(page).reveal:
        if Glance.at(page).my_turn and is_up_to_date(page):
            move_on(page, by_mouse, BELIEVED_ROW)
    expect(page.locator("#reveal.done")).to_be_visible()
    page.locator("[data-do=believed]").click()
    page.locator(".saw").first.wait_for()
    picture(page, folder, "bots-believed")
    page.context.close()


def states_of_a_game(
    browser: Browser, server: Server, folder: Path, size: ViewportSize, cards: int, *, beside: bool
) -> None:
    """The three states of a turn, the reveal and its arrow, the end, and what can be looked back at."""

    def keep(state: str, shown: Page, *, is_still: bool = True) -> None:
        picture(shown, folder, f"{cards}-{state}", is_still=is_still, whole=state in ("review", "eyes"))

    def on(viewport: ViewportSize, *, still: bool = True) -> BrowserContext:
        motion: Literal["reduce", "no-preference"] = "reduce" if still else "no-preference"
        return browser.new_context(viewport=viewport, reduced_motion=motion, base_url=server.url)

    seat = long_row(server, cards, ("Ana", "Łukasz", "Cleo"))
    other = next(each for each in seats_at(seat) if each is not seat)
    page, waits = sit_at(on(size), seat, server.url), sit_at(on(size, still=False), other, server.url)
    screens = [on(TELEVISION).new_page()] if beside else []
    for screen in screens:
        screen.goto(f"/watch/{seat.table}")
        expect(cards_in_row(screen)).to_have_count(cards)
        keep("row", screen)
    waits.locator("#guess").fill(GUESS)
    keep("waits", waits)
    keep("row", page)
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    keep("choosing", page)
    page.keyboard.press("Escape")
    by_mouse(page, doubting=True)
    for shown in (page, *screens):
        expect(shown.locator("#reveal.done")).to_be_visible()
        keep("reveal", shown)
    waits.locator("#reveal.flies").wait_for(timeout=cards * MOST_A_CARD_MS)
    keep("arrow", waits, is_still=False)
    waits.context.close()
    play_out(seats_at(seat))
    read_on(page)
    for screen in screens:
        screen.reload()
    for shown in (page, *screens):
        expect(shown.locator("#state.over")).to_be_visible()
        expect(shown.locator("#reveal[open]")).to_have_count(0)
        keep("end", shown)
    if cards == ROWS[0]:
        for state, path, ready in (
            ("review", f"/table/{seat.table}/review", ".totals"),
            ("illusion", f"/table/{seat.table}/illusion", "#guess"),
            ("eyes", "/eyes", ".ring"),
        ):
            page.goto(path)
            expect(page.locator(ready)).to_be_visible(timeout=THOUGHT_OVER_MS)
            page.wait_for_load_state("networkidle")
            keep(state, page)
    for shown in (page, *screens):
        shown.context.close()


def play_out(seats: list[Seat]) -> None:
    view = seats[0].view()
    while not view["over"]:
        seat, is_long = seats[view["to_play"]], len(view["row"]) > 3
        seat.doubt(view["seq"]) if is_long else seat.place(len(view["row"]) // 2, view["seq"])
        view = seats[0].view()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, running_chromium() as browser:
        server = Server(Path(folder), "--bot-seconds", "0.1")  # bots wait while somebody reads a row
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

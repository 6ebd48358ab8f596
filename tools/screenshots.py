"""Make the pictures of the pages in docs/: python -m tools.screenshots (needs Chromium, see tools/setup/browser)."""

import tempfile
from pathlib import Path

from harness.browser.chromium import DESK, PHONE, running_chromium
from harness.browser.people import by_mouse, cards_in_row
from harness.servers import Server
from playwright.sync_api import Browser, Page, ViewportSize, expect

DOCS = Path(__file__).parent.parent / "docs"


def place(page: Page, gap: int) -> None:
    cards = cards_in_row(page)
    before = cards.count()
    gaps = page.locator(".gap:enabled")
    gaps.nth(gap % gaps.count()).click()
    page.locator(".confirm [data-do=place]").click()
    expect(cards).to_have_count(before + 1)


def two_at_one_device(browser: Browser, url: str, size: ViewportSize, cards: int) -> Page:
    page = browser.new_context(base_url=url, viewport=size, has_touch=size == PHONE, reduced_motion="reduce").new_page()
    page.goto("/")
    form = page.locator("form[action='/pass-and-play']")
    for at, name in enumerate(("Ana", "Łukasz")):
        form.locator("input[name=name]").nth(at).fill(name)
    form.locator("button").first.click()
    page.wait_for_url("**/table/*")
    for card in range(cards):
        place(page, card * 2)
    return page


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, running_chromium() as browser:
        server = Server(Path(folder))
        try:
            home = browser.new_context(base_url=server.url, viewport=DESK).new_page()
            home.goto("/")
            home.screenshot(path=DOCS / "home.png")
            two_at_one_device(browser, server.url, PHONE, 5).screenshot(path=DOCS / "table-phone.png")
            table = two_at_one_device(browser, server.url, DESK, 6)
            table.screenshot(path=DOCS / "table.png")
            by_mouse(table, doubting=True)
            expect(table.locator("#reveal")).to_be_visible()
            table.screenshot(path=DOCS / "reveal.png")
        finally:
            server.stop()


if __name__ == "__main__":
    main()

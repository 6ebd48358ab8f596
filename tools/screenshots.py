"""Make the pictures of the pages in docs/: python tools/screenshots.py (needs Chromium, see tools/browser)."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

DOCS = Path(__file__).parent.parent / "docs"
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


def place(page: Page, gap: int) -> None:
    gaps = page.locator(".gap:enabled")
    gaps.nth(gap % gaps.count()).click()
    page.locator(".confirm [data-do=place]:visible, .gap.chosen:enabled, .gap[aria-pressed=true]").first.click()
    page.wait_for_timeout(600)


def two_at_one_device(browser: Browser, url: str, size: dict[str, int], cards: int) -> Page:
    page = browser.new_context(base_url=url, viewport=size, has_touch=size is PHONE).new_page()  # type: ignore[arg-type]
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
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        sys.exit("Chromium is needed: sh tools/browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "illusion", "serve", "--port", "0", "--database", f"{folder}/tables.db"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        url = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
        if url is None:
            sys.exit("the server did not start")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        home = browser.new_context(base_url=url.group(), viewport=DESK).new_page()  # type: ignore[arg-type]
        home.goto("/")
        home.screenshot(path=DOCS / "home.png")
        two_at_one_device(browser, url.group(), PHONE, 5).screenshot(path=DOCS / "table-phone.png")
        table = two_at_one_device(browser, url.group(), DESK, 6)
        table.screenshot(path=DOCS / "table.png")
        table.locator("#doubt").click()
        table.locator("#ask-doubt button[value=yes]").click()
        table.wait_for_timeout(7500)
        table.screenshot(path=DOCS / "reveal.png")
        browser.close()
        server.terminate()
        server.wait()


main()

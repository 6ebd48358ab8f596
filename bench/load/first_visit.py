"""From `Play now` on the home page to the first picture at the table, in a real Chromium on a quiet server."""

import statistics

from harness.browser.chromium import running_chromium, wait_until
from playwright.sync_api import Browser

from bench.load.servers import PEOPLE, running

VISITS = 10
WATCH = """() => {
  const look = () => {
    const card = document.querySelector('#next img.card');
    if (card?.complete && card.naturalWidth) window.pictured = performance.timeOrigin + performance.now();
    else requestAnimationFrame(look);
  };
  if (location.pathname.startsWith('/table/')) requestAnimationFrame(look);
}"""
"""On the table's page: notes when a frame is drawn with the picture of the next card in it."""
PRESS = """() => {
  const pressed = performance.timeOrigin + performance.now();
  document.querySelector('#begin button').click();
  return pressed;
}"""


def report() -> None:
    with running(PEOPLE) as (_, port), running_chromium() as browser:
        first, *others = [_visit(browser, f"http://127.0.0.1:{port}/") for _ in range(1 + VISITS)]
    told = (
        f"50 % {statistics.median(others):.0f}, longest {max(others):.0f}; right after the server's start {first:.0f}"
    )
    print(f"First visits: from `Play now` to the first picture, milliseconds of {VISITS} visits: {told}", flush=True)


def _visit(browser: Browser, address: str) -> float:
    """Milliseconds; the visitor comes with an empty cache."""
    with browser.new_context() as context:
        page = context.new_page()
        page.add_init_script(f"({WATCH})()")
        page.goto(address, wait_until="networkidle")
        pressed: float = page.evaluate(PRESS)
        page.wait_for_url("**/table/*")
        wait_until(page, lambda: page.evaluate("window.pictured"))
        pictured: float = page.evaluate("window.pictured")
        return pictured - pressed

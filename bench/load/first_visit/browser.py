"""One visitor in a real Chromium at a time, on a server at which nothing else happens."""

from harness.browser.chromium import running_chromium, wait_until
from playwright.sync_api import Browser

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


def visits(address: str, count: int) -> list[float]:
    """Milliseconds of each visit; every visitor comes with an empty cache."""
    with running_chromium() as browser:
        return [_visit(browser, address) for _ in range(count)]


def _visit(browser: Browser, address: str) -> float:
    with browser.new_context() as context:
        page = context.new_page()
        page.add_init_script(f"({WATCH})()")
        page.goto(address, wait_until="networkidle")
        pressed: float = page.evaluate(PRESS)
        page.wait_for_url("**/table/*")
        wait_until(page, lambda: page.evaluate("window.pictured"))
        pictured: float = page.evaluate("window.pictured")
        return pictured - pressed

"""A real Chromium, and the screens people look at."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, ViewportSize, sync_playwright

DESK: Final = ViewportSize(width=1280, height=800)
PHONE: Final = ViewportSize(width=390, height=844)
SMALL: Final = ViewportSize(width=320, height=640)
FLAGS: Final = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

SETTLED: Final = """async () => {
  for (let still = 0; still < 3; still += 1) {
    await new Promise(requestAnimationFrame);
    if (document.getAnimations().some((each) => each instanceof CSSTransition)) still = 0;
  }
}"""
"""Nothing turns or changes its size or colour any more: these pass from parents to children in steps."""


def chromium() -> str:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert found, "Chromium is needed: sh tools/browser"
    return found


@contextmanager
def running_chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield running
        running.close()

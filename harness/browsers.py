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
  const frame = () => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 50); });
  const turning = (each) => each instanceof CSSTransition && each.playState === 'running';
  const moving = () => document.getAnimations().some(turning);
  for (let still = 0, frames = 0; still < 3 && frames < 60; frames += 1) {
    await frame();
    still = moving() ? 0 : still + 1;
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

"""A real Chromium, the screens people look at, and browser contexts that report every error on their pages."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

DESK: Final = ViewportSize(width=1280, height=800)
PHONE: Final = ViewportSize(width=390, height=844)
SMALL: Final = ViewportSize(width=320, height=640)
SCREENS: Final = (SMALL, PHONE, DESK)

PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The headless shell comes first: the same engine without a desktop browser's windows, and half its start-up time."""
FLAGS: Final = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
TIMEOUT_MS: Final = 120_000
"""Only a page that fails waits so long; on a busy machine a process of low priority takes its time over a review."""

HAS_PLAYED: Final = """try {
  localStorage.setItem('first-game', '{"told": ["row", "doubt", "arrow"], "turns": 9}');
} catch {}"""

FINISH: Final = """() => {
  const running = () => document.getAnimations().filter((each) => each instanceof CSSTransition);
  for (let some = running(); some.length; some = running()) some.forEach((each) => each.finish());
}"""
"""Finishes all CSS transitions. One that ends can start another one in a child element, so until none is left."""

SETTLE: Final = f"""async () => {{
  const late = (_, fail) => setTimeout(() => fail(new Error('the page draws no frame')), 30000);
  const frame = () => Promise.race([new Promise((done) => requestAnimationFrame(done)), new Promise(late)]);
  const finish = {FINISH};
  finish();
  for (let count = 0; count < 3; count += 1) await frame();
  finish();
}}"""
"""Finishes all CSS transitions, and lets scripts that watch sizes have their frames: in one they hear of a change
(ResizeObserver), in the next they act.
"""


def chromium(programs: tuple[str, ...] = PROGRAMS) -> str:
    """The path of the first of these programs that is installed."""
    found = next(filter(None, map(shutil.which, programs)), None)
    assert found, "Chromium is needed: sh tools/setup/browser"
    return found


@contextmanager
def running_chromium(*flags: str) -> Iterator[Browser]:
    """With more flags, if some are given."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, *flags])
        yield running
        running.close()


@contextmanager
def checked_contexts(browser: Browser, server: str) -> Iterator[Callable[..., BrowserContext]]:
    """Makes contexts, each a device of its own. Fails at the end if a script on any of their pages failed.

    Without a service worker unless one is asked for: to install it takes longer than to load a page. And of
    somebody who has been at a table before, unless it is a newcomer's.
    """
    made: list[BrowserContext] = []
    errors: list[str] = []

    def new(
        size: ViewportSize = DESK,
        *,
        base: str = server,
        touch: bool = False,
        newcomer: bool = False,
        **options: Any,
    ) -> BrowserContext:
        context = browser.new_context(
            base_url=base,
            viewport=size,
            has_touch=touch,
            **{"reduced_motion": "reduce", "service_workers": "block", **options},
        )
        if not newcomer:
            context.add_init_script(HAS_PLAYED)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.set_default_timeout(TIMEOUT_MS)
        made.append(context)
        return context

    yield new
    for context in made:
        context.close()
    assert errors == []


def settle(page: Page) -> None:
    """Wait until the page looks as it will: see SETTLE."""
    page.evaluate(SETTLE)


def wait_until(page: Page, holds: Callable[[], object]) -> None:
    """Wait for something that is not on the page, such as what its live regions have said so far."""
    deadline = time.monotonic() + TIMEOUT_MS / 1000
    while not holds():
        assert time.monotonic() < deadline, "it did not happen"
        page.wait_for_timeout(20)

"""Play a whole game in Firefox and in WebKit: make browsers.

Chromium plays in the tests. These two are Debian's `firefox-esr` and `webkit2gtk-driver` (with `xvfb`); one that is not
installed is named, and then the command fails.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from harness.servers import Server
from tools.webdriver import Browser, Missing, firefox, webkit

GAME_TIMEOUT_S: Final = 240
MAX_MISSES: Final = 20
SIZES: Final = ((1366, 900), (500, 900))
LISTEN: Final = "window.troubles = []; addEventListener('error', (event) => window.troubles.push(event.message))"
GLANCE: Final = """return {
  phase: document.querySelector('#state')?.dataset.phase ?? '',
  mine: Boolean(document.querySelector('.gap:enabled, #doubt:enabled')),
  cards: document.querySelectorAll('#row [data-card]').length,
  reveal: Boolean(document.querySelector('#reveal[open]')),
  asking: Boolean(document.querySelector('#ask-doubt[open]')),
  chosen: Boolean(document.querySelector('.gap.chosen')),
  pictures: [...document.querySelectorAll('#row img, #next img')].every((image) => image.naturalWidth > 0),
  sight: [...document.querySelectorAll('#row [data-card]')].every((card) => {
    const { left, top, right, bottom } = card.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  }),
  heard: Boolean(window.troubles),
  troubles: window.troubles ?? [],
}"""


class Player:
    """Somebody who presses what there is to press, again if it moved away under the pointer."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.moves = self.unseen = self.hidden = self.misses = 0

    def act(self, seen: dict[str, Any]) -> None:
        try:
            self._act(seen)
        except RuntimeError:
            self.misses += 1
            if self.misses > MAX_MISSES:
                raise

    def _act(self, seen: dict[str, Any]) -> None:
        if seen["reveal"]:
            self.browser.click("#reveal [data-do=go-on]")
        elif seen["asking"]:
            self.browser.click("#ask-doubt [value=yes]")
            self.moves += 1
        elif seen["mine"] and seen["cards"] > 4:
            self.browser.click("#doubt")
        elif seen["mine"] and seen["chosen"]:
            self.browser.click("[data-do=place]")
            self.moves += 1
            self.browser.resize(*SIZES[self.moves % len(SIZES)])
        elif seen["mine"]:
            self.unseen += not seen["pictures"]
            self.hidden += not seen["sight"]
            self.browser.click(".gap:enabled")


def play(browser: Browser, server: Server) -> str:
    """A game against bots by clicks, on a desk and on a narrow screen in turn; returns what is to be said of it."""
    browser.open(server.url)
    browser.run("document.querySelector('input[name=name]').value = 'Ana'")
    browser.click("#begin .primary")
    began, player = time.monotonic(), Player(browser)
    while (seen := browser.run(GLANCE))["phase"] != "over":
        if time.monotonic() > began + GAME_TIMEOUT_S:
            raise AssertionError(f"the game does not end: {seen}")
        if seen["troubles"]:
            raise AssertionError(f"errors on the page: {seen['troubles']}")
        if not seen["heard"]:
            browser.run(LISTEN)
        player.act(seen)
        time.sleep(0.1)
    return (
        f"a whole game in {time.monotonic() - began:.0f} s, {player.moves} moves, "
        f"{player.unseen} cards without pictures, {player.hidden} rows not in sight, "
        f"{player.misses} presses that missed"
    )


def main() -> int:
    trouble = 0
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        (folder / "profile").mkdir()
        server = Server(folder, "--drawing", "process", "--bot-seconds", "0.2")
        browsers: dict[str, Callable[[], AbstractContextManager[Browser]]] = {
            "Firefox": lambda: firefox(folder / "profile"),
            "WebKit": webkit,
        }
        try:
            for name, start in browsers.items():
                try:
                    with start() as browser:
                        print(f"{name}: {play(browser, server)}", flush=True)
                except Missing as missing:
                    print(f"{name}: not played, because {missing} is not installed", flush=True)
                    trouble = 1
                except (AssertionError, RuntimeError, OSError) as error:
                    print(f"{name}: {error}", flush=True)
                    trouble = 1
        finally:
            server.stop()
    return trouble


if __name__ == "__main__":
    sys.exit(main())

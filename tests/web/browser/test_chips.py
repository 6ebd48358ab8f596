"""The chips of a table are faces, on every screen: arrows beside them, names below; a bot looks at the next card."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.browser.chromium import DESK, PHONE, settle, wait_until
from harness.servers import Server, opened
from harness.tables.rows import long_row, sit_at
from playwright.sync_api import BrowserContext, ViewportSize, expect

New = Callable[..., BrowserContext]
SCREENS = (
    ViewportSize(width=320, height=568),
    PHONE,
    ViewportSize(width=844, height=390),
    ViewportSize(width=768, height=1024),
    ViewportSize(width=1024, height=768),
    ViewportSize(width=1440, height=900),
)
FIVE = ("Ana", "Bartholomäus Weihrauch", "Cleo", "Dora", "Brzęczyszczykiewicz")

_CHIPS = """() => [...document.querySelectorAll('.player')].map((chip) => {
  const box = chip.getBoundingClientRect();
  const inside = (part) => {
    const it = part.getBoundingClientRect();
    const [x, y] = [1, 1];
    return it.width > 0 && it.left >= box.left - x && it.right <= box.right + x
      && it.top >= box.top - y && it.bottom <= box.bottom + y;
  };
  const face = chip.querySelector('.bot-face, .person-face');
  return {
    face: face.getBoundingClientRect().width,
    inside: [face, chip.querySelector('.name'), ...chip.querySelectorAll('.mini')].every(inside),
    slots: chip.querySelectorAll('.mini').length,
    name: chip.querySelector('.name').getBoundingClientRect().width,
  };
})"""


@pytest.mark.parametrize("size", SCREENS, ids=[f"{size['width']}x{size['height']}" for size in SCREENS])
def test_five_faces_of_32_pixels_with_their_names_and_arrows_on_every_screen(
    new_context: New, server: Server, size: ViewportSize
) -> None:
    page = sit_at(new_context(size), long_row(server, 3, FIVE))
    settle(page)
    for chip in page.evaluate(_CHIPS):
        assert chip["face"] >= 32
        assert chip["inside"], chip
        assert chip["slots"] == 3
        assert chip["name"] >= 18
    page.locator(".player").nth(1).click(position={"x": 10, "y": 10})
    expect(page.locator("#toast")).to_contain_text("Bartholomäus Weihrauch")


def test_a_bot_looks_at_the_next_card_while_it_thinks(new_context: New, tmp_path: Path) -> None:
    server = Server(tmp_path, "--bot-seconds", "600")
    try:
        host, *_ = opened(server, 2, bots=["eagle-eye"])
        host.post("start")
        page = sit_at(new_context(DESK, base=server.url), host, server.url)
        face = page.locator("#state .player .bot-face")
        if host.view()["to_play"] == 0:
            expect(face).to_have_attribute("src", re.compile(r"/faces/eagle-eye/\w+\.svg$"))
            page.locator(".gap:enabled").first.click()
            page.locator("[data-do=place]").click()
            expect(page.locator("#row .new .owner")).to_contain_text("You")
        expect(face).to_have_attribute("src", re.compile(r"\?mood=looks$"))
        wait_until(page, lambda: face.evaluate("(image) => image.complete && image.naturalWidth > 0"))
    finally:
        server.stop()

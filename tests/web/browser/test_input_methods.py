"""Games by keyboard alone and by touch at 320 px, what live regions say, the help, and a visible focus."""

import re
from collections.abc import Callable
from itertools import cycle

import pytest
from harness.browser.chromium import DESK, SMALL, settle, wait_until
from harness.browser.page_checks import focused, hearing, too_small, too_wide
from harness.browser.people import (
    by_keyboard,
    by_touch,
    choose_setting,
    open_table,
    phase,
    play,
    play_now,
    read_the_reveal,
    wait_for_a_turn,
)
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]


def test_a_whole_game_by_keyboard_alone_is_told_in_words(new_context: New) -> None:
    context = new_context()
    heard = hearing(context)
    page = context.new_page()
    page.goto("/")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#begin .primary')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    wait_for_a_turn(page, keyboard=True)
    table = page.request.get(page.url.replace("/table/", "/api/tables/")).json()
    names = "|".join(player["name"] for player in table["players"][1:])
    play([page], by_keyboard, keyboard=True)
    read_the_reveal(page, keyboard=True)
    wait_until(page, lambda: any(line.startswith("The game is over.") for line in heard))  # and then a bot may speak
    for said in (
        "You place the card next to the arrow, before card 1.",
        "It is your turn.",
        rf"({names}) places the card .*",
        rf"(You do|({names}) does) not believe the row.",
        r"The \w+ in the row, from the arrow on: \d+%, .*",
        r"(You take|.* takes) the \w+ arrow.",
        r"Round \d+. The arrow is \w+.",
    ):
        assert any(re.fullmatch(said, line) for line in heard), said
    page.keyboard.press("Tab")
    assert focused(page)["seen"]


def test_a_whole_game_by_touch_at_320_px_upright_and_on_its_side(new_context: New) -> None:
    """The phone is turned before every move. What can be pressed is looked at both ways."""
    ways = (SMALL, ViewportSize(width=SMALL["height"], height=SMALL["width"]))
    page = new_context(SMALL, touch=True).new_page()
    play_now(page)
    turns = cycle(ways)
    looked: set[bool] = set()

    def look() -> None:
        for way in ways:
            page.set_viewport_size(way)
            settle(page)
            assert too_small(page) == [], way
            assert too_wide(page) == 0, way

    def hands(page: Page, *, doubting: bool) -> None:
        if doubting not in looked:
            looked.add(doubting)
            look()
        page.set_viewport_size(next(turns))
        by_touch(page, doubting=doubting)

    play([page], hands, longest_row=2)
    assert phase(page) == "over"
    look()
    read_the_reveal(page)
    look()


def test_the_help_lists_the_keys_and_keys_rest_while_somebody_types(new_context: New) -> None:
    page = new_context().new_page()
    open_table(page)
    page.locator("#invite .more > summary").click()
    page.locator("#link").focus()
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 0
    page.locator("#link").blur()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    for key in ("←", "→", "Enter", "Esc", "D", "?"):
        expect(page.locator("#help kbd", has_text=key).first).to_be_visible()
    page.keyboard.press("d")  # nothing happens behind a dialog
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


def test_letter_keys_can_be_switched_off(new_context: New) -> None:
    page = new_context().new_page()
    play_now(page)
    choose_setting(page, "keys", "off")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 0


@pytest.mark.parametrize("address", ["/", "table"])
def test_the_focus_is_seen_wherever_it_goes(new_context: New, address: str) -> None:
    page = new_context(DESK).new_page()
    page.goto("/")
    if address == "table":
        play_now(page)
    where = []
    for _ in range(24):
        page.keyboard.press("Tab")
        at = focused(page)
        where.append(at["what"])
        assert at["seen"] or at["what"].startswith("<body"), at
    assert len(set(where)) > 8

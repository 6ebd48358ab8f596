"""Whole games: by keyboard alone, and by touch at 320 px beside mice; who comes back; the help, and a visible focus.

One by mouse against bots is in test_under_a_path.py, the one whose server is killed in
test_reactions_and_connection.py.
"""

import re
from collections.abc import Callable
from itertools import cycle

from harness.browser.chromium import SMALL, settle, wait_until
from harness.browser.page_checks import focused, hearing, too_small, too_wide
from harness.browser.people import (
    by_keyboard,
    by_mouse,
    by_touch,
    choose_setting,
    held_seats,
    invited,
    open_table,
    play,
    read_on,
    read_the_reveal,
    wait_for_a_turn,
)
from harness.servers import Server
from harness.tables.rows import long_row, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]


def test_a_whole_game_by_keyboard_alone_against_three_bots_is_told_in_words(new_context: New) -> None:
    context = new_context(service_workers="allow")
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
    expect(page.locator("#state")).to_contain_text(re.compile("won|win", re.IGNORECASE))
    first = page.url
    page.locator("#rematch").click()
    expect(page).not_to_have_url(first)  # the answer and the event both lead there, and one may overtake the other
    expect(page.locator("#state")).to_have_attribute("data-phase", "playing")  # bots need not be waited for


def test_a_whole_game_with_a_phone_a_reload_a_closed_browser_a_second_tab_and_a_spectator(new_context: New) -> None:
    """The phone is 320 px wide and turned before every move. What can be pressed is looked at both ways.

    Who comes back has the same seat, and who only follows sees the game to the end. Rows are doubted as soon as they
    can be: half the moves, and just as many reveals.
    """
    ways = (SMALL, ViewportSize(width=SMALL["height"], height=SMALL["width"]))
    desk = new_context()
    phone, closed = invited([new_context(SMALL, touch=True), desk])
    phone.reload()
    closed.close()
    one, second, spectator = desk.new_page(), desk.new_page(), new_context().new_page()
    for page in (one, second, spectator):
        page.goto(phone.url)
    expect(spectator.locator("#state")).to_have_attribute("data-phase", "playing")
    assert [held_seats(page) for page in (phone, one, second, spectator)] == [[0], [1], [1], []]
    assert spectator.locator(".gap:enabled, #doubt:enabled").count() == 0
    one.bring_to_front()  # a tab in the background is slowed down by the browser
    turns = cycle(ways)
    looked: set[bool] = set()

    def look() -> None:
        for way in ways:
            phone.set_viewport_size(way)
            settle(phone)
            assert too_small(phone) == [], way
            assert too_wide(phone) == 0, way

    def hands(page: Page, *, doubting: bool) -> None:
        if page is not phone:
            return by_mouse(page, doubting=doubting)
        if doubting not in looked:
            looked.add(doubting)
            look()
        phone.set_viewport_size(next(turns))
        return by_touch(phone, doubting=doubting)

    play([phone, one], hands, watching=[second, spectator], longest_row=2)
    look()
    for page in (phone, second, spectator):
        read_on(page)
        expect(page.locator("#state .won, #state .winner").first).to_be_visible()
    look()


def test_the_help_lists_the_keys_which_rest_while_somebody_types_and_can_be_switched_off(new_context: New) -> None:
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
    choose_setting(page, "keys", "off")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 0


def test_the_focus_is_seen_wherever_it_goes(new_context: New, server: Server) -> None:
    page = sit_at(new_context(), long_row(server, 3))
    for address in (page.url, "/"):
        page.goto(address)
        where = []
        for _ in range(24):
            page.keyboard.press("Tab")
            at = focused(page)
            where.append(at["what"])
            assert at["seen"] or at["what"].startswith("<body"), at
        assert len(set(where)) > 8

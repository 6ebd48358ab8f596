"""Whole games in a real browser: by mouse and touch, by four people, with reloads.

Games by keyboard and on small phones are in test_input_methods.py, the one whose server is killed in
test_reactions_and_connection.py. Where the question is who follows a game and not how a row is laid, rows are doubted
as soon as they can be: half the moves, and just as many reveals.
"""

import re
from collections.abc import Callable

from harness.browser.chromium import PHONE
from harness.browser.people import (
    by_mouse,
    by_touch,
    held_seats,
    invited,
    play,
    play_now,
    read_on,
    read_the_reveal,
)
from playwright.sync_api import BrowserContext, Page, expect


def test_a_whole_game_by_mouse_against_three_bots_and_a_rematch(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(service_workers="allow").new_page()
    play_now(page)
    play([page], by_mouse)
    expect(page.locator("#state")).to_contain_text(re.compile("won|win", re.IGNORECASE))
    read_the_reveal(page)
    first = page.url
    page.locator("#rematch").click()
    expect(page).not_to_have_url(first)  # the answer and the event both lead there, and one may overtake the other
    expect(page.locator("#state")).to_have_attribute("data-phase", "playing")  # bots need not be waited for


def test_four_people_in_four_browsers(new_context: Callable[..., BrowserContext]) -> None:
    """Three at desks by mouse, one on a phone by touch."""
    pages = invited([new_context(PHONE, touch=True), *(new_context() for _ in range(3))])

    def hands(page: Page, *, doubting: bool) -> None:
        (by_touch if page is pages[0] else by_mouse)(page, doubting=doubting)

    play(pages, hands, longest_row=2)
    winners = {page.locator("#state .won, #state .winner").first.inner_text() for page in pages}
    assert winners


def test_a_reload_a_closed_browser_a_second_tab_and_a_spectator(new_context: Callable[..., BrowserContext]) -> None:
    """One game for all of them: who comes back has the same seat, and who only follows sees it to the end."""
    one, other = new_context(), new_context()
    pages = invited([one, other])
    for page in pages:
        page.reload()
    assert [held_seats(page) for page in pages] == [[0], [1]]
    pages[0].close()
    pages[0] = one.new_page()
    pages[0].goto(pages[1].url)
    assert held_seats(pages[0]) == [0]
    second = one.new_page()
    second.goto(pages[0].url)
    assert held_seats(second) == [0]
    spectator = new_context().new_page()
    spectator.goto(pages[0].url)
    expect(spectator.locator("#state")).to_have_attribute("data-phase", "playing")
    assert held_seats(spectator) == []
    assert spectator.locator(".gap:enabled, #doubt:enabled").count() == 0
    pages[0].bring_to_front()  # a tab in the background is slowed down by the browser
    play(pages, by_mouse, watching=[second, spectator], longest_row=2)
    for page in (second, spectator):
        read_on(page)

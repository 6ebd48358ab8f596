"""My guess: a mark on the next card's bar while others think, seen by nobody; the reveal shows it beside the truth."""

from collections.abc import Callable
from typing import Any

import pytest
from harness.browser.chromium import settle
from harness.browser.page_checks import accessibility_problems, too_small, too_wide
from harness.browser.people import choose_setting
from harness.servers import Seat, Server, opened
from harness.sweeps import sweep
from harness.tables.rows import long_row, seats_at, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]
SIZES = ((320, 568), (844, 390), (1366, 768), (390, 844), (768, 1024), (1440, 900), (2560, 1440))
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((each) => { window.shifted += each.value; }))
    .observe({ type: 'layout-shift' });
}"""


def waiting(server: Server, cards: int = 3, **_: object) -> tuple[Seat, Seat]:
    """Who is at turn at a new table, and somebody who waits."""
    at_turn = long_row(server, cards)
    return at_turn, next(seat for seat in seats_at(at_turn) if seat is not at_turn)


def everything_sent(page: Page) -> list[str]:
    """What the page sends from now on, by requests and on its socket."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data or ''}"))
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    return sent


def guess(page: Page, percent: int) -> None:
    page.locator("#guess").fill(str(percent))
    expect(page.locator(".guess-bar output")).to_have_text(f"{percent}%")


@pytest.mark.parametrize("size", sweep(SIZES[:3], SIZES), ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_guess_moves_nothing_and_stands_beside_the_truth(
    new_context: New, server: Server, size: tuple[int, int]
) -> None:
    at_turn, waits = waiting(server)
    page = sit_at(new_context(ViewportSize(width=size[0], height=size[1]), touch=size[0] < 800), waits)
    settle(page)
    page.evaluate(SHIFTS)
    slider = page.locator("#guess")
    expect(slider).to_be_visible()
    box = slider.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert 0 <= box["x"] <= size[0] - box["width"]
    assert box["y"] + box["height"] <= size[1]
    before = page.locator("#row").bounding_box()
    expect(slider).to_have_attribute("aria-valuetext", "no guess yet")
    guess(page, 24)
    expect(slider).to_have_attribute("aria-valuetext", "24%")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    assert page.locator("#row").bounding_box() == before
    assert page.evaluate("window.shifted") == 0
    assert too_wide(page) == 0
    assert [each for each in too_small(page) if "guess" in each] == []
    view = at_turn.view()
    at_turn.place(1, view["seq"])
    last = next(seat for seat in seats_at(at_turn) if seat.view()["to_play"] == seat.view()["you"])
    last.doubt(last.view()["seq"])
    expect(page.locator("#reveal.done")).to_be_visible()
    settle(page)
    expect(page.locator("#reveal .my-guess")).to_have_text(["you 26%"])
    turned = page.locator("#reveal .turned", has=page.locator(".my-guess"))
    expect(turned.locator(".guess-mark")).to_have_count(1)
    assert too_wide(page) == 0


def test_whoever_waits_has_a_page_without_faults(new_context: New, server: Server) -> None:
    _, waits = waiting(server)
    page = sit_at(new_context(), waits)
    guess(page, 24)
    found = accessibility_problems(page)
    assert [each for each in found if "guess" in each.lower() or "24%" in each] == []


def test_by_mouse_touch_keys_and_letter(new_context: New, server: Server) -> None:
    _, waits = waiting(server)
    page = sit_at(new_context(ViewportSize(width=390, height=844), touch=True), waits)
    slider = page.locator("#guess")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.65)
    expect(page.locator(".guess-bar output")).to_have_text("30%")
    page.touchscreen.tap(box["x"] + box["width"] - 2, box["y"] + box["height"] * 0.65)
    expect(page.locator(".guess-bar output")).to_have_text("60%")
    page.locator("body").press("g")
    expect(slider).to_be_focused()
    page.keyboard.press("Home")
    expect(page.locator(".guess-bar output")).to_have_text("0%")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".guess-bar output")).not_to_have_text("0%")
    expect(page.locator(".gap.chosen")).to_have_count(0)
    page.reload()
    expect(page.locator(".guess-bar output")).to_contain_text("%")
    assert slider.evaluate("(each) => each.valueAsNumber") > 0


def test_the_focus_goes_from_the_slider_to_whose_turn_it_is(new_context: New, server: Server) -> None:
    at_turn = long_row(server, 3, ("Ana", "Bob"))
    waits = next(seat for seat in seats_at(at_turn) if seat is not at_turn)
    page = sit_at(new_context(), waits)
    page.locator("#guess").press("End")
    at_turn.place(0, at_turn.view()["seq"])
    expect(page.locator("#state.mine")).to_be_visible()
    expect(page.locator(".turn")).to_be_focused()


def test_nobody_else_hears_of_a_guess_and_it_is_kept_once_its_card_is_turned_over(
    new_context: New, server: Server
) -> None:
    at_turn, waits = waiting(server)
    context = new_context()
    page = context.new_page()
    sent = everything_sent(page)
    context.add_cookies([{"name": f"seat-{waits.table}", "value": waits.token, "url": server.url}])
    page.goto(f"/table/{waits.table}")
    expect(page.locator("#guess")).to_be_visible()
    before, view = list(sent), waits.view()
    guess(page, 47)
    page.wait_for_timeout(400)
    assert [each for each in sent if each not in before and not each.startswith("blob:")] == []
    assert waits.view() == view
    assert kept(page) == []
    page.evaluate("""localStorage.guesses = '[1, null, ["a", 0, "x"], ["b", 0, 99], ["c", 0]]'""")  # by another hand
    at_turn.place(0, at_turn.view()["seq"])
    doubter = next(seat for seat in seats_at(at_turn) if seat.view()["to_play"] == seat.view()["you"])
    doubter.doubt(doubter.view()["seq"])
    expect(page.locator("#reveal .my-guess")).to_have_text(["you 47%"])
    assert kept(page) == [[view["next_card"], view["you"], 47]]
    assert not any("47" in each for each in sent if "/moves" in each or '"guess' in each)


def kept(page: Page) -> Any:
    return page.evaluate("JSON.parse(localStorage.guesses ?? '[]')")


def test_whoever_is_at_turn_watches_or_has_switched_it_off_is_not_asked(new_context: New, server: Server) -> None:
    at_turn, waits = waiting(server)
    expect(sit_at(new_context(), at_turn).locator(".guess-bar")).to_be_hidden()
    watching = new_context().new_page()
    watching.goto(f"/table/{at_turn.table}")
    expect(watching.locator(".guess-bar")).to_be_hidden()
    page = sit_at(new_context(), waits)
    choose_setting(page, "guesses", "off")
    expect(page.locator(".guess-bar")).to_be_hidden()
    choose_setting(page, "guesses", "on")
    expect(page.locator(".guess-bar")).to_be_visible()


def test_a_table_without_guesses(new_context: New, server: Server) -> None:
    seats = opened(server, 2, guesses=False)
    seats[0].post("start")
    waits = next(seat for seat in seats if (view := seat.view())["to_play"] != view["you"])
    expect(sit_at(new_context(), waits).locator(".guess-bar")).to_be_hidden()


def test_the_host_switches_guesses_off_before_the_game(new_context: New, server: Server) -> None:
    (seat, *_) = opened(server, 2)
    context = new_context()
    context.add_cookies([{"name": f"seat-{seat.table}", "value": seat.token, "url": server.url}])
    page = context.new_page()
    page.goto(f"/table/{seat.table}")
    page.locator("#arrange summary").click()
    with page.expect_response(f"**/api/tables/{seat.table}") as answered:
        page.locator("[name=guesses]:not([type=radio])").select_option("off")
    assert answered.value.ok
    assert seat.view()["guesses"] is False

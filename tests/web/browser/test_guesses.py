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


def waiting(server: Server) -> tuple[Seat, Seat]:
    """Who is at turn at a new table of two, and who waits."""
    at_turn = long_row(server, 3, ("Ana", "Bob"))
    return at_turn, next(seat for seat in seats_at(at_turn) if seat is not at_turn)


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
    at_turn.place(1, at_turn.view()["seq"])
    waits.doubt(waits.view()["seq"])
    expect(page.locator("#reveal.done")).to_be_visible()
    settle(page)
    expect(page.locator("#reveal .my-guess")).to_have_text(["you 26%"])
    turned = page.locator("#reveal .turned", has=page.locator(".my-guess"))
    expect(turned.locator(".guess-mark")).to_have_count(1)
    assert too_wide(page) == 0


def test_by_mouse_touch_keys_and_letter_without_faults(new_context: New, server: Server) -> None:
    _, waits = waiting(server)
    page = sit_at(new_context(ViewportSize(width=390, height=844), touch=True), waits)
    slider, output = page.locator("#guess"), page.locator(".guess-bar output")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.65)
    expect(output).to_have_text("30%")
    page.touchscreen.tap(box["x"] + box["width"] - 2, box["y"] + box["height"] * 0.65)
    expect(output).to_have_text("60%")
    page.locator("body").press("g")
    expect(slider).to_be_focused()
    page.keyboard.press("Home")
    expect(output).to_have_text("0%")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowRight")
    expect(output).not_to_have_text("0%")
    expect(page.locator(".gap.chosen")).to_have_count(0)
    page.reload()
    expect(output).to_contain_text("%")
    assert slider.evaluate("(each) => each.valueAsNumber") > 0
    guess(page, 24)
    found = accessibility_problems(page)
    assert [each for each in found if "guess" in each.lower() or "24%" in each] == []


def test_nobody_else_hears_of_a_guess_and_it_is_kept_once_its_card_is_turned_over(
    new_context: New, server: Server
) -> None:
    at_turn, waits = waiting(server)
    context, sent = new_context(), list[str]()
    context.on("request", lambda request: sent.append(f"{request.url} {request.post_data or ''}"))
    context.on(
        "page",
        lambda opened: opened.on(
            "websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame)))
        ),
    )
    page = sit_at(context, waits)
    expect(page.locator("#guess")).to_be_visible()
    before, view = list(sent), waits.view()
    guess(page, 47)
    page.wait_for_timeout(400)
    assert [each for each in sent if each not in before and not each.startswith("blob:")] == []
    assert waits.view() == view
    assert kept(page) == []
    page.evaluate("""localStorage.guesses = '[1, null, ["a", 0, "x"], ["b", 0, 99], ["c", 0]]'""")  # by another hand
    at_turn.place(0, at_turn.view()["seq"])
    expect(page.locator("#state.mine")).to_be_visible()
    expect(page.locator(".turn")).to_be_focused()  # as the slider was
    expect(page.locator(".guess-bar")).to_be_hidden()
    waits.doubt(waits.view()["seq"])
    expect(page.locator("#reveal .my-guess")).to_have_text(["you 47%"])
    assert kept(page) == [[view["next_card"], view["you"], 47]]
    assert not any("47" in each for each in sent if "/moves" in each or '"guess' in each)


def kept(page: Page) -> Any:
    return page.evaluate("JSON.parse(localStorage.guesses ?? '[]')")


def test_whoever_watches_or_has_switched_it_off_is_not_asked(new_context: New, server: Server) -> None:
    _, waits = waiting(server)
    watching = new_context().new_page()
    watching.goto(f"/table/{waits.table}")
    expect(watching.locator("#row [data-card]")).to_have_count(3)
    expect(watching.locator(".guess-bar")).to_be_hidden()
    page = sit_at(new_context(), waits)
    choose_setting(page, "guesses", "off")
    expect(page.locator(".guess-bar")).to_be_hidden()
    choose_setting(page, "guesses", "on")
    expect(page.locator(".guess-bar")).to_be_visible()


def test_the_host_switches_guesses_off_before_the_game_and_nobody_is_asked(new_context: New, server: Server) -> None:
    seats = opened(server, 2)
    context = new_context()
    context.add_cookies([{"name": f"seat-{seats[0].table}", "value": seats[0].token, "url": server.url}])
    page = context.new_page()
    page.goto(f"/table/{seats[0].table}")
    page.locator("#arrange summary").click()
    with page.expect_response(f"**/api/tables/{seats[0].table}") as answered:
        page.locator("[name=guesses]:not([type=radio])").select_option("off")
    assert answered.value.ok
    assert seats[0].view()["guesses"] is False
    seats[0].post("start")
    view = seats[0].view()
    if view["to_play"] == view["you"]:
        seats[0].place(0, view["seq"])
    expect(page.locator("#state.playing:not(.mine)")).to_be_visible()
    expect(page.locator(".guess-bar")).to_be_hidden()

"""The next card is dragged to a gap: its neighbours there are seen at once, a drop only chooses, and Escape cancels."""

from collections.abc import Callable

import pytest
from harness.browser.chromium import DESK, PHONE, settle
from harness.browser.people import cards_in_row
from harness.servers import Server
from harness.tables.rows import long_row, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]
Point = tuple[float, float]
CARDS = 9


def middle(page: Page, what: str) -> Point:
    box = page.locator(what).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def gap(number: int) -> str:
    return f".gap[data-gap='{number}']"


def lift(page: Page, number: int) -> None:
    """Take the next card to a gap, and do not let go."""
    page.mouse.move(*middle(page, "#next .card"))
    page.mouse.down()
    page.mouse.move(*middle(page, gap(number)), steps=4)
    expect(page.locator(".gap.over")).to_have_attribute("data-gap", str(number))
    expect(page.locator(".dragged")).to_be_visible()


def neighbours(page: Page) -> list[str | None]:
    """The addresses of the cards that are shown next to the new one; None for the arrow, and for nothing."""
    found: list[str | None] = page.locator(".neighbour").evaluate_all(
        "all => all.map((each) => each.querySelector('img')?.dataset.picture ?? null)"
    )
    return found


def row(page: Page) -> list[str]:
    found: list[str] = cards_in_row(page).evaluate_all("all => all.map((card) => card.dataset.card)")
    return found


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_drag_moves_nothing_and_can_be_cancelled_shows_the_neighbours_live_and_a_drop_only_chooses(
    new_context: New, server: Server, size: ViewportSize
) -> None:
    page = sit_at(new_context(size), long_row(server, CARDS))
    cards = row(page)
    seq = page.locator("#state").get_attribute("data-seq") or ""
    boxes = "all => all.map((each) => each.getBoundingClientRect().toJSON())"
    before = page.locator(".gap").evaluate_all(boxes)
    lift(page, CARDS)
    settle(page)
    if size == DESK:  # so the gap under the pointer is the one that is chosen
        assert page.locator(".gap").evaluate_all(boxes) == before
    page.keyboard.press("Escape")
    expect(page.locator(".dragged, .dragging, .gap.over, .gap.chosen, .neighbour:visible")).to_have_count(0)
    page.mouse.up()
    lift(page, CARDS)
    page.mouse.move(size["width"] / 2, 4, steps=4)
    page.mouse.move(size["width"] / 2, -70)
    expect(page.locator(".gap.over")).to_have_count(0)
    page.mouse.up()  # beside the row
    expect(page.locator(".dragged, .gap.chosen")).to_have_count(0)
    expect(page.locator("#state")).to_have_attribute("data-seq", seq)
    lift(page, 3)
    for number in (3, 0, 7, CARDS):
        page.mouse.move(*middle(page, gap(number)), steps=3)
        expect(page.locator(".gap.over")).to_have_attribute("data-gap", str(number))
        assert neighbours(page) == [cards[number - 1] if number else None, dict(enumerate(cards)).get(number)]
        expect(page.locator(".neighbour")).to_have_count(2)
        for side in page.locator(".neighbour").all():
            expect(side).to_be_visible()
    page.mouse.up()
    expect(page.locator(gap(CARDS))).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".confirm [data-do=place]")).to_be_visible()
    expect(page.locator(".dragged, .dragging")).to_have_count(0)
    expect(page.locator("#zoom")).to_be_hidden()  # the click that ends a drag is no press
    expect(page.locator("#state")).to_have_attribute("data-seq", seq)
    card = page.locator("#next").get_attribute("data-look")
    page.locator(".confirm [data-do=place]").click()
    expect(cards_in_row(page).last).to_have_attribute("data-card", card or "")


def test_a_finger_chooses_by_dragging_and_by_tapping_and_a_screen_that_is_turned_ends_a_drag(
    new_context: New, server: Server
) -> None:
    page = sit_at(new_context(PHONE, touch=True), long_row(server, CARDS))
    lift(page, 4)
    page.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})
    expect(page.locator(".dragged, .dragging, .gap.over, .gap.chosen")).to_have_count(0)
    page.mouse.up()
    expect(page.locator(".gap.chosen")).to_have_count(0)
    page.set_viewport_size(PHONE)
    settle(page)
    fingers = page.context.new_cdp_session(page)
    (x, y), to = middle(page, "#next .card"), middle(page, gap(0))
    path = [(x + (to[0] - x) * step / 6, y + (to[1] - y) * step / 6) for step in range(7)]
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for at in path:
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": at[0], "y": at[1]}]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    chosen = page.locator(gap(0))
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".confirm")).to_be_visible()
    chosen.tap()  # a second tap places nothing either: "Place here" does
    expect(chosen).to_have_attribute("aria-pressed", "true")
    page.locator(".confirm [data-do=place]").tap()
    expect(cards_in_row(page)).to_have_count(CARDS + 1)

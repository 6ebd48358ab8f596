"""The next card is dragged to a gap: a mouse places it there, a finger only chooses the gap, and Escape cancels."""

from collections.abc import Callable

from harness.browsers import PHONE
from harness.people import play_now
from playwright.sync_api import BrowserContext, Page, expect

New = Callable[..., BrowserContext]
Point = tuple[float, float]


def middle(page: Page, what: str) -> Point:
    box = page.locator(what).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lift(page: Page) -> Point:
    """Take the next card to the last gap, and do not let go."""
    page.mouse.move(*middle(page, "#next .card"))
    page.mouse.down()
    to = middle(page, ".gap:enabled >> nth=-1")
    page.mouse.move(*to, steps=4)
    expect(page.locator(".gap.over")).to_have_count(1)
    expect(page.locator(".dragged")).to_be_visible()
    return to


def test_a_mouse_places_the_card_where_it_is_dropped(new_context: New) -> None:
    page = new_context().new_page()
    play_now(page)
    card = page.locator("#next").get_attribute("data-look")
    last = page.locator(".row .gap").count() - 1
    lift(page)
    with page.expect_request("**/moves") as sent:
        page.mouse.up()
    move = sent.value.post_data_json
    assert move
    assert (move["move"], move["gap"]) == ("place", last)
    expect(page.locator(f".row [data-look='{card}'], #reveal[open]").first).to_be_visible()
    expect(page.locator(".dragged, .dragging")).to_have_count(0)
    expect(page.locator("#zoom")).to_be_hidden()  # the click that ends a drag is no press


def test_escape_cancels_a_drag_and_a_drop_beside_the_row_does_nothing(new_context: New) -> None:
    page = new_context().new_page()
    play_now(page)
    seq = page.locator("#state").get_attribute("data-seq") or ""
    lift(page)
    page.keyboard.press("Escape")
    expect(page.locator(".dragged, .dragging, .lifted, .gap.over")).to_have_count(0)
    page.mouse.up()
    lift(page)
    page.mouse.move(640, 790, steps=4)
    expect(page.locator(".gap.over")).to_have_count(0)
    page.mouse.up()
    expect(page.locator(".dragged, .gap.chosen")).to_have_count(0)
    expect(page.locator("#state")).to_have_attribute("data-seq", seq)


def test_a_finger_only_chooses_the_gap(new_context: New) -> None:
    page = new_context(PHONE, touch=True).new_page()
    play_now(page)
    fingers = page.context.new_cdp_session(page)
    (x, y), to = middle(page, "#next .card"), middle(page, ".gap:enabled >> nth=0")
    path = [(x + (to[0] - x) * step / 6, y + (to[1] - y) * step / 6) for step in range(7)]
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for at in path:
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": at[0], "y": at[1]}]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    chosen = page.locator(".gap").first
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".confirm")).to_be_visible()
    chosen.tap()  # a second tap places nothing either: "Place here" does
    expect(chosen).to_have_attribute("aria-pressed", "true")
    page.locator(".confirm [data-do=place]").tap()
    expect(chosen).not_to_have_attribute("aria-pressed", "true")

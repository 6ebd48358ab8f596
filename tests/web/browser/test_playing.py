"""How a turn is played: few keys, the order in which it is read out, the trio, and pictures that are there in time."""

import json
from collections.abc import Callable

import pytest
from harness.browser.chromium import DESK, PHONE, settle, wait_until
from harness.browser.people import cards_in_row, press_tool, read_the_reveal
from harness.servers import Server
from harness.tables.rows import long_row, seats_at, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]
MOST_PRESSES = 12


def test_any_act_takes_at_most_twelve_keys_with_fifteen_cards_in_the_row(new_context: New, server: Server) -> None:
    """And the cards of the row, which the arrows walk through, are one stop of the tab key."""
    page = sit_at(new_context(), long_row(server, 15))
    expect(page.locator("#doubt")).to_be_enabled()
    waiting = {"#doubt", "#next", ".gap[data-gap='0']", "#row li:first-child .look"}
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the content
    for _ in range(MOST_PRESSES - 3):  # the last one is Enter again
        page.keyboard.press("Tab")
        waiting -= {each for each in waiting if page.evaluate(f"document.activeElement.matches(`{each}`)")}
    assert not waiting
    looks = page.locator("#row .look")
    looks.first.focus()
    for key, at in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("End", 14),
        ("ArrowRight", 14),
        ("ArrowLeft", 13),
        ("Home", 0),
    ):
        page.keyboard.press(key)
        expect(looks.nth(at)).to_be_focused()
        assert looks.evaluate_all("all => all.filter((each) => each.tabIndex === 0).length") == 1
    assert page.locator(".gap.chosen").count() == 0
    page.keyboard.press("Enter")
    expect(page.locator("#zoom")).to_be_visible()
    page.keyboard.press("Escape")
    looks.first.blur()
    for gap in (0, 7, 8, 15):  # the keys pass through all others
        first, then, count = ("Home", "ArrowRight", gap) if gap < 8 else ("End", "ArrowLeft", 15 - gap)
        for key in (first, *[then] * count):
            page.keyboard.press(key)
        expect(page.locator(f".gap[data-gap='{gap}']")).to_have_attribute("aria-pressed", "true")
        expect(page.locator(f".gap[data-gap='{gap}']")).to_be_focused()
        assert count + 2 <= MOST_PRESSES  # Enter places it
    page.keyboard.press("Enter")
    expect(cards_in_row(page)).to_have_count(16)
    expect(page.locator(".acts")).to_contain_text("You placed a card and believe the row.")


def test_turn_and_doubt_are_read_before_the_row(new_context: New, server: Server) -> None:
    page = sit_at(new_context(), long_row(server, 3))
    order = page.evaluate("""() => [...document.querySelectorAll('.colour-bar, .turn, #doubt, #next, #row')]
      .map((each) => each.id || each.className)""")
    assert order == ["colour-bar", "turn", "doubt", "next", "row"]
    told = page.locator("main").aria_snapshot()
    places = [told.index(part) for part in ("Your turn", "I don’t believe it", "The next card", "Card 1 of the row")]  # noqa: RUF001
    assert places == sorted(places)


def trio(page: Page) -> list[str]:
    """The cards that are shown side by side; the arrow and the far end in words."""
    found: list[str] = page.locator(".trio > :not([hidden])").evaluate_all(
        "all => all.map((each) => each.querySelector('img')?.dataset.picture ?? each.textContent)"
    )
    return found


def step(page: Page, to: str) -> None:
    """By the button; where the next card stands in the row, by the key."""
    button = page.locator(f"[data-do={to}]")
    if button.is_visible():
        button.click()
    else:
        page.keyboard.press({"gap-before": "ArrowLeft", "gap-after": "ArrowRight"}[to])


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_trio_by_clicks_by_keys_and_by_its_own_buttons(
    new_context: New, server: Server, size: ViewportSize
) -> None:
    seat = long_row(server, 6)
    page = sit_at(new_context(size), seat)
    view = seat.view()
    row, new = view["row"], view["next_card"]
    assert trio(page) == [new]
    page.locator(".gap[data-gap='3']").click()
    assert trio(page) == [row[2], new, row[3]]
    step(page, "gap-after")
    assert trio(page) == [row[3], new, row[4]]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert trio(page) == [row[1], new, row[2]]
    step(page, "gap-before")
    step(page, "gap-before")
    assert trio(page)[1:] == [new, row[0]]
    assert view["arrow"] in trio(page)[0]
    step(page, "gap-before")  # there is nothing before the arrow
    assert trio(page)[1:] == [new, row[0]]
    page.keyboard.press("End")
    assert trio(page) == [row[5], new, "most"]
    page.locator(".gap[data-gap='6']").dblclick()  # a double click places nothing
    assert seat.view()["seq"] == view["seq"]
    page.locator("[data-do=take-back]").click()
    assert trio(page) == [new]
    page.locator(".gap[data-gap='2']").click()
    page.locator("[data-do=place]").click()
    expect(cards_in_row(page).nth(2)).to_have_attribute("data-card", new)
    assert trio(page) != [new]


_POPS = """
window.pops = 0;
window.frames_seen = 0;
const look = () => {
  const cards = [...document.querySelectorAll('#row [data-card], #next img')];
  const lacks = (card) => !card.getAttribute('src') || !card.complete || !card.naturalWidth;
  window.frames_seen += 1;
  window.lacking = cards.filter(lacks).length;
  window.pops += window.lacking;
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
_WITHOUT_PICTURES = "const { parse } = JSON; JSON.parse = (text) => ({ ...parse(text), pictures: undefined });"
SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


@pytest.mark.parametrize("told", ["with the event", "asked for"])
def test_on_a_slow_network_a_card_is_shown_with_its_picture(new_context: New, server: Server, told: str) -> None:
    """In every frame all cards have their pictures, also those that were not drawn in time to come with their event."""
    context = new_context()
    context.add_init_script(_POPS + (_WITHOUT_PICTURES if told == "asked for" else ""))
    seat = long_row(server, 2)
    page = sit_at(context, seat)
    expect(page.locator("#next img[src]")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/cards/" in request.url else None)
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW_3G)
    wait_until(page, lambda: page.evaluate("window.lacking === 0"))
    page.evaluate("window.pops = 0")
    others = seats_at(seat)
    for cards in range(3, 8):
        view = seat.view()
        assert others[view["to_play"]].place(0, view["seq"]).status_code == 200
        expect(cards_in_row(page)).to_have_count(cards)
    assert page.evaluate("window.frames_seen") > 5
    assert page.evaluate("window.pops") == 0
    assert bool(asked) or told == "with the event"


def test_the_next_row_is_there_while_the_last_one_is_read_which_can_be_seen_again(
    new_context: New, server: Server
) -> None:
    """Its pictures came with the event, if they were drawn already, or are asked for at once. On each screen the last
    row is seen again by what that screen has room for."""
    ways = {(320, 568): ".last-row", (390, 844): "#again", (844, 390): ".last-row", (1366, 768): "#again"}
    context, came, asked = new_context(), list[str](), list[str]()

    def hear(frame: str | bytes) -> None:
        for message in str(frame).split("\n"):
            came.extend(json.loads(message).get("pictures", ()))

    context.on("page", lambda opened: opened.on("websocket", lambda socket: socket.on("framereceived", hear)))
    seat = long_row(server, 3)
    page = sit_at(context, seat)
    page.on("response", lambda response: asked.append(response.url) if "/cards/" in response.url else None)
    for size in ways:
        page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
        assert page.locator("[data-do=reveal]:visible").count() == 0, size
    assert seat.doubt(seat.view()["seq"]).status_code == 200
    expect(page.locator("#reveal")).to_be_visible()
    view = seat.view()
    wait_until(page, lambda: any(view["next_card"] in there for there in (*came, *asked)))
    assert page.locator("#reveal").is_visible()
    asked.clear()
    read_the_reveal(page)
    expect(page.locator(f'#row [data-card="{view["row"][0]}"]')).to_be_visible()  # not at once: the old row goes first
    assert asked == []
    for size, way in ways.items():
        page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
        settle(page)
        press_tool(page, way)
        expect(page.locator("#reveal .turned")).to_have_count(3)
        read_the_reveal(page)
        expect(page.locator("#reveal")).to_be_hidden()


def test_who_holds_the_doubt_button_is_not_asked(new_context: New, server: Server) -> None:
    page = sit_at(new_context(), long_row(server, 3))
    box = page.locator("#doubt").bounding_box()
    assert box
    inside, outside = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), (box["x"] + 5, box["y"] - 60)
    page.mouse.move(*inside)
    page.mouse.down()
    expect(page.locator("#doubt.filling")).to_have_count(1)
    page.mouse.move(*outside)  # whoever leaves the button has not said it
    expect(page.locator("#doubt.filling")).to_have_count(0)
    page.mouse.up()
    page.locator("#doubt").click()  # a plain press asks
    expect(page.locator("#ask-doubt")).to_be_visible()
    page.keyboard.press("Escape")
    page.mouse.move(*inside)
    page.mouse.down()
    expect(page.locator("#reveal")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#ask-doubt")).to_be_hidden()
    expect(page.locator("#reveal")).to_be_visible()

"""Looking back in a browser, on a desk and on a phone: the replay, how it went, and one's own eyes."""

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from harness.browser.chromium import DESK, PHONE, settle, wait_until
from harness.browser.page_checks import too_wide
from harness.browser.people import cards_in_row
from harness.servers import Server, opened, play_beside_bots, play_on
from harness.tables.rows import lengthen
from playwright.sync_api import BrowserContext, Page, expect

from illusion.tables.eyes import HeldSeat, seats_code

New = Callable[..., BrowserContext]

SWIPE = """([from, to]) => {
  const area = document.querySelector('#table');
  const touch = (type, clientX) => area.dispatchEvent(
    new PointerEvent(type, { clientX, clientY: 200, pointerType: 'touch', bubbles: true }));
  touch('pointerdown', from);
  touch('pointerup', to);
}"""


@pytest.fixture(scope="module")
def over(server: Server) -> str:
    """A table whose game is over: somebody beside a bot. A card was placed wrong there, which not every game has."""
    while True:
        (seat,) = opened(server, 2, bots=["keen"])
        seat.post("start")
        play_beside_bots(seat, until_seq=10_000)
        told = seat.client.get(f"/api/tables/{seat.table}/replay").json()
        if any(placed_wrong(told)):
            return seat.table


def asked(page: Page, address: str) -> dict[str, Any]:
    answer: dict[str, Any] = page.request.get(address).json()
    return answer


def address(moment: dict[str, Any]) -> str:
    return f"#r{moment['round']}.{moment['move']}"


def at(page: Page, moment: dict[str, Any]) -> None:
    """The page shows this moment, and its address names it."""
    expect(page.locator("#where")).to_have_text(f"Round {moment['round']}, move {moment['move']}")
    wait_until(page, lambda: page.url.endswith(address(moment)))


def fits_everywhere(page: Page) -> bool:
    """On a desk and on a phone."""
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        settle(page)
        if too_wide(page):
            return False
    return True


def test_a_replay_goes_forward_and_back_in_every_way(new_context: New, over: str) -> None:
    page = new_context(PHONE, touch=True).new_page()
    moments = asked(page, f"/api/tables/{over}/replay")["moments"]
    page.goto(f"/table/{over}/replay{address(moments[4])}")
    at(page, moments[4])  # the address that was copied
    page.keyboard.press("ArrowRight")
    at(page, moments[5])
    page.keyboard.press("ArrowLeft")
    at(page, moments[4])
    page.keyboard.press("End")
    at(page, moments[-1])
    page.keyboard.press("Home")
    at(page, moments[0])
    page.evaluate(SWIPE, [300, 100])
    at(page, moments[1])
    page.evaluate(SWIPE, [100, 300])
    at(page, moments[0])
    page.locator("[data-do=forward]").click()
    at(page, moments[1])
    page.locator("[data-do=back]").click()
    page.locator("#moment").fill("1")
    at(page, moments[1])
    expect(cards_in_row(page)).to_have_count(2)
    page.evaluate(f"location.hash = '{address(moments[0])}'")
    at(page, moments[0])
    page.locator("#speed").select_option("500")
    assert page.locator("#speed option").count() == 3
    page.locator("#play").click()
    wait_until(page, lambda: page.locator("#moment").input_value() == "5")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    assert fits_everywhere(page)


def test_truth_what_a_bot_saw_and_the_seat_one_looks_from(new_context: New, over: str) -> None:
    page = new_context().new_page()
    told = asked(page, f"/api/tables/{over}/replay")
    # Somewhere a card was placed wrong: the row falls there from then on, and not a moment before.
    wrong = next(number for number, is_wrong in enumerate(placed_wrong(told)) if is_wrong)
    page.goto(f"/table/{over}/replay{address(told['moments'][wrong - 1])}")
    at(page, told["moments"][wrong - 1])
    expect(page.locator(".truth")).to_have_count(0)
    page.locator("#truth").check()
    view = told["moments"][wrong - 1]["view"]
    shares = [f"{told['shares'][card][view['arrow']]}%" for card in view["row"]]
    expect(page.locator(".truth b")).to_have_text(shares)
    expect(page.locator(".falls")).to_have_count(0)
    page.locator("[data-do=forward]").click()
    at(page, told["moments"][wrong])
    expect(page.locator(".falls")).to_have_count(falls(told["moments"][wrong]["view"], told["shares"]))
    page.locator("#truth").uncheck()
    expect(page.locator(".falls")).to_have_count(0)
    # Only the bot can be asked what it saw; of a person nothing is invented.
    assert page.locator("#saw option").evaluate_all("all => all.map(each => each.value)") == ["", "1"]
    page.locator("#saw").select_option("1")
    seen = asked(page, f"/api/tables/{over}/saw/1")["shares"]
    row, arrow = (told["moments"][wrong]["view"][name] for name in ("row", "arrow"))
    expect(page.locator(".truth i")).to_have_text([f"saw {seen[card][arrow]}%" for card in row])
    assert page.locator("#seat option").count() == 3
    page.locator("#seat").select_option("0")
    expect(page.locator(".player[data-seat='0'] .name")).to_have_text("You")


def placed_wrong(told: dict[str, Any]) -> list[bool]:
    """For each moment of a replay, whether it shows a row that falls after somebody placed a card."""
    return [
        bool(falls(moment["view"], told["shares"])) and moment["happened"][0]["event"] == "card-placed"
        for moment in told["moments"]
    ]


def falls(view: dict[str, Any], shares: dict[str, dict[str, int]]) -> int:
    row = [shares[card][view["arrow"]] for card in view["row"]] if view["arrow"] else []
    return sum(right < left for left, right in pairwise(row))


def test_how_it_went_is_shown_with_links_into_the_replay_and_a_bar_until_then(new_context: New, over: str) -> None:
    page = new_context().new_page()
    told = iter([{"done": 0, "of": 32}] * 2)
    page.route(
        "**/api/tables/*/review",
        lambda route: route.fulfill(status=202, json=each) if (each := next(told, None)) else route.continue_(),
    )
    page.goto(f"/table/{over}/review")
    expect(page.locator("#progress progress")).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("Thinking it over")
    expect(page.locator(".totals tbody tr")).to_have_count(2)
    expect(page.locator(".chart polyline")).to_have_count(2)
    expect(page.locator("#progress")).to_have_count(0)
    for at, point in enumerate(asked(page, f"/api/tables/{over}/review")["turning_points"]):
        shown = page.locator(".points > li").nth(at)
        expect(shown.locator(".when")).to_contain_text(f"Round {point['round']}")
        pair = shown.locator(".at-issue .share").all_inner_texts()
        if point["what"] == "misplaced":
            left, right = (int(share.rstrip("%")) for share in pair)
            assert left > right
        assert shown.locator(".strip-row img").count() >= len(pair) == 2
    assert fits_everywhere(page)
    first = page.locator(".points a").first
    where = first.get_attribute("href")
    assert where is not None
    first.click()
    wait_until(page, lambda: page.url.endswith(where))
    round_, turn = where.partition("#r")[2].split(".")
    expect(page.locator("#where")).to_have_text(f"Round {round_}, move {turn}")


def played_much(server: Server) -> tuple[str, str]:
    """A table whose first row was so long that its two seats make a trend, and the token of one of them. What they tell
    has been thought over already."""
    seats = opened(server, 2)
    seats[0].post("start")
    lengthen(seats, 70)
    view = seats[0].view()
    assert seats[view["to_play"]].doubt(view["seq"]).status_code == 200
    play_on(seats)
    both = {"seats": [[seats[0].table, 0], [seats[0].table, 1]]}
    while seats[0].client.post("/api/eyes", json=both).status_code == 202:
        time.sleep(0.05)
    return seats[0].table, seats[0].token


def test_the_eyes_of_a_device_their_trend_and_all_forgotten(new_context: New, server: Server) -> None:
    table, token = played_much(server)
    context = new_context()
    page = context.new_page()
    page.goto("/eyes")
    expect(page.locator("#progress")).to_contain_text("No game has been finished here yet")
    context.add_cookies([{"name": f"seat-{table}", "value": token, "url": server.url}])
    page.goto(f"/table/{table}")  # the end screen remembers the seat
    wait_until(page, lambda: any(each["name"] == "eyes" for each in context.cookies()))
    page.goto("/eyes")
    expect(page.locator(".big")).to_contain_text("Your eyes:")
    expect(page.locator("#eyes")).to_contain_text("Cards still to place for a trend:")
    more = page.locator(".keep > summary")
    expect(page.locator("[name=code]")).to_be_hidden()
    more.click()
    page.locator("[name=code]").fill(seats_code([HeldSeat(table, 0), HeldSeat(table, 1)]))
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#eyes")).to_contain_text("Games: 2")
    expect(page.locator(".big")).to_contain_text("Your eyes:")
    assert page.locator(".trend .figure").count() == page.locator(".trend .interval").count() >= 2
    assert fits_everywhere(page)
    with page.expect_response("**/eyes/code.svg") as drawn:  # not before it is to be seen
        more.click()
        page.locator(".keep details summary").click()
    assert drawn.value.ok
    expect(page.locator(".qr-box img")).to_be_visible()
    wait_until(page, lambda: page.evaluate("document.querySelector('.qr-box img').naturalWidth > 0"))
    code = page.locator(".code textarea").input_value()
    page.evaluate("localStorage.guesses = JSON.stringify([['none', 0, 20]])")
    page.locator("[name=forget]").click()
    expect(page.locator("#progress")).to_contain_text("No game has been finished here yet")
    assert page.evaluate("localStorage.guesses") == "[]"
    more.click()
    page.locator("[name=code]").fill(f"{code[:-1]}?")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.locator("[name=code]").fill(code)
    page.get_by_role("button", name="Import").click()
    expect(page.locator(".big")).to_contain_text("Your eyes:")


def test_after_the_first_game_my_eyes_show_pictures_a_ring_and_the_guesses(new_context: New, server: Server) -> None:
    seats = opened(server, 2)
    seats[0].post("start")
    play_on(seats)
    table, you = seats[0].table, seats[0].view()["you"]
    told = seats[0].client.get(f"/api/tables/{table}/replay").json()
    laid = [
        (each["card"], moment["view"]["arrow"])
        for moment in told["moments"]
        for each in moment["happened"]
        if each["event"] == "card-placed" and each["seat"] != you
    ]
    context = new_context(PHONE, touch=True)
    context.add_cookies([{"name": f"seat-{table}", "value": seats[0].token, "url": server.url}])
    page = context.new_page()
    page.goto(f"/table/{table}")
    wait_until(page, lambda: any(each["name"] == "eyes" for each in context.cookies()))
    guesses = [[card, you, told["shares"][card][arrow]] for card, arrow in laid]
    page.evaluate("(guesses) => { localStorage.guesses = JSON.stringify(guesses); }", guesses)
    page.goto("/eyes")
    ring = page.locator(".ring")
    expect(ring).to_be_visible()
    body = {"seats": [[table, you]], "guesses": guesses}
    while (answer := seats[0].client.post("/api/eyes", json=body)).status_code == 202:
        time.sleep(0.05)
    found = answer.json()
    placements = found["eyes"]["placements"]
    expect(ring).to_have_attribute("aria-label", f"{min(placements, 30)} of 30 cards")
    pairs = [found[each] for each in ("worst", "finest") if found[each]]
    assert pairs
    pictures = page.locator(".pair img")
    assert pictures.count() == 2 * len(pairs)
    for at, card in enumerate(card for pair in pairs for card in pair["cards"]):
        pictures.nth(at).scroll_into_view_if_needed()
        pictures.nth(at).evaluate("(each) => each.decode()")  # fails where there is no picture
        assert card in (pictures.nth(at).get_attribute("src") or "")
    expect(page.locator("#eyes")).to_contain_text(f"Guesses: {len(laid)}, off by 0 points on average.")
    assert fits_everywhere(page)

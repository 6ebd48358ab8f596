"""The end of a game and looking back: places, the greatest illusion, the replay, how it went, and one's own eyes.

That these pages fit on every screen is looked at on the tour.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from harness.browser.chromium import DESK, PHONE, SCREENS, SMALL, settle, wait_until
from harness.browser.page_checks import too_wide
from harness.browser.people import cards_in_row
from harness.servers import Seat, Server, opened, play_beside_bots, play_on
from harness.tables.rows import lengthen, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

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
def games(server: Server) -> tuple[Seat, Seat]:
    """The host of four people, and the only person beside a bot, whose games are over. Beside the bot a card was placed
    wrong, which not every game has."""
    seats = opened(server, 4)
    seats[0].post("start")
    play_on(seats)
    while True:
        (alone,) = opened(server, 2, bots=["keen"])
        alone.post("start")
        play_beside_bots(alone, until_seq=10_000)
        if any(placed_wrong(told(alone))):
            return seats[0], alone


@pytest.fixture
def four(server: Server, games: tuple[Seat, Seat]) -> Seat:
    return Seat(server, games[0].table, games[0].token)


@pytest.fixture
def beside_a_bot(server: Server, games: tuple[Seat, Seat]) -> Seat:
    return Seat(server, games[1].table, games[1].token)


def told(seat: Seat) -> dict[str, Any]:
    replay: dict[str, Any] = seat.client.get(f"/api/tables/{seat.table}/replay").json()
    return replay


def placed_wrong(told: dict[str, Any]) -> list[bool]:
    """For each moment of a replay, whether it shows a row that falls after somebody placed a card."""
    return [
        bool(falls(moment["view"], told["shares"])) and moment["happened"][0]["event"] == "card-placed"
        for moment in told["moments"]
    ]


def falls(view: dict[str, Any], shares: dict[str, dict[str, int]]) -> int:
    row = [shares[card][view["arrow"]] for card in view["row"]] if view["arrow"] else []
    return sum(right < left for left, right in pairwise(row))


def ended(context: BrowserContext, seat: Seat) -> Page:
    context.add_cookies([{"name": f"seat-{seat.table}", "value": seat.token, "url": str(seat.client.base_url)}])
    page = context.new_page()
    page.goto(f"/table/{seat.table}")
    expect(page.locator(".won h1")).to_be_visible()
    return page


def test_places_with_a_kind_line_and_the_greatest_illusion_is_guessed_first_and_shared(
    new_context: New, server: Server, four: Seat
) -> None:
    view = four.view()
    page = ended(new_context(permissions=["clipboard-read", "clipboard-write"]), four)
    players = page.locator("#state .players .player")
    listed = [int(seat) for seat in players.evaluate_all("all => all.map((each) => each.dataset.seat)")]
    arrows = [len(view["arrows_won"][seat]) for seat in listed]
    assert listed[0] in view["winners"]
    assert arrows == sorted(arrows, reverse=True)
    lines = players.locator("small").all_inner_texts()
    assert [bool(line) for line in lines] == [seat not in view["winners"] for seat in listed]
    expect(page.locator(".won .mini:not(.empty)")).to_have_count(arrows[0])
    share = page.locator(".illusion .share")
    expect(share).to_be_hidden()
    with page.expect_download() as download:
        page.locator("[data-do=share-illusion]").click()
    assert download.value.suggested_filename == "illusion.png"
    assert download.value.path().stat().st_size > 10_000
    expect(page.locator("#toast")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{server.url}/table/{four.table}/illusion"
    page.locator("[data-do=show-illusion]").press("Enter")
    expect(share).to_have_text(f"{view['summary']['worst_illusion']['share']}%")


def test_many_arrows_are_a_figure(new_context: New, server: Server) -> None:
    with server.client() as client:
        made = client.post("/api/tables", json={"name": "Ana", "seats": 2, "variant": "twelve-rounds"}).json()
        sat = client.post(f"/api/tables/{made['table']}/seats", json={"name": "Bartholomäus Weihrauch"}).json()
    seats = [Seat(server, made["table"], each["token"]) for each in (made, sat)]
    seats[0].post("start")
    while max(len(won) for won in play_on(seats, 1)["arrows_won"]) < 5:
        pass
    page = sit_at(new_context(), seats[0])
    assert "5" in page.locator("#state .tally b").all_inner_texts()
    arrows_fit(page)
    play_on(seats)
    page = ended(page.context, seats[0])
    figures = page.locator("#state .players .tally b").all_inner_texts()
    won = [len(each) for each in seats[0].view()["arrows_won"]]
    assert sorted(map(int, figures)) == sorted(count for count in won if count > 3)
    arrows_fit(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for size in SIZES:
        page.set_viewport_size(size)
        settle(page)
        assert too_wide(page) == 0
        assert min(page.locator("#state .who").evaluate_all("all => all.map((each) => each.offsetWidth)")) > 100


SIZES = SMALL, PHONE, ViewportSize(width=1440, height=900)


def arrows_fit(page: Page) -> None:
    """On every screen the page, and in each player's box the arrows they won."""
    outside = """(all) => all.filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      const around = each.closest('.player').getBoundingClientRect();
      return left < around.left || right > around.right;
    }).length"""
    for size in SIZES:
        page.set_viewport_size(size)
        settle(page)
        assert too_wide(page) == 0
        assert page.locator("#state .player .won-arrows").evaluate_all(outside) == 0


def test_a_friend_guesses_the_shared_illusion_before_the_page_knows_its_figure(new_context: New, four: Seat) -> None:
    view = four.view()
    shown = view["summary"]["worst_illusion"]
    page = new_context(PHONE).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    answer = page.goto(f"/table/{four.table}/illusion")
    assert answer is not None
    html = answer.text()
    for secret in (view["secret"]["seed"], f'"share":{shown["share"]}', f"{shown['share']}%", '"neighbour"', '"Ana"'):
        assert secret not in html
    assert shown["card"] in html
    expect(page.locator("#guessing button")).to_be_disabled()
    expect(page.locator("#after")).to_be_hidden()
    assert not any("/api/" in address for address in asked)
    page.locator("#guess").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#told .share")).to_have_text(f"{shown['share']}%")
    expect(page.locator("#told")).to_contain_text("You said 21%.")
    expect(page.locator("#told")).to_be_focused()
    expect(page.locator("#after a").first).to_be_visible()
    for size in SCREENS:
        page.set_viewport_size(size)
        settle(page)
        assert too_wide(page) == 0


def test_there_is_nothing_to_guess_before_the_end(server: Server) -> None:
    running = opened(server, 2)
    path = f"/table/{running[0].table}/illusion"
    assert running[0].client.get(path).status_code == 409
    running[0].post("start")
    assert running[0].client.get(path).status_code == 409
    assert running[0].client.get("/table/nwhere22/illusion").status_code == 404


def address(moment: dict[str, Any]) -> str:
    return f"#r{moment['round']}.{moment['move']}"


def at(page: Page, moment: dict[str, Any]) -> None:
    """The page shows this moment, and its address names it."""
    expect(page.locator("#where")).to_have_text(f"Round {moment['round']}, move {moment['move']}")
    wait_until(page, lambda: page.url.endswith(address(moment)))


def test_a_replay_goes_forward_and_back_in_every_way(new_context: New, beside_a_bot: Seat) -> None:
    page = new_context(PHONE, touch=True).new_page()
    moments = told(beside_a_bot)["moments"]
    page.goto(f"/table/{beside_a_bot.table}/replay{address(moments[4])}")
    at(page, moments[4])  # the address that was copied
    for key, number in (("ArrowRight", 5), ("ArrowLeft", 4), ("End", -1), ("Home", 0)):
        page.keyboard.press(key)
        at(page, moments[number])
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
    page.locator("#play").click()
    wait_until(page, lambda: page.locator("#moment").input_value() == "5")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_truth_what_a_bot_saw_and_the_seat_one_looks_from(new_context: New, beside_a_bot: Seat) -> None:
    page, replay = new_context().new_page(), told(beside_a_bot)
    # Somewhere a card was placed wrong: the row falls there from then on, and not a moment before.
    wrong = placed_wrong(replay).index(True)
    before, moment = replay["moments"][wrong - 1 : wrong + 1]
    page.goto(f"/table/{beside_a_bot.table}/replay{address(before)}")
    at(page, before)
    expect(page.locator(".truth")).to_have_count(0)
    page.locator("#truth").check()
    row, arrow = before["view"]["row"], before["view"]["arrow"]
    expect(page.locator(".truth b")).to_have_text([f"{replay['shares'][card][arrow]}%" for card in row])
    expect(page.locator(".falls")).to_have_count(0)
    page.locator("[data-do=forward]").click()
    at(page, moment)
    expect(page.locator(".falls")).to_have_count(falls(moment["view"], replay["shares"]))
    page.locator("#truth").uncheck()
    expect(page.locator(".falls")).to_have_count(0)
    # Only the bot can be asked what it saw; of a person nothing is invented.
    assert page.locator("#saw option").evaluate_all("all => all.map(each => each.value)") == ["", "1"]
    page.locator("#saw").select_option("1")
    seen = beside_a_bot.client.get(f"/api/tables/{beside_a_bot.table}/saw/1").json()["shares"]
    row, arrow = moment["view"]["row"], moment["view"]["arrow"]
    expect(page.locator(".truth i")).to_have_text([f"saw {seen[card][arrow]}%" for card in row])
    assert page.locator("#seat option").count() == 3
    page.locator("#seat").select_option("0")
    expect(page.locator(".player[data-seat='0'] .name")).to_have_text("You")


def test_how_it_went_is_shown_with_links_into_the_replay_and_a_bar_until_then(
    new_context: New, beside_a_bot: Seat
) -> None:
    page = new_context().new_page()
    progress = iter([{"done": 0, "of": 32}] * 2)
    page.route(
        "**/api/tables/*/review",
        lambda route: route.fulfill(status=202, json=each) if (each := next(progress, None)) else route.continue_(),
    )
    page.goto(f"/table/{beside_a_bot.table}/review")
    expect(page.locator("#progress progress")).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("Thinking it over")
    expect(page.locator(".totals tbody tr")).to_have_count(2)
    expect(page.locator(".chart polyline")).to_have_count(2)
    expect(page.locator("#progress")).to_have_count(0)
    review = beside_a_bot.client.get(f"/api/tables/{beside_a_bot.table}/review").json()
    for at, point in enumerate(review["turning_points"]):
        shown = page.locator(".points > li").nth(at)
        expect(shown.locator(".when")).to_contain_text(f"Round {point['round']}")
        pair = shown.locator(".at-issue .share").all_inner_texts()
        if point["what"] == "misplaced":
            left, right = (int(share.rstrip("%")) for share in pair)
            assert left > right
        assert shown.locator(".strip-row img").count() >= len(pair) == 2
    first = page.locator(".points a").first
    where = first.get_attribute("href")
    assert where is not None
    first.click()
    wait_until(page, lambda: page.url.endswith(where))
    round_, turn = where.partition("#r")[2].split(".")
    expect(page.locator("#where")).to_have_text(f"Round {round_}, move {turn}")


def test_my_eyes_after_one_game_with_others_from_elsewhere_and_all_forgotten(
    new_context: New, server: Server, beside_a_bot: Seat
) -> None:
    context = new_context(PHONE)
    page = context.new_page()
    page.goto("/eyes")
    expect(page.locator("#progress")).to_contain_text("No game has been finished here yet")
    ended(context, beside_a_bot)  # which remembers the seat
    wait_until(page, lambda: any(each["name"] == "eyes" for each in context.cookies()))
    replay = told(beside_a_bot)
    guesses = [
        [each["card"], 0, replay["shares"][each["card"]][moment["view"]["arrow"]]]
        for moment in replay["moments"]
        for each in moment["happened"]
        if each["event"] == "card-placed" and each["seat"] == 1
    ]
    page.evaluate("(guesses) => { localStorage.guesses = JSON.stringify(guesses); }", guesses)
    page.goto("/eyes")
    expect(page.locator(".ring")).to_be_visible()  # it has been thought over
    body = {"seats": [[beside_a_bot.table, 0]], "guesses": guesses}
    found = beside_a_bot.client.post("/api/eyes", json=body).json()
    placements = found["eyes"]["placements"]
    expect(page.locator(".ring")).to_have_attribute("aria-label", f"{min(placements, 30)} of 30 cards")
    pairs = [found[each] for each in ("worst", "finest") if found[each]]
    assert pairs
    pictures = page.locator(".pair img")
    assert pictures.count() == 2 * len(pairs)
    for at, card in enumerate(card for pair in pairs for card in pair["cards"]):
        pictures.nth(at).scroll_into_view_if_needed()
        pictures.nth(at).evaluate("(each) => each.decode()")  # fails where there is no picture
        assert card in (pictures.nth(at).get_attribute("src") or "")
    expect(page.locator("#eyes")).to_contain_text(f"Guesses: {len(guesses)}, off by 0 points on average.")
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        settle(page)
        assert too_wide(page) == 0
    long = opened(server, 2)  # whose row makes a trend
    long[0].post("start")
    at_turn = lengthen(long, 66)
    assert at_turn.doubt(at_turn.view()["seq"]).status_code == 200
    play_on(long)
    more = page.locator(".keep > summary")
    for seat in (0, 1):
        expect(page.locator("[name=code]")).to_be_hidden()
        more.click()
        page.locator("[name=code]").fill(seats_code([HeldSeat(long[0].table, seat)]))
        page.get_by_role("button", name="Import").click()
        expect(page.locator("#eyes")).to_contain_text(f"Games: {seat + 2}")
        expect(page.locator("#eyes")).to_contain_text("Cards still to place for a trend:" if not seat else "Over time")
    expect(page.locator(".big")).to_contain_text("Your eyes:")
    assert page.locator(".trend .figure").count() == page.locator(".trend .interval").count() >= 2
    with page.expect_response("**/eyes/code.svg") as drawn:  # not before it is to be seen
        more.click()
        page.locator(".keep details summary").click()
    assert drawn.value.ok
    wait_until(page, lambda: page.evaluate("document.querySelector('.qr-box img').naturalWidth > 0"))
    page.locator("[name=forget]").click()
    expect(page.locator("#progress")).to_contain_text("No game has been finished here yet")
    assert page.evaluate("localStorage.guesses") == "[]"

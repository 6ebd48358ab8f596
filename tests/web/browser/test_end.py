"""The end of a game: the winner, places with kind lines, the greatest illusion as a guess, sharing; twelve rounds."""

from collections.abc import Callable
from typing import Any

import pytest
from harness.browser.chromium import SMALL, settle
from harness.browser.page_checks import too_wide
from harness.servers import Seat, Server, opened
from harness.tables.rows import sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]


def play_out(seats: list[Seat], *, until: Callable[[dict[str, Any]], bool] = lambda _: False) -> None:
    """Everybody places in the middle and doubts the fourth card."""
    view = seats[0].view()
    while not view["over"] and not until(view):
        seat = seats[view["to_play"]]
        long = len(view["row"]) > 3
        answer = seat.doubt(view["seq"]) if long else seat.place(len(view["row"]) // 2, view["seq"])
        assert answer.status_code == 200
        view = seats[0].view()


def ended(context: BrowserContext, seat: Seat) -> Page:
    context.add_cookies([{"name": f"seat-{seat.table}", "value": seat.token, "url": str(seat.client.base_url)}])
    page = context.new_page()
    page.goto(f"/table/{seat.table}")
    expect(page.locator(".won h1")).to_be_visible()
    settle(page)
    return page


def test_places_are_in_order_and_losers_read_a_kind_line(new_context: New, server: Server) -> None:
    seats = opened(server, 4)
    seats[0].post("start")
    play_out(seats)
    view = seats[0].view()
    page = ended(new_context(), seats[0])
    players = page.locator("#state .players .player")
    listed = [int(seat) for seat in players.evaluate_all("all => all.map((each) => each.dataset.seat)")]
    arrows = [len(view["arrows_won"][seat]) for seat in listed]
    assert listed[0] in view["winners"]
    assert arrows == sorted(arrows, reverse=True)
    lines = players.locator("small").all_inner_texts()
    assert [bool(line) for line in lines] == [seat not in view["winners"] for seat in listed]
    expect(page.locator(".won .mini:not(.empty)")).to_have_count(len(view["arrows_won"][listed[0]]))


def test_the_greatest_illusion_is_guessed_first_and_shared_as_a_picture_with_the_link(
    new_context: New, server: Server
) -> None:
    seats = opened(server, 4)
    seats[0].post("start")
    play_out(seats)
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    page = ended(context, seats[0])
    share = page.locator(".illusion .share")
    expect(share).to_be_hidden()
    with page.expect_download() as download:
        page.locator("[data-do=share-illusion]").click()
    assert download.value.suggested_filename == "illusion.png"
    assert download.value.path().stat().st_size > 10_000
    expect(page.locator("#toast")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{server.url}/table/{seats[0].table}/illusion"
    page.locator("[data-do=show-illusion]").press("Enter")
    expect(share).to_be_visible()
    assert share.inner_text() == f"{seats[0].view()['summary']['worst_illusion']['share']}%"


@pytest.mark.parametrize("size", [SMALL, ViewportSize(width=390, height=844), ViewportSize(width=1440, height=900)])
def test_many_arrows_are_a_figure(new_context: New, server: Server, size: ViewportSize) -> None:
    with server.client() as client:
        made = client.post("/api/tables", json={"name": "Ana", "seats": 2, "variant": "twelve-rounds"}).json()
        sat = client.post(f"/api/tables/{made['table']}/seats", json={"name": "Bartholomäus Weihrauch"}).json()
    seats = [Seat(server, made["table"], each["token"]) for each in (made, sat)]
    seats[0].post("start")
    play_out(seats, until=lambda view: max(len(won) for won in view["arrows_won"]) == 5)
    page = sit_at(new_context(size), seats[0])
    settle(page)
    assert too_wide(page) == 0
    assert "5" in page.locator("#state .tally b").all_inner_texts()
    outside = """(all) => all.filter((each) => {
      const { left, right } = each.getBoundingClientRect();
      const around = each.closest('.player').getBoundingClientRect();
      return left < around.left || right > around.right;
    }).length"""
    assert page.locator("#state .player .won-arrows").evaluate_all(outside) == 0
    play_out(seats)
    page = ended(new_context(size), seats[0])
    assert too_wide(page) == 0
    figures = page.locator("#state .players .tally b").all_inner_texts()
    won = [len(each) for each in seats[0].view()["arrows_won"]]
    assert sorted(map(int, figures)) == sorted(count for count in won if count > 3)
    assert page.locator("#state .player .won-arrows").evaluate_all(outside) == 0
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    settle(page)
    assert too_wide(page) == 0
    assert min(page.locator("#state .who").evaluate_all("all => all.map((each) => each.offsetWidth)")) > 100


@pytest.mark.parametrize("size", [SMALL, ViewportSize(width=390, height=844), ViewportSize(width=1440, height=900)])
def test_a_friend_guesses_the_shared_illusion_before_the_page_knows_its_figure(
    new_context: New, server: Server, size: ViewportSize
) -> None:
    seats = opened(server, 3)
    seats[0].post("start")
    play_out(seats)
    view = seats[0].view()
    shown = view["summary"]["worst_illusion"]
    page = new_context(size).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    answer = page.goto(f"/table/{seats[0].table}/illusion")
    assert answer is not None
    html = answer.text()
    for secret in (view["secret"]["seed"], f'"share":{shown["share"]}', f"{shown['share']}%", '"neighbour"', '"Ana"'):
        assert secret not in html
    assert shown["card"] in html
    button = page.locator("#guessing button")
    expect(button).to_be_disabled()
    expect(page.locator("#after")).to_be_hidden()
    assert not any("/api/" in address for address in asked)
    page.locator("#guess").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#told .share")).to_have_text(f"{shown['share']}%")
    expect(page.locator("#told")).to_contain_text("You said 21%.")
    expect(page.locator("#told")).to_be_focused()
    expect(page.locator("#after a").first).to_be_visible()
    settle(page)
    assert too_wide(page) == 0


def test_there_is_nothing_to_guess_before_the_end(server: Server) -> None:
    running = opened(server, 2)
    path = f"/table/{running[0].table}/illusion"
    assert running[0].client.get(path).status_code == 409
    running[0].post("start")
    assert running[0].client.get(path).status_code == 409
    assert running[0].client.get("/table/nwhere22/illusion").status_code == 404

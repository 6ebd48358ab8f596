"""Games by keyboard alone and by touch at 320 px, what live regions say, the help, and a visible focus."""

import json
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import pytest
from harness.browser.chromium import DESK, PHONE, SMALL, settle, wait_until
from harness.browser.page_checks import focused, hearing, too_small, too_wide
from harness.browser.people import (
    by_keyboard,
    by_touch,
    choose_setting,
    phase,
    play,
    play_now,
    read_the_reveal,
    wait_for_a_turn,
)
from harness.servers import Server
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]


def events_of(server: Server, page: Page, after: int) -> list[dict[str, Any]]:
    """The table's events after a number, from the API."""
    table = page.url.rsplit("/", 1)[1]
    found = []
    with server.client() as client:
        last = client.get(f"/api/tables/{table}").json()["seq"]
        with client.stream("GET", f"/api/tables/{table}/events?after={after}") as stream:
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    found.append(json.loads(line[6:]))
                    if found[-1]["seq"] == last:
                        break
    return found


def in_words(event: dict[str, Any], names: list[str], me: int) -> Iterator[str]:
    """What the live region should say of an event, worked out independently of the page."""
    for each in event["happened"]:
        seat = each.get("seat")
        name, mine = (None, False) if seat is None else (names[seat], seat == me)
        to_play = each.get("to_play")
        turn = "It is your turn." if to_play == me else f"{names[to_play]} is to play." if to_play is not None else ""
        match each["event"]:
            case "card-placed":
                before, gap = event["cards_in_row"] - 1, each["gap"]
                if gap == 0:
                    where = "next to the arrow, before card 1"
                elif gap == before:
                    where = f"at the far end, after card {before}"
                else:
                    where = f"between card {gap} and card {gap + 1}"
                yield f"You place the card {where}." if mine else f"{name} places the card {where}."
                yield turn
            case "row-doubted":
                yield "You do not believe the row." if mine else f"{name} does not believe the row."
                shares = [card["shares"][each["arrow"]] for card in each["row"]]
                told = ", ".join(f"{share}%" for share in shares)
                yield f"The {each['arrow']} in the row, from the arrow on: {told}."
                fall = next((at for at in range(1, len(shares)) if shares[at] < shares[at - 1]), None)
                if fall is None:
                    yield "It never drops: the row is right."
                else:
                    yield f"It drops from card {fall} to card {fall + 1}: the row is wrong."
                    broke = each["broke"]
                    by = "you" if broke["seat"] == me else names[broke["seat"]]
                    yield f"The first mistake: card {broke['card'] + 1}, placed by {by}."
            case "arrow-awarded":
                yield f"You take the {each['arrow']} arrow." if mine else f"{name} takes the {each['arrow']} arrow."
            case "round-started":
                yield f"Round {each['round']}. The arrow is {each['arrow']}."
                yield turn
            case "game-ended":
                winner = each["winners"][0]
                yield f"The game is over. {'You win' if winner == me else names[winner] + ' wins'}."


def test_a_whole_game_by_keyboard_alone_is_told_in_words(new_context: New, server: Server) -> None:
    context = new_context()
    heard = hearing(context)
    page = context.new_page()
    page.goto("/")
    for _ in range(12):
        page.keyboard.press("Tab")
        if focused(page)["id"] == "name":
            break
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    began = wait_for_a_turn(page, keyboard=True)  # what bots did before the page was connected is told at once
    players = page.request.get(page.url.replace("/table/", "/api/tables/")).json()["players"]
    names = [player["name"] for player in players]
    play([page], by_keyboard, keyboard=True)
    read_the_reveal(page, keyboard=True)
    wait_until(page, lambda: heard and heard[-1].startswith("The game is over."))
    expected = [line for event in events_of(server, page, began) for line in in_words(event, names, 0)]
    assert len(expected) > 10
    assert [line for line in heard if line in set(expected)][
        -len(expected) :
    ] == expected  # bots say a line now and then
    assert "You place the card next to the arrow, before card 1." in heard
    page.keyboard.press("Tab")
    assert focused(page)["seen"]


def test_a_whole_game_by_touch_at_320_px_upright_and_on_its_side(new_context: New) -> None:
    """The phone is turned before every move. What can be pressed is looked at both ways."""
    ways = (SMALL, ViewportSize(width=SMALL["height"], height=SMALL["width"]))
    page = new_context(SMALL, touch=True).new_page()
    play_now(page)
    turns = cycle(ways)
    looked: set[bool] = set()

    def look() -> None:
        for way in ways:
            page.set_viewport_size(way)
            settle(page)
            assert too_small(page) == [], way
            assert too_wide(page) == 0, way

    def hands(page: Page, *, doubting: bool) -> None:
        if doubting not in looked:
            looked.add(doubting)
            look()
        page.set_viewport_size(next(turns))
        by_touch(page, doubting=doubting)

    play([page], hands)
    assert phase(page) == "over"
    look()
    read_the_reveal(page)
    look()


TWICE_AS_LARGE = """document.addEventListener('DOMContentLoaded', () => {
  document.documentElement.style.fontSize = '200%';
});"""


def test_a_whole_game_on_a_phone_with_text_twice_as_large(new_context: New) -> None:
    context = new_context(PHONE, touch=True)
    context.add_init_script(TWICE_AS_LARGE)
    page = context.new_page()
    play_now(page)
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    play([page], by_touch)
    assert phase(page) == "over"
    assert too_wide(page) == 0


def test_the_help_lists_the_keys_and_keys_rest_while_somebody_types(new_context: New) -> None:
    page = new_context().new_page()
    page.goto("/")
    page.locator("#name").fill("Ana")
    page.get_by_role("button", name="Open a table").click()
    page.wait_for_url("**/table/*")
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


def test_letter_keys_can_be_switched_off(new_context: New) -> None:
    page = new_context().new_page()
    play_now(page)
    choose_setting(page, "keys", "off")
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 0


@pytest.mark.parametrize("address", ["/", "table"])
def test_the_focus_is_seen_wherever_it_goes(new_context: New, address: str) -> None:
    page = new_context(DESK).new_page()
    page.goto("/")
    if address == "table":
        play_now(page)
    where = []
    for _ in range(24):
        page.keyboard.press("Tab")
        at = focused(page)
        where.append(at["what"])
        assert at["seen"] or at["what"].startswith("<body"), at
    assert len(set(where)) > 8

"""At its first table a device is told what one plays for: three times, each once, and nothing is covered."""

from collections.abc import Callable

import pytest
from harness.browser.chromium import DESK, PHONE, settle
from harness.browser.people import press_tool, read_the_reveal
from harness.servers import Seat, Server
from harness.tables.rows import long_row, seats_at, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]
SMALL = ViewportSize(width=320, height=568)
SIDEWAYS = ViewportSize(width=844, height=390)


_COVERED = """() => {
  const box = document.querySelector('.lesson').getBoundingClientRect();
  return [...document.querySelectorAll('#row .card, .gap:enabled, #doubt, #next img, .player')].filter((each) => {
    const it = each.getBoundingClientRect();
    return it.width && it.left < box.right - 1 && it.right > box.left + 1
      && it.top < box.bottom - 1 && it.bottom > box.top + 1;
  }).map((each) => each.className);
}"""
"""What the bubble lies on."""


def others_move(seats: list[Seat], me: int) -> None:
    """Until it is this seat's turn: they place at the far end."""
    view = seats[0].view()
    while view["to_play"] != me:
        seats[view["to_play"]].place(len(view["row"]), view["seq"])
        view = seats[0].view()


def place(page: Page) -> None:
    cards = page.locator("#row [data-card]").count()
    page.locator(".gap:enabled").first.click()
    page.locator("[data-do=place]").click()
    expect(page.locator("#row [data-card]")).not_to_have_count(cards)


@pytest.mark.parametrize("size", [SMALL, PHONE, SIDEWAYS, DESK], ids=lambda size: f"{size['width']}x{size['height']}")
def test_three_things_are_said_once_and_cover_nothing(new_context: New, server: Server, size: ViewportSize) -> None:
    context = new_context(size, newcomer=True)
    seat = long_row(server, 1, ("Ana", "Bob"))
    seats, me = seats_at(seat), seat.view()["to_play"]
    page = sit_at(context, seat)
    lesson, mine = page.locator(".lesson"), page.locator(".state.mine")

    def said(text: str) -> None:
        expect(mine).to_be_visible()
        expect(lesson).to_contain_text(text)
        settle(page)
        assert page.evaluate(_COVERED) == []

    said(f"Least {seat.view()['arrow']} left")
    place(page)
    expect(lesson).to_have_count(0)
    others_move(seats, me)
    said("Somebody wrong?")
    place(page)
    view = seat.view()
    assert seats[1 - me].doubt(view["seq"]).status_code == 200
    expect(page.locator("#reveal")).to_be_visible()
    read_the_reveal(page)
    expect(page.locator("#row [data-card]")).to_have_count(1)
    others_move(seats, me)
    said("Whoever has 3 of these wins.")
    place(page)
    others_move(seats, me)
    expect(mine).to_be_visible()
    expect(lesson).to_have_count(0)
    page.reload()
    expect(mine).to_be_visible()
    expect(lesson).to_have_count(0)
    press_tool(page, "[data-do=settings]")
    page.locator("[data-do=explain-again]").click()
    expect(page.locator("[data-do=explain-again]")).to_have_text("It will be explained again.")
    page.reload()
    expect(lesson).to_contain_text("Least")


def test_whoever_looks_on_is_told_nothing(new_context: New, server: Server) -> None:
    seat = long_row(server, 2)
    page = new_context(newcomer=True).new_page()
    page.goto(f"{server.url}/table/{seat.table}")
    expect(page.locator("#row")).to_be_visible()
    expect(page.locator(".lesson")).to_have_count(0)

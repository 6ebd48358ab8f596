"""The shared screen: it fills a television, follows the game by itself, and has no controls."""

from collections.abc import Callable

from harness.browser.chromium import PHONE, settle, wait_until
from harness.browser.page_checks import too_wide
from harness.browser.people import cards_in_row, open_table, open_way, read_on
from harness.servers import Seat, Server, opened, play_on
from harness.sweeps import sweep
from harness.tables.rows import lengthen, sit_at
from playwright.sync_api import BrowserContext, Page, expect

New = Callable[..., BrowserContext]
TELEVISION = {"width": 1920, "height": 1080}
LAPTOP = {"width": 1280, "height": 720}
SMALL = {"width": 640, "height": 360}
"""Where things move: every frame is painted without a graphics card."""


def outside(page: Page, what: str) -> list[str]:
    """Elements that are not wholly on the screen."""
    found: list[str] = page.evaluate(
        """(what) => [...document.querySelectorAll(what)].filter((each) => {
          const { left, top, right, bottom, width } = each.getBoundingClientRect();
          return width && (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1);
        }).map((each) => each.outerHTML.slice(0, 80))""",
        what,
    )
    return found


def what_can_be_pressed(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll('button, a, input, select')].filter((each) =>
          each.checkVisibility() && !each.disabled && getComputedStyle(each).pointerEvents !== 'none'
        ).map((each) => each.outerHTML.slice(0, 80))"""
    )
    return found


def boxes(page: Page, what: str) -> list[list[int]]:
    found: list[list[int]] = page.locator(what).evaluate_all(
        """(all) => all.map((each) => each.getBoundingClientRect())
          .map(({ left, top, width }) => [left, top, width].map(Math.round))"""
    )
    return found


def test_a_row_of_fourteen_fits_and_is_turned_over_and_the_screen_goes_on(new_context: New, server: Server) -> None:
    """And nothing can be pressed there. On a television test_whole_row.py looks at it, too."""
    seats = opened(server, 3)
    screens = {size["width"]: new_context(size).new_page() for size in sweep((LAPTOP,), (TELEVISION, LAPTOP))}
    for page in screens.values():
        page.goto(f"/watch/{seats[0].table}")
        expect(page.locator(".join .qr")).to_be_visible()
        expect(page.locator(".join")).to_contain_text(f"{seats[0].table[:4]} {seats[0].table[4:]}")
        expect(page.locator(".join .ask-join")).to_be_visible()
        assert outside(page, "main *, .join *") == []
    seats[0].post("start")
    lengthen(seats, 13)
    for page in screens.values():
        page.reload()  # no need to show how each card is laid
        expect(cards_in_row(page)).to_have_count(13)
    lengthen(seats, 14)
    for width, page in screens.items():
        expect(cards_in_row(page)).to_have_count(14)
        settle(page)
        assert outside(page, ".player, .colour-bar, .card, .turn, .join") == []
        assert too_wide(page) == 0
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        first = cards_in_row(page).first.bounding_box()
        assert first
        assert first["width"] >= width / 16  # as large as fourteen of them can be, and no smaller
        assert what_can_be_pressed(page) == []
    lay = {width: boxes(page, "#row [data-card]") for width, page in screens.items()}
    view = seats[0].view()
    assert seats[view["to_play"]].doubt(view["seq"]).status_code == 200
    for width, page in screens.items():
        expect(page.locator("#reveal")).to_be_visible()
        assert boxes(page, "#reveal .turned .picture img") == lay[width]  # turned over where they lie
        expect(page.locator("#reveal .turned:not(.veiled) .share:visible")).to_have_count(14)
        settle(page)
        assert outside(page, "#reveal .turned, #reveal .verdict, #reveal h2") == []
    for page in screens.values():
        expect(page.locator("#reveal")).to_be_hidden()  # by itself, and the next round is there
        expect(cards_in_row(page)).to_have_count(1)


def test_the_waiting_room_and_the_first_page_lead_to_the_shared_screen(new_context: New, server: Server) -> None:
    context = new_context()
    page = context.new_page()
    open_table(page)
    table = page.url.rsplit("/", 1)[1]
    page.locator("#invite .more > summary").click()
    with context.expect_page() as opening:
        page.get_by_role("link", name="Show on a TV").click()
    expect(opening.value.locator(".join")).to_contain_text(table[:4])
    open_way(page, "code").locator(".more summary").click()
    page.locator("form[action='/watch'] input").fill(f"{table[:4]} {table[4:]}")
    page.get_by_role("button", name="On a TV").click()
    page.wait_for_url(f"**/watch/{table}")
    page.goto(f"{server.url}/watch/nowhere1")
    expect(page.locator("body")).to_contain_text("There is no such table")


def before_the_last_row(server: Server) -> list[Seat]:
    """Two people with two arrows each: whoever takes the next one has won. There are two cards in the row."""
    while True:
        seats = opened(server)
        seats[0].post("start")
        view = seats[0].view()
        while not view["over"]:
            if len(view["row"]) == 2 and [len(won) for won in view["arrows_won"]] == [2, 2]:
                return seats
            view = play_on(seats, 1, row=2)


def test_the_end_is_read_on_a_phone_and_confetti_falls_and_the_screen_comes_along_to_the_rematch(
    new_context: New, server: Server
) -> None:
    seats = before_the_last_row(server)
    phone, other = sit_at(new_context(PHONE), seats[0]), sit_at(new_context(), seats[1])
    page = new_context(SMALL, reduced_motion="no-preference").new_page()
    page.goto(f"/watch/{seats[0].table}")
    expect(cards_in_row(page)).to_have_count(2)
    assert play_on(seats, 1, row=2)["over"]
    expect(other.locator("#reveal[open]")).to_be_visible()
    read_on(phone)
    expect(phone.locator("#banner")).to_contain_text("Still looking")
    header, banner = (phone.locator(each).bounding_box() for each in (".top", "#banner"))
    assert header
    assert banner
    assert banner["y"] > header["y"] + header["height"]  # it covers nothing of the end
    assert banner["y"] + banner["height"] <= PHONE["height"]
    read_on(other)
    pieces = "[...document.querySelectorAll('.confetti > *')]"
    fallen = f"{pieces}.some((each) => each.getBoundingClientRect().top > innerHeight / 2)"
    wait_until(page, lambda: page.evaluate(fallen))
    expect(page.locator(".won h1")).to_be_visible()
    again = seats[0].post("rematch").json()["table"]
    page.wait_for_url(f"**/watch/{again}")

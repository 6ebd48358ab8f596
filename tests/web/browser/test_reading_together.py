"""Who has read a row that was turned over sees who still looks; a shared screen goes on with the last of them."""

from collections.abc import Callable

from harness.browser.chromium import PHONE
from harness.browser.people import cards_in_row, read_on, read_the_reveal
from harness.servers import Seat, Server, opened
from harness.tables.rows import long_row, seats_at, sit_at
from playwright.sync_api import BrowserContext, ViewportSize, expect


def test_it_is_said_who_still_looks_until_all_have_gone_on(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    at_turn = long_row(server, 3)
    others = [seat for seat in seats_at(at_turn) if seat is not at_turn]
    names = [player["name"] for player in at_turn.view()["players"]]
    quick, slow = sit_at(new_context(), at_turn), sit_at(new_context(), others[0])
    screen = new_context(ViewportSize(width=1920, height=1080)).new_page()
    screen.goto(f"/watch/{at_turn.table}")
    expect(cards_in_row(screen)).to_have_count(3)
    at_turn.doubt(at_turn.view()["seq"])
    for page in (quick, slow, screen):
        expect(page.locator("#reveal[open]")).to_be_visible()
    read_the_reveal(quick)
    expect(quick.locator("#banner")).to_have_text(f"Still looking: {names[others[0].view()['you']]}")
    expect(slow.locator("#banner")).to_be_hidden()
    quick.wait_for_timeout(6500)  # longer than the screen shows three cards to nobody
    expect(screen.locator("#reveal[open]")).to_be_visible()
    read_the_reveal(slow)
    expect(quick.locator("#banner")).to_be_hidden()
    expect(screen.locator("#reveal")).to_be_hidden()


def test_on_a_phone_it_covers_nothing_of_the_end_s_header(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    at_turn = long_row(server, 3)
    seats = seats_at(at_turn)
    phone = sit_at(new_context(PHONE), at_turn)
    other = sit_at(new_context(), next(seat for seat in seats if seat is not at_turn))
    view = at_turn.view()
    while not view["over"]:
        seat = seats[view["to_play"]]
        seat.doubt(view["seq"]) if len(view["row"]) > 3 else seat.place(len(view["row"]) // 2, view["seq"])
        view = at_turn.view()
    read_on(phone)
    expect(phone.locator("#banner")).to_contain_text("Still looking")
    expect(other.locator("#reveal[open]")).to_be_visible()
    header, banner = (phone.locator(each).bounding_box() for each in (".top", "#banner"))
    assert header
    assert banner
    assert banner["y"] > header["y"] + header["height"]
    assert banner["y"] + banner["height"] <= PHONE["height"]


def test_what_bots_saw_is_of_the_row_on_the_screen_or_not_said(
    new_context: Callable[..., BrowserContext], server: Server
) -> None:
    """The server knows it of the last row that was turned over, which others may have done meanwhile."""
    people = begun_after_the_bot(server)
    host = next(iter(people.values()))
    page = sit_at(new_context(), host)

    def turn(act: str) -> None:
        view = host.view()
        at_turn, seq = people[view["to_play"]], view["seq"]
        assert (at_turn.doubt(seq) if act == "doubt" else at_turn.place(0, seq)).status_code == 200

    turn("place")
    turn("doubt")
    saw = page.get_by_role("button", name="What did the bots see?")
    saw.click()
    expect(page.locator("#reveal .saw")).to_have_count(2)
    saw.click()
    turn("place")
    turn("doubt")
    saw.click()
    expect(saw).to_be_hidden()
    assert page.locator("#reveal .saw").count() == 0


def begun_after_the_bot(server: Server) -> dict[int, Seat]:
    """Four people by their seats, which are drawn at the start; a bot sits just before whoever begins."""
    while True:
        seats = opened(server, 5, bots=["keen"])
        seats[0].post("start")
        people = {seat.view()["you"]: seat for seat in seats}
        if (seats[0].view()["to_play"] - 1) % 5 not in people:
            return people

"""Who comes late takes a seat or waits for the next game; a host's tools; a rematch that asks; time that is up."""

import re
from collections.abc import Callable

from harness.browser.chromium import PHONE, wait_until
from harness.browser.people import choose_setting, held_seats, press_tool, read_the_reveal
from harness.servers import Seat, Server, opened, play_on
from harness.tables.rows import sit_at
from playwright.sync_api import BrowserContext, Page, expect

New = Callable[..., BrowserContext]


def started(server: Server, people: int, **options: object) -> list[Seat]:
    """By seat; bots have none."""
    seats = opened(server, people, **options)
    assert seats[0].post("start").status_code == 200
    return sorted(seats, key=lambda seat: int(seat.view()["you"]))


def at_the_end(context: BrowserContext, seat: Seat) -> Page:
    context.add_cookies([{"name": f"seat-{seat.table}", "value": seat.token, "url": str(seat.client.base_url)}])
    page = context.new_page()
    page.goto(f"/table/{seat.table}")
    expect(page.locator("#state")).to_have_attribute("data-phase", "over")
    return page


def takes(page: Page, name: str, seat: str) -> None:
    page.locator("#seats input[name=name]").fill(name)
    page.locator(f"#seats button[value='{seat}']").click()


def test_who_opens_the_link_of_a_running_table_plays_at_once_or_next_time(new_context: New, server: Server) -> None:
    host = started(server, 3, bots=["keen", "casual"])[0]
    first, second = new_context(PHONE, touch=True).new_page(), new_context().new_page()
    for page in (first, second):
        page.goto(f"/table/{host.table}")
        expect(page.locator("#seats .open-seat")).to_have_count(2)
    seat = str(host.view()["open_seats"][0])
    takes(first, "Zoe", seat)
    expect(first.locator("#seats")).to_be_hidden()
    assert held_seats(first) == [int(seat)]
    expect(second.locator("#seats .open-seat")).to_have_count(1)  # while they look at it
    second.evaluate("seat => document.querySelector('#seats .open-seat').value = seat", seat)  # a moment too late
    takes(second, "Yan", seat)
    expect(second.locator("#seats .problem")).to_have_text("That seat is taken. Choose another one.")
    expect(second.locator("#seats input[name=name]")).to_have_value(re.compile("Yan|^$"))
    takes(second, "Yan", "next")
    expect(second.locator("#seats")).to_be_hidden()
    assert [each["name"] for each in host.view()["promised"]] == ["Yan"]


def test_a_host_frees_a_seat_asks_somebody_to_leave_and_locks(new_context: New, server: Server) -> None:
    seats = started(server, 3)
    host = next(seat for seat in seats if seat.view()["you"] == seat.view()["host"])
    one, other = (seat for seat in seats if seat is not host)
    page, guest, rude = (sit_at(new_context(), seat) for seat in (host, one, other))
    press_tool(page, "[data-do=seats]")
    people = page.locator("#seats")
    expect(guest.locator("[data-do=seats]")).to_be_hidden()
    people.locator(f"[data-free-seat='{one.view()['you']}']").click()
    expect(guest.locator("#back")).to_be_visible()
    guest.locator("[data-do=come-back]").click()
    expect(guest.locator("#back")).to_be_hidden()
    people.locator(f"[data-send-away='{other.view()['you']}']").click()
    expect(page.locator("#also-lock")).to_be_checked()
    page.locator("#ask-send-away [value=yes]").click()
    expect(rude.locator(".problem")).to_have_text("The host has asked you to leave this table. You can watch.")
    assert held_seats(rude) == []
    expect(page.locator("[data-do=lock]")).to_have_text("Unlock the table")
    rude.reload()
    expect(rude.locator("#seats[open]")).to_have_count(0)
    fresh = new_context().new_page()
    fresh.goto(f"/table/{host.table}")
    expect(fresh.locator("#state.playing")).to_be_visible()
    expect(fresh.locator("#seats[open]")).to_have_count(0)
    page.locator("[data-do=lock]").click()
    expect(fresh.locator("[data-do=seats]")).to_be_visible()


def test_a_rematch_asks_and_takes_nobody_from_the_page(new_context: New, server: Server) -> None:
    seats = started(server, 2)
    play_on(seats, row=3)
    ana, bob = (at_the_end(new_context(), seat) for seat in seats)
    stranger = new_context().new_page()
    stranger.goto(ana.url)
    bob.locator("[data-do=show-illusion]").click()
    end = bob.url
    name = ana.evaluate("JSON.parse(document.querySelector('#page').textContent).view.players[0].name")
    ana.locator("#rematch").click()
    ana.wait_for_url(lambda url: url != end)
    expect(ana.locator(".chair:not(.free)")).to_have_count(1)
    expect(ana.locator(".chair.free")).to_have_count(3)  # of five, and one is kept
    expect(ana.locator("#state")).to_contain_text("Seats are kept for Bob.")
    expect(ana.locator("#invite")).to_be_visible()
    expect(bob.locator("#another-game")).to_contain_text(f"{name} wants another game.")
    expect(stranger.locator("#another-game")).to_contain_text("Just watch")
    assert bob.url == end
    expect(bob.locator(".illusion.shown")).to_be_visible()  # as it was
    bob.locator("#another-game a").click()
    bob.wait_for_url(ana.url)
    assert held_seats(bob) == [1]
    for _ in range(3):
        at = f"/api/tables/{ana.url.rsplit('/', 1)[1]}/bots"
        assert seats[0].client.post(at, json={"level": "keen"}).status_code == 201
    expect(ana.locator("#invite")).to_be_hidden()  # a full table invites nobody


def test_time_runs_out(new_context: New, server: Server) -> None:
    """The last seconds are told, and then that it was not oneself who placed the card."""
    seats = started(server, 2, clock=20)
    late = next(seat for seat in seats if seat.view()["you"] == seat.view()["to_play"])
    other = next(seat for seat in seats if seat is not late)
    page, onlooker = sit_at(new_context(), late), sit_at(new_context(), other)
    expect(page.locator("#state.hurry")).to_be_visible()
    assert page.locator("#state .clock").count() == 1
    expect(onlooker.locator("#state.hurry")).to_have_count(0)
    expect(page.locator("#toast")).to_have_text("Time! A card was placed for you.")
    expect(onlooker.locator("#toast")).to_have_text(re.compile(r"^Time! A card was placed for \w+\.$"))
    expect(page.locator("#state.hurry")).to_have_count(0)


def test_a_page_loaded_again_while_a_row_is_read_shows_it_again(new_context: New, server: Server) -> None:
    seats = started(server, 2)
    play_on(seats, 1)
    mover = next(seat for seat in seats if seat.view()["you"] == seat.view()["to_play"])
    reader = sit_at(new_context(), next(seat for seat in seats if seat is not mover))
    watching = sit_at(new_context(), mover)
    mover.doubt(mover.view()["seq"])
    expect(reader.locator("#reveal[open]")).to_be_visible()
    expect(watching.locator("#reveal[open]")).to_be_visible()
    read_the_reveal(watching)
    reader.reload()
    expect(reader.locator("#reveal[open]")).to_be_visible()
    expect(watching.locator("#banner")).to_contain_text("Still looking")
    read_the_reveal(reader)
    expect(watching.locator("#banner")).to_be_hidden()
    wait_until(reader, lambda: reader.evaluate("sessionStorage.length") == 0)
    reader.reload()
    expect(reader.locator("#state.playing")).to_be_visible()
    reader.wait_for_timeout(500)
    expect(reader.locator("#reveal[open]")).to_have_count(0)


def test_who_looked_on_in_the_waiting_room_is_offered_a_seat_when_the_cards_are_dealt(
    new_context: New, server: Server
) -> None:
    host = opened(server, 3, bots=["keen"])[0]
    page = new_context().new_page()
    page.goto(f"/table/{host.table}")
    expect(page.locator(".problem")).to_contain_text("All seats at this table are taken.")
    choose_setting(page, "palette", "texture")
    assert host.post("start").status_code == 200
    expect(page.locator("#seats[open] .open-seat")).to_have_count(1)
    page.locator("[data-do=close-seats]").click()
    expect(page.locator("#row [data-card]").first).to_be_visible()
    press_tool(page, "[data-do=seats]")
    expect(page.locator("#seats[open] .open-seat")).to_have_count(1)

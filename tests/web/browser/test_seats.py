"""Seats: the waiting room, which is the invitation; who comes late; a host's tools; a rematch that asks; faces."""

import re
from collections.abc import Callable
from pathlib import Path

from harness.browser.chromium import DESK, PHONE, settle, wait_until
from harness.browser.people import (
    at_one_device,
    choose_setting,
    held_seats,
    open_way,
    press_tool,
    read_the_reveal,
)
from harness.servers import Seat, Server, opened, play_on
from harness.tables.rows import long_row, sit_at
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from illusion.rules import Colour
from illusion.web.pictures import sample_deck

New = Callable[..., BrowserContext]
TELEVISION = ViewportSize(width=1920, height=1080)


def in_sight(page: Page, *parts: str) -> list[str]:
    """Of these parts, those that are whole on the first screen."""
    size = page.viewport_size
    assert size

    def is_whole(part: str) -> bool:
        box = page.locator(part).first.bounding_box()
        return box is not None and min(box["x"], box["y"]) >= 0 and box["y"] + box["height"] <= size["height"]

    return [part for part in parts if is_whole(part)]


def test_the_waiting_room_is_an_invitation_on_a_phone_and_a_television(new_context: New) -> None:
    """The phone's first screen asks for the name; a free seat offers to share, and the host a bot of a level."""
    invitation = ("#invite .code b", "#invite .qr-box svg", "#invite [data-do=share]", ".chair")
    page = new_context(PHONE).new_page()
    open_way(page, "friends").locator("button").click()
    page.wait_for_url("**/table/*")
    expect(page.locator(".chair.me")).to_contain_text("Guest")
    assert in_sight(page, *invitation) == list(invitation)
    page.locator(".sit [name=name]").fill("Łukasz")
    page.locator(".sit button").click()
    expect(page.locator(".chair.me")).to_contain_text("Łukasz")
    expect(page.locator(".chair.me")).to_contain_text("host")
    expect(page.locator(".sit")).to_have_count(0)
    assert in_sight(page, *invitation, "#start") == [*invitation, "#start"]
    cards_lie_as_the_rules_would_have_them(page)
    guest = new_context(PHONE).new_page()
    guest.goto(page.url)
    expect(guest.locator(".chair.free .fill").first).to_be_disabled()
    guest.locator("form.sit [name=name]").fill("Bob")
    guest.locator("form.sit button").click()
    guest.locator(".chair.free .fill").first.click()
    expect(guest.locator("#fill [data-do=share]")).to_be_visible()
    expect(guest.locator("#bot-levels")).to_be_hidden()
    page.locator("#arrange > summary").click()
    page.locator(".chair.free .fill").first.click()
    page.locator("[data-add-bot=sharp]").click()
    expect(page.locator("#fill")).to_be_hidden()
    expect(page.locator(".chair:not(.free)")).to_have_count(3)
    expect(page.locator(".chair").nth(2)).to_contain_text("bot, sharp")
    expect(page.locator("#arrange select").first).to_be_visible()  # what was opened stays open
    page.locator("#arrange [name=clock]").select_option("45")
    expect(guest.locator(".lead")).to_contain_text("45 seconds")
    page.set_viewport_size(TELEVISION)
    page.goto(page.url.replace("/table/", "/watch/"))
    expect(page.locator(".chair")).to_have_count(4)
    settle(page)
    parts = (".poster b", ".poster .fan img", ".join .qr-box svg", ".join .code b", ".how-to li", ".chair:last-child")
    assert in_sight(page, *parts) == list(parts)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for button in page.locator(".fill").all():
        expect(button).to_be_disabled()
    page.goto("/")
    expect(page.locator("#name")).to_have_value("Łukasz")


def cards_lie_as_the_rules_would_have_them(page: Page) -> None:
    """In the pictures that show how to play."""
    pictures = page.locator(".how-to .pic")
    expect(pictures).to_have_count(3)
    shown: list[list[str]] = pictures.evaluate_all(
        "all => all.map((each) => [...each.querySelectorAll('img')].map((img) => img.src))"
    )
    numbers = [[int(re.findall(r"/(\d+)\.", address)[-1]) for address in row] for row in shown]
    shares = [[sample_deck()[number - 1].shares[Colour.GREEN] for number in row] for row in numbers]
    assert shares[0] == sorted(shares[0])
    *row, laid = shares[1]
    assert row == sorted(row)
    assert row[1] < laid < row[2]
    told = [int(text.rstrip("%")) for text in pictures.nth(2).locator("b").all_inner_texts()]
    assert shares[2] == told
    assert told[0] < told[1] > told[2]


def started(server: Server, people: int, **options: object) -> list[Seat]:
    """By seat; bots have none."""
    seats = opened(server, people, **options)
    assert seats[0].post("start").status_code == 200
    return sorted(seats, key=lambda seat: int(seat.view()["you"]))


def takes(page: Page, name: str, seat: str) -> None:
    page.locator("#seats input[name=name]").fill(name)
    page.locator(f"#seats button[value='{seat}']").click()


def test_who_looked_on_or_comes_by_the_link_of_a_running_table_plays_at_once_or_next_time(
    new_context: New, server: Server
) -> None:
    host = opened(server, 3, bots=["keen", "casual"])[0]
    first, second = new_context(PHONE, touch=True).new_page(), new_context().new_page()
    first.goto(f"/table/{host.table}")
    expect(first.locator(".problem")).to_contain_text("All seats at this table are taken.")
    choose_setting(first, "palette", "texture")
    assert host.post("start").status_code == 200
    second.goto(first.url)
    for page in (first, second):
        expect(page.locator("#seats[open] .open-seat")).to_have_count(2)
    first.locator("[data-do=close-seats]").click()
    expect(first.locator("#row [data-card]").first).to_be_visible()
    press_tool(first, "[data-do=seats]")
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


def at_the_end(context: BrowserContext, seat: Seat) -> Page:
    context.add_cookies([{"name": f"seat-{seat.table}", "value": seat.token, "url": str(seat.client.base_url)}])
    page = context.new_page()
    page.goto(f"/table/{seat.table}")
    expect(page.locator("#state")).to_have_attribute("data-phase", "over")
    return page


def test_a_rematch_asks_and_takes_nobody_from_the_page(new_context: New, server: Server) -> None:
    seats = started(server, 2)
    name = play_on(seats, row=3)["players"][0]["name"]
    ana, bob = (at_the_end(new_context(), seat) for seat in seats)
    stranger = new_context().new_page()
    stranger.goto(ana.url)
    bob.locator("[data-do=show-illusion]").click()
    end = bob.url
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
    page = sit_at(new_context(PHONE), next(seat for seat in seats if seat.view()["you"] == seat.view()["to_play"]))
    expect(page.locator("#state.hurry")).to_be_visible()
    assert page.locator("#state .clock").count() == 1
    expect(page.locator("#toast")).to_have_text("Time! A card was placed for you.")
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


_CHIPS = """() => [...document.querySelectorAll('.player')].map((chip) => {
  const box = chip.getBoundingClientRect();
  const inside = (part) => {
    const it = part.getBoundingClientRect();
    return it.width > 0 && it.left >= box.left - 1 && it.right <= box.right + 1
      && it.top >= box.top - 1 && it.bottom <= box.bottom + 1;
  };
  const face = chip.querySelector('.bot-face, .person-face');
  return {
    face: face.getBoundingClientRect().width,
    inside: [face, chip.querySelector('.name'), ...chip.querySelectorAll('.mini')].every(inside),
    slots: chip.querySelectorAll('.mini').length,
    name: chip.querySelector('.name').getBoundingClientRect().width,
  };
})"""


def test_five_faces_of_32_pixels_with_their_names_and_arrows_on_every_screen(new_context: New, server: Server) -> None:
    names = ("Ana", "Bartholomäus Weihrauch", "Cleo", "Dora", "Brzęczyszczykiewicz")
    page = sit_at(new_context(), long_row(server, 3, names))
    for width, height in ((1440, 900), (1024, 768), (768, 1024), (844, 390), (390, 844), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        for chip in page.evaluate(_CHIPS):
            assert chip["face"] >= 32
            assert chip["inside"], (width, chip)
            assert chip["slots"] == 3
            assert chip["name"] >= 18
    page.locator(".player").nth(1).click(position={"x": 10, "y": 10})
    expect(page.locator("#toast")).to_contain_text("Bartholomäus Weihrauch")


def test_a_bot_looks_at_the_next_card_while_it_thinks(new_context: New, tmp_path: Path) -> None:
    server = Server(tmp_path, "--bot-seconds", "600")
    try:
        host, *_ = opened(server, 2, bots=["eagle-eye"])
        host.post("start")
        page = sit_at(new_context(DESK, base=server.url), host, server.url)
        face = page.locator("#state .player .bot-face")
        if host.view()["to_play"] == 0:
            expect(face).to_have_attribute("src", re.compile(r"/faces/eagle-eye/\w+\.svg$"))
            page.locator(".gap:enabled").first.click()
            page.locator("[data-do=place]").click()
            expect(page.locator("#row .new .owner")).to_contain_text("You")
        expect(face).to_have_attribute("src", re.compile(r"\?mood=looks$"))
        wait_until(page, lambda: face.evaluate("(image) => image.complete && image.naturalWidth > 0"))
    finally:
        server.stop()


def test_reactions_are_answered_by_a_bot_and_not_offered_at_one_device(new_context: New, server: Server) -> None:
    page = sit_at(new_context(), started(server, 2, bots=["keen"])[0])
    page.locator("main > .reactions [data-react=laugh]").click()
    expect(page.locator(".player.me .says")).to_have_count(1)
    expect(page.locator(".player:not(.me) .says")).to_have_count(1)
    at_one_device(page, "Ana", "Bob")
    expect(page.locator("#row")).to_be_visible()
    expect(page.locator(".reactions")).to_have_count(0)

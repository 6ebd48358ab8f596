"""A club evening in browsers: the host's page, a phone, and the wall, each of which follows by itself."""

import re
from collections.abc import Callable
from typing import NamedTuple

import httpx
import pytest
from harness.browser.chromium import settle
from harness.browser.page_checks import accessibility_problems, too_wide
from harness.browser.people import held_seats
from harness.servers import Seat, Server, play_on
from playwright.sync_api import BrowserContext, Page, expect

New = Callable[..., BrowserContext]
HOST, PHONE, TELEVISION = ({"width": w, "height": h} for w, h in ((1440, 900), (390, 844), (1920, 1080)))
NAMES = ["Ada", "Benjamin", "Cleo", "Susanne-Marie-Charlotte", "Eve", "Fay", "W" * 24]


def cut_off(page: Page) -> list[str]:
    """What does not fit on the wall, which nobody can scroll."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('main *')].filter((each) => {
          const { right, bottom, width } = each.getBoundingClientRect();
          return width && (right > innerWidth + 1 || bottom > innerHeight + 1);
        }).map((each) => each.outerHTML.slice(0, 80))"""
    )
    return found


def token_of(context: BrowserContext, evening: str) -> str:
    found = [cookie["value"] for cookie in context.cookies() if cookie["name"] == f"seat-evening-{evening}"]
    return found[0]


class Club(NamedTuple):
    """Three screens of an evening where eight people are, Zoë among them on her phone."""

    host: Page
    phone: Page
    wall: Page
    client: httpx.Client
    at: str
    tokens: list[str]

    def play(self, server: Server) -> None:
        for table in self.client.get(self.at).json()["rounds"][-1]:
            play_on([Seat(server, table["table"], self.tokens[each["person"]]) for each in table["people"]])

    def look_right(self) -> None:
        for page in (self.host, self.phone, self.wall):
            settle(page)
            assert accessibility_problems(page) == []
            assert too_wide(page) == 0
        assert cut_off(self.wall) == []


@pytest.fixture
def club(new_context: New, server: Server) -> Club:
    host, phone, wall = (new_context(size).new_page() for size in (HOST, PHONE, TELEVISION))
    host.goto("/")
    host.locator("#way-friends > summary").click()
    host.locator('a[href="/evening"]').click()
    assert accessibility_problems(host) == []
    host.locator("main input[name=name]").fill("Tuesday <b>at the club")
    host.locator("main .primary").click()
    expect(host.locator("#draw")).to_be_disabled()
    evening = host.url[-8:]
    wall.goto(f"{host.url}/wall")
    expect(wall.locator(".qr")).to_be_visible()
    phone.goto(host.url)
    assert phone.title().startswith("Tuesday <b>")
    phone.locator("main input[name=name]").fill("Zoë")
    phone.locator("main .primary").click()
    expect(phone.locator("#yours")).to_contain_text("Wait for the next draw")
    client, at = server.client(), f"/api/evenings/{evening}"
    tokens = [token_of(phone.context, evening)]
    tokens += [client.post(f"{at}/people", json={"name": name}).json()["token"] for name in NAMES]
    for page in (host, phone, wall):
        expect(page.locator("#present, #shown")).to_contain_text("Benjamin")
        expect(page.locator("#present, #shown")).to_contain_text("W" * 24)
    return Club(host, phone, wall, client, at, tokens)


def test_what_somebody_ticks_stays_ticked_who_leaves_and_who_is_not_let_in(club: Club, new_context: New) -> None:
    host, phone, wall, *_ = club
    club.look_right()
    club.host.locator("#person-4").check()
    club.client.post(f"{club.at}/people", json={"name": "Late"})
    expect(club.host.locator("#present")).to_contain_text("Late")
    expect(club.host.locator("#person-4")).to_be_checked()
    club.host.locator("#person-4").uncheck()
    club.host.locator("#person-8").check()
    club.host.get_by_role("button", name="Take off the list").click()
    expect(club.host.locator("#present")).not_to_contain_text("Late")
    phone.locator(".leave button").click()
    expect(phone.locator("#yours")).to_contain_text("You are marked as away.")
    expect(host.locator("#host")).to_contain_text("7 people are here.")
    host.get_by_role("button", name="Close the door").click()
    expect(wall.locator(".qr")).to_be_hidden()
    stranger = new_context(PHONE).new_page()
    stranger.goto(host.url)
    expect(stranger.locator("#yours")).to_contain_text("The door is closed.")


def test_a_round_on_three_screens(club: Club, server: Server) -> None:
    host, phone, wall, *_ = club
    host.locator("#draw").click()
    expect(phone.locator(".your-table")).to_contain_text(re.compile("Your table: [12]"))
    expect(wall.locator(".tables > li")).to_have_count(2)
    phone.locator("#sit").click()
    expect(phone.locator("#state")).to_have_attribute("data-phase", "playing")
    assert held_seats(phone) != []
    expect(phone.locator(".to-evening")).to_be_hidden()
    club.play(server)
    phone.reload()  # past all the rows that were turned over
    expect(phone.locator(".to-evening a")).to_be_visible()
    expect(phone.locator("#rematch")).to_be_hidden()  # the next table is drawn
    phone.locator(".to-evening a").click()
    expect(phone.locator(".your-table .result")).to_contain_text("points")
    expect(phone.locator("#standings tr.me")).to_contain_text("Zoë")
    expect(host.locator("#standings tbody tr")).to_have_count(8)
    expect(wall.locator(".ranks li")).to_have_count(8)
    expect(host.locator("#draw")).to_be_enabled()
    club.look_right()
    with host.expect_download() as download:
        host.locator('a[href$="standings.csv"]').click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    assert text.splitlines()[0] == "place,name,points,games,rating"
    assert len(text.splitlines()) == 9


def test_forty_people_fit_on_the_wall(new_context: New, server: Server) -> None:
    client = server.client()
    made = client.post("/api/evenings", json={"name": "Forty at the club"}).json()
    at, host = f"/api/evenings/{made['evening']}", {"authorization": f"Bearer {made['token']}"}
    names = [NAMES[n % len(NAMES)] for n in range(40)]
    tokens = [client.post(f"{at}/people", json={"name": name}).json()["token"] for name in names]
    wall = new_context(TELEVISION).new_page()
    wall.goto(f"/evening/{made['evening']}/wall")
    assert cut_off(wall) == []
    client.post(f"{at}/rounds", json={"round": 1}, headers=host)
    for table in client.get(at).json()["rounds"][0]:
        play_on([Seat(server, table["table"], tokens[each["person"]]) for each in table["people"]])
    client.post(f"{at}/people", json={"name": "Late"})
    expect(wall.locator(".ranks li")).to_have_count(40)
    expect(wall.locator(".late")).to_contain_text("Late")
    settle(wall)
    assert cut_off(wall) == []
    for size in ({"width": 1280, "height": 720}, {"width": 3840, "height": 2160}):
        wall.set_viewport_size(size)  # type: ignore[arg-type]
        settle(wall)
        assert cut_off(wall) == []

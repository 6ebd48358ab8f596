"""A club evening in browsers: the host's page, a phone, and the wall, each of which follows by itself."""

import re
from collections.abc import Callable

import httpx
from harness.browser.chromium import settle
from harness.browser.page_checks import accessibility_problems, too_wide
from harness.browser.people import held_seats
from harness.servers import Seat, Server, play_on
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

New = Callable[..., BrowserContext]
HOST, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=390, height=844)
TELEVISIONS = tuple(ViewportSize(width=w, height=h) for w, h in ((1920, 1080), (1280, 720), (3840, 2160)))
NAMES = ["Ada", "Benjamin", "Cleo", "Susanne-Marie-Charlotte", "Eve", "Fay", "W" * 24]


def cut_off(page: Page) -> list[str]:
    """What does not fit on the wall, which nobody can scroll."""
    settle(page)
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('main *')].filter((each) => {
          const { right, bottom, width } = each.getBoundingClientRect();
          return width && (right > innerWidth + 1 || bottom > innerHeight + 1);
        }).map((each) => each.outerHTML.slice(0, 80))"""
    )
    return found


def play(server: Server, at: str, tokens: list[str]) -> None:
    """All tables of the last round, to the end."""
    for table in server.client().get(at).json()["rounds"][-1]:
        play_on([Seat(server, table["table"], tokens[each["person"]]) for each in table["people"]], row=2)


def gathered(client: httpx.Client, host: Page, phone: Page, wall: Page) -> tuple[str, list[str]]:
    """Eight people come, Zoë by her phone. The evening's address for programs, and the people's tokens."""
    host.goto("/")
    host.locator("#way-friends > summary").click()
    host.locator('a[href="/evening"]').click()
    host.locator("main input[name=name]").fill("Tuesday <b>at the club")
    host.locator("main .primary").click()
    expect(host.locator("#draw")).to_be_disabled()
    wall.goto(f"{host.url}/wall")
    expect(wall.locator(".qr")).to_be_visible()
    phone.goto(host.url)
    assert phone.title().startswith("Tuesday <b>")
    phone.locator("main input[name=name]").fill("Zoë")
    phone.locator("main .primary").click()
    expect(phone.locator("#yours")).to_contain_text("Wait for the next draw")
    at = host.url.replace("/evening/", "/api/evenings/")
    tokens = [cookie["value"] for cookie in phone.context.cookies() if cookie["name"].startswith("seat-evening-")]
    tokens += [client.post(f"{at}/people", json={"name": name}).json()["token"] for name in NAMES]
    for page in (host, phone, wall):
        expect(page.locator("#present, #shown")).to_contain_text("Benjamin")
        expect(page.locator("#present, #shown")).to_contain_text("W" * 24)
    return at, tokens


def test_an_evening_on_three_screens(new_context: New, server: Server) -> None:
    host, phone, wall = (new_context(size).new_page() for size in (HOST, PHONE, TELEVISIONS[0]))
    client = server.client()
    at, tokens = gathered(client, host, phone, wall)
    host.locator("#person-4").check()
    client.post(f"{at}/people", json={"name": "Late"})
    expect(host.locator("#present")).to_contain_text("Late")
    expect(host.locator("#person-4")).to_be_checked()  # what somebody ticks stays ticked
    host.locator("#person-4").uncheck()
    host.locator("#person-8").check()
    host.get_by_role("button", name="Take off the list").click()
    expect(host.locator("#present")).not_to_contain_text("Late")
    phone.locator(".leave button").click()
    expect(phone.locator("#yours")).to_contain_text("You are marked as away.")
    expect(host.locator("#host")).to_contain_text("7 people are here.")
    phone.locator(".leave .primary").click()
    expect(host.locator("#host")).to_contain_text("8 people are here.")

    host.locator("#draw").click()
    expect(phone.locator(".your-table")).to_contain_text(re.compile("Your table: [12]"))
    expect(wall.locator(".tables > li")).to_have_count(2)
    phone.locator("#sit").click()
    expect(phone.locator("#state")).to_have_attribute("data-phase", "playing")
    assert held_seats(phone) != []
    expect(phone.locator(".to-evening")).to_be_hidden()
    table = phone.url
    phone.goto("/hello")  # so that no row is turned over there
    play(server, at, tokens)
    phone.goto(table)
    expect(phone.locator(".to-evening a")).to_be_visible()
    expect(phone.locator("#rematch")).to_be_hidden()  # the next table is drawn
    phone.locator(".to-evening a").click()
    expect(phone.locator(".your-table .result")).to_contain_text("points")
    expect(phone.locator("#standings tr.me")).to_contain_text("Zoë")
    expect(host.locator("#standings tbody tr")).to_have_count(8)
    expect(wall.locator(".ranks li")).to_have_count(8)
    expect(host.locator("#draw")).to_be_enabled()
    for page in (phone, wall):  # with standings, which are not on the tour
        settle(page)
        assert too_wide(page) == 0
        assert accessibility_problems(page) == []
    with host.expect_download() as download:
        host.locator('a[href$="standings.csv"]').click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    assert text.splitlines()[0] == "place,name,points,games,rating"
    assert len(text.splitlines()) == 9
    host.get_by_role("button", name="Close the door").click()
    expect(wall.locator(".qr")).to_be_hidden()
    stranger = new_context(PHONE).new_page()
    stranger.goto(host.url)
    expect(stranger.locator("#yours")).to_contain_text("The door is closed.")


def test_forty_people_fit_on_the_wall(new_context: New, server: Server) -> None:
    client = server.client()
    made = client.post("/api/evenings", json={"name": "Forty at the club"}).json()
    at, host = f"/api/evenings/{made['evening']}", {"authorization": f"Bearer {made['token']}"}
    names = [NAMES[n % len(NAMES)] for n in range(40)]
    tokens = [client.post(f"{at}/people", json={"name": name}).json()["token"] for name in names]
    wall = new_context(TELEVISIONS[0]).new_page()
    wall.goto(f"/evening/{made['evening']}/wall")
    assert cut_off(wall) == []
    client.post(f"{at}/rounds", json={"round": 1}, headers=host)
    play(server, at, tokens)
    client.post(f"{at}/people", json={"name": "Late"})
    expect(wall.locator(".ranks li")).to_have_count(40)
    expect(wall.locator(".late")).to_contain_text("Late")
    for size in TELEVISIONS:
        wall.set_viewport_size(size)
        assert cut_off(wall) == []

"""A setting is applied at once, remembered by the device, and has no effect on other players."""

import gzip
import re
from collections.abc import Callable

import pytest
from harness.browsers import DESK, PHONE, settle
from harness.page_checks import too_faint, too_small
from harness.people import by_mouse, choose_setting, invited, play, play_now, read_the_reveal
from harness.servers import Server
from playwright.sync_api import BrowserContext, Page, expect

from illusion.deck import PALETTES
from illusion.rules import Colour
from illusion.web.reader.settings import CHOICES

New = Callable[..., BrowserContext]


def pictures(page: Page) -> list[str]:
    """The addresses of all pictures on the page, including those in templates."""
    found: list[str] = page.evaluate(
        """() => {
          const all = (root) => [...root.querySelectorAll('img')].map((image) => image.getAttribute('src'))
            .concat(...[...root.querySelectorAll('template')].map((holder) => all(holder.content)));
          return all(document);
        }"""
    )
    return found


def test_a_palette_is_seen_at_once_and_kept_through_a_game_and_nobody_else_sees_it(new_context: New) -> None:
    one, other = new_context(), new_context()
    asked: list[str] = []
    pages = invited([one, other])
    one.on("request", lambda request: asked.append(request.url) if ".svg" in request.url else None)
    choose_setting(pages[0], "palette", "texture")
    assert {address.partition("?")[2] for address in pictures(pages[0])} == {"palette=texture"}
    asked.clear()
    play(pages, by_mouse)
    for page in pages:
        read_the_reveal(page)
    assert {address.partition("?")[2] for address in pictures(pages[0])} == {"palette=texture"}
    assert {address.partition("?")[2] for address in pictures(pages[1])} == {""}
    cards = [address for address in asked if "/cards/" in address]
    assert len(cards) > 10
    assert all(address.endswith("?palette=texture") for address in cards)  # none was ever fetched in another palette
    pages[0].goto("/")
    assert {address.partition("?")[2] for address in pictures(pages[0])} == {"palette=texture"}
    pages[1].goto("/")
    assert {address.partition("?")[2] for address in pictures(pages[1])} == {""}


@pytest.mark.parametrize("palette", PALETTES)
def test_arrows_and_symbols_wear_the_colours_of_the_cards(new_context: New, palette: str) -> None:
    context = new_context()
    page = context.new_page()
    page.goto("/")
    choose_setting(page, "palette", palette)
    for colour in Colour:
        paint = page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{colour}')")
        assert paint.strip() == PALETTES[palette][colour]
    settle(page)
    fill = page.evaluate("getComputedStyle(document.querySelector('.brand .red')).fill")
    assert ("url" in fill) == PALETTES[palette].texture
    shown = page.locator("#settings img").get_attribute("src") or ""
    page.locator("[data-do=settings]").click()
    expect(page.locator("#settings img")).to_be_visible()
    drawn = page.request.get(shown).text()
    assert all(PALETTES[palette][colour] in drawn for colour in Colour)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_theme_is_seen_at_once_and_kept_and_every_text_is_legible(new_context: New, scheme: str) -> None:
    """Chosen by a device whose system prefers the other one. Contrast at all other stops is checked on the tour."""
    page = new_context(color_scheme="dark" if scheme == "light" else "light").new_page()
    page.goto("/")
    choose_setting(page, "theme", scheme)
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme
        assert too_faint(page) == []
        page.locator("[data-do=settings]").click()
        assert too_faint(page) == []
        assert too_small(page) == []
        page.keyboard.press("Escape")
    play_now(page)
    for address in (page.url, page.url.replace("/table/", "/watch/")):
        page.goto(address)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme
        assert too_faint(page) == []


def test_large_cards_are_larger(new_context: New) -> None:
    page = new_context().new_page()
    play_now(page)
    before = page.locator(".row .look").first.bounding_box()
    choose_setting(page, "cards", "large")
    settle(page)
    after = page.locator(".row .look").first.bounding_box()
    assert before
    assert after
    assert after["width"] >= before["width"] * 1.25
    page.reload()
    again = page.locator(".row .look").first.bounding_box()
    assert again
    assert again["width"] == after["width"]


@pytest.mark.parametrize("how", ["setting", "system"])
def test_little_motion_means_none(new_context: New, how: str) -> None:
    """With animations the reveal turns card after card; without, everything is there at once and nothing moves."""
    context = new_context(reduced_motion="reduce" if how == "system" else "no-preference")
    page = context.new_page()
    page.goto("/")
    if how == "setting":
        choose_setting(page, "motion", "reduced")
    form = page.locator("form[action='/pass-and-play']")
    for at, name in enumerate(("Ana", "Bob")):
        form.locator("input[name=name]").nth(at).fill(name)
    form.locator("button").first.click()
    page.wait_for_url("**/table/*")
    transitions = page.evaluate("window.moved = 0; document.startViewTransition = () => { window.moved += 1; }; 1")
    assert transitions == 1
    by_mouse(page, doubting=False)
    expect(page.locator("ol.row .look img.card")).to_have_count(2)
    assert page.evaluate("window.moved") == 0
    by_mouse(page, doubting=True)
    expect(page.locator("#reveal")).to_be_visible()
    assert page.locator("#reveal .turned.shows-back").count() == 2
    assert page.locator("#reveal .veiled, #reveal .waits").count() == 0
    running = page.evaluate(
        "document.getAnimations().filter((each) => each.playState === 'running')"
        ".map((each) => each.effect.getComputedTiming().duration).filter((ms) => ms > 1)"
    )
    assert running == []


def test_the_language_can_be_chosen_among_the_settings(new_context: New) -> None:
    page = new_context(PHONE).new_page()
    play_now(page)
    page.locator("[data-do=settings]").click()
    page.locator("#settings").get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#state")).to_have_attribute("data-phase", "playing")  # the same table, at once


def test_the_name_is_remembered(new_context: New) -> None:
    page = new_context().new_page()
    page.goto("/")
    page.locator("[data-do=settings]").click()
    page.locator("#own-name").fill("Zoë & Łukasz")
    page.locator("#settings .buttons button").click()
    assert page.locator("#name").input_value() == "Zoë & Łukasz"
    page.reload()
    assert page.locator("#name").input_value() == "Zoë & Łukasz"
    assert page.locator("#own-name").input_value() == "Zoë & Łukasz"


@pytest.mark.parametrize(
    "cookie", ["", "palette=pink&theme", "%%%", "palette=texture&palette=" + "x" * 3000, "theme=dark"]
)
def test_a_cookie_that_cannot_be_read_is_no_choice(server: Server, cookie: str) -> None:
    html = server.client().get("/", headers={"cookie": f"settings={cookie}"}).text
    for name, possible in CHOICES.items():
        found = re.search(f'<html[^>]* data-{name}="([^"]*)"', html)
        assert found
        expected = "dark" if (name, cookie) == ("theme", "theme=dark") else possible[0]
        assert found.group(1) == expected


@pytest.mark.parametrize("address", ["/", "/table/"])
def test_a_first_visit_weighs_at_most_60_kb_without_pictures(server: Server, address: str) -> None:
    with server.client() as client:
        if address != "/":
            made = client.post("/api/tables", json={"name": "Ana", "seats": 2, "bots": ["keen"]}).json()
            client.post(f"/api/tables/{made['table']}/start")
            address += made["table"]
        html = client.get(address).text
        parts = set(re.findall(r'(?:href|src)="(/static/[^"]+\.(?:js|css))"', html))
        assert len(parts) >= 6
        weight = len(gzip.compress(html.encode())) + sum(len(gzip.compress(client.get(part).content)) for part in parts)
    assert weight <= 60_000


ANNOUNCED = "[...document.querySelectorAll('link[rel=modulepreload], script')].map((x) => x.href || x.src)"


def test_every_script_that_a_page_loads_is_announced_to_the_browser(new_context: New) -> None:
    """Otherwise the browser finds imported scripts one after another, each with a round trip to the server."""
    context = new_context()
    loaded: set[str] = set()
    context.on("request", lambda request: loaded.add(request.url) if request.url.endswith(".js") else None)
    page = context.new_page()
    page.goto("/")
    named = set(page.evaluate(ANNOUNCED))
    play_now(page)
    named |= set(page.evaluate(ANNOUNCED))
    for address in (page.url.replace("/table/", "/watch/"), "/tutorial"):
        page.goto(address)
        named |= set(page.evaluate(ANNOUNCED))
    assert len(loaded) > 10
    assert loaded <= named

"""A setting is applied at once, remembered by the device, and has no effect on other players."""

from collections.abc import Callable

import pytest
from harness.browser.chromium import PHONE, settle
from harness.browser.people import by_mouse, cards_in_row, choose_setting, press_tool
from harness.servers import Server
from harness.tables.rows import long_row, seats_at, sit_at
from playwright.sync_api import BrowserContext, Page, expect

from illusion.deck import PALETTES
from illusion.deck.svg import style
from illusion.rules import Colour

New = Callable[..., BrowserContext]


SHOWN = """async () => Promise.all([...document.querySelectorAll('img:is([data-picture], [src*="/sample/"])')]
  .filter((image) => image.checkVisibility()).map(async (image) => (await fetch(image.src)).text()))"""
"""What the pictures of cards on the page are, as they are shown."""


def palettes_seen(page: Page) -> set[str]:
    """In which palettes the cards on the page are."""
    expect(page.locator("img[data-picture]:not([src])")).to_have_count(0)
    drawn: list[str] = page.evaluate(SHOWN)
    assert drawn
    sheets = {name: style(palette) for name, palette in PALETTES.items()}
    return {next(name for name, sheet in sheets.items() if sheet in each) for each in drawn}


def test_a_palette_is_seen_at_once_and_kept_and_nobody_else_sees_it(new_context: New, server: Server) -> None:
    at_turn = long_row(server, 1, ("Ana", "Bob"))
    waits = next(seat for seat in seats_at(at_turn) if seat is not at_turn)
    pages = [sit_at(new_context(bypass_csp=True), seat) for seat in (at_turn, waits)]  # we may read what is shown
    choose_setting(pages[0], "palette", "texture")
    assert [palettes_seen(page) for page in pages] == [{"texture"}, {"standard"}]
    for doubting in (False, True):
        by_mouse(pages[doubting], doubting=doubting)
        for page in pages:
            expect(page.locator("#reveal[open]")).to_have_count(int(doubting))
            expect(cards_in_row(page)).to_have_count(2)
        assert [palettes_seen(page) for page in pages] == [{"texture"}, {"standard"}]
    for page in pages:
        page.goto("/")
    assert [palettes_seen(page) for page in pages] == [{"texture"}, {"standard"}]


def test_arrows_and_symbols_wear_the_colours_of_the_cards_and_a_theme_is_seen_at_once_and_kept(
    new_context: New, server: Server
) -> None:
    """In one palette after the other, chosen on the same page. What a theme looks like is checked on the tour."""
    page = new_context().new_page()
    page.goto("/")
    for name, palette in PALETTES.items():
        choose_setting(page, "palette", name)
        for colour in Colour:
            paint = page.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{colour}')")
            assert paint.strip() == palette[colour], name
        settle(page)
        fill = page.evaluate("getComputedStyle(document.querySelector('.brand .red')).fill")
        assert ("url" in fill) == palette.texture, name
        shown = page.locator("#settings img").get_attribute("src") or ""
        page.locator("[data-do=settings]").click()
        expect(page.locator("#settings img")).to_be_visible()
        drawn = page.request.get(shown).text()
        assert all(palette[colour] in drawn for colour in Colour), name
        page.keyboard.press("Escape")
        expect(page.locator("#settings")).to_be_hidden()
    table = long_row(server, 1).table
    for system, chosen in (("dark", "light"), ("light", "dark")):
        page.emulate_media(color_scheme=system)  # type: ignore[arg-type]
        page.goto("/")
        choose_setting(page, "theme", chosen)
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == chosen
    for address in (f"/table/{table}", f"/watch/{table}"):
        page.goto(address)
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


COUNT_GLIDES = """() => {
  const { animate } = Element.prototype;
  window.glides = 0;
  Element.prototype.animate = function (...given) {
    window.glides += 1;
    return animate.apply(this, given);
  };
}"""


@pytest.mark.parametrize("how", ["setting", "system"])
def test_little_motion_means_none(new_context: New, server: Server, how: str) -> None:
    """With animations the reveal turns card after card; without, everything is there at once and nothing moves."""
    seat = long_row(server, 6, ("Ana", "Bob"))  # a row that is right by chance has nothing to put in order
    page = sit_at(new_context(reduced_motion="reduce" if how == "system" else "no-preference"), seat)
    if how == "setting":
        choose_setting(page, "motion", "reduced")
    page.evaluate(COUNT_GLIDES)
    by_mouse(page, doubting=False)
    expect(cards_in_row(page)).to_have_count(7)
    doubter = next(each for each in seats_at(seat) if each is not seat)
    assert doubter.doubt(doubter.view()["seq"]).status_code == 200
    expect(page.locator("#reveal")).to_be_visible()
    assert page.locator("#reveal .share:visible").count() == 7
    assert page.locator("#reveal .veiled, #reveal .waits").count() == 0
    page.locator("[data-do=right-order]").click()
    assert page.evaluate("window.glides") == 0
    running = page.evaluate(
        "document.getAnimations().filter((each) => each.playState === 'running')"
        ".map((each) => each.effect.getComputedTiming().duration).filter((ms) => ms > 1)"
    )
    assert running == []


_HEAR_SOUNDS = """
window.states = [];
window.tones = 0;
window.AudioContext = class extends AudioContext {
  constructor() {
    super();
    this.addEventListener('statechange', () => window.states.push(this.state));
  }
  createOscillator() {
    window.tones += 1;
    return super.createOscillator();
  }
};
"""


def test_sounds_are_heard_after_the_first_gesture_and_in_between_nothing_runs(new_context: New, server: Server) -> None:
    """A sound that has ended lets the device rest, and the next one is heard all the same."""
    context = new_context()
    context.add_init_script(_HEAR_SOUNDS)
    seat = long_row(server, 2)
    page = sit_at(context, seat)
    page.locator(".colour-bar").click()
    page.wait_for_function("window.states.at(-1) === 'suspended'")
    for cards in (3, 4):
        tones, states = page.evaluate("[window.tones, window.states.length]")
        view = seat.view()
        assert seats_at(seat)[view["to_play"]].place(0, view["seq"]).status_code == 200
        expect(cards_in_row(page)).to_have_count(cards)
        page.wait_for_function(
            """([tones, states]) => window.tones > tones
            && window.states.slice(states).includes('running') && window.states.at(-1) === 'suspended'""",
            arg=[tones, states],
        )


def test_the_name_is_remembered_and_the_language_chosen_among_the_settings(new_context: New, server: Server) -> None:
    page = new_context(PHONE).new_page()
    page.goto("/")
    page.locator("[data-do=settings]").click()
    page.locator("#own-name").fill("Zoë & Łukasz")
    with page.expect_response("**/settings"):  # from then on other pages have it, too
        page.locator("#settings .buttons button").click()
    assert page.locator("#name").input_value() == "Zoë & Łukasz"
    page.reload()
    assert page.locator("#name").input_value() == "Zoë & Łukasz"
    assert page.locator("#own-name").input_value() == "Zoë & Łukasz"
    page.goto(f"/table/{long_row(server, 1).table}")
    press_tool(page, "[data-do=settings]")
    page.locator("#settings").get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#state")).to_have_attribute("data-phase", "playing")  # the same table, at once

"""Players in a browser: how they open or join a table, move by mouse, touch or keyboard, and play to the end."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from playwright.sync_api import BrowserContext, Locator, Page, expect


def phase(page: Page) -> str:
    return page.locator("#state").get_attribute("data-phase") or ""


def cards_in_row(page: Page) -> Locator:
    return page.locator("#row [data-card]")


def held_seats(page: Page) -> list[int]:
    """The seats of this device, as the server told its page."""
    held: list[int] = page.evaluate("JSON.parse(document.querySelector('#page').textContent).held")
    return held


class Glance(NamedTuple):
    """What a player sees of the table, in one question to the browser: games ask often."""

    phase: str
    my_turn: bool
    reveal: bool
    """A row is turned over, and waits to be read."""

    @classmethod
    def at(cls, page: Page) -> "Glance":
        return cls(*page.evaluate(_GLANCE))


_GLANCE = """() => [
  document.querySelector('#state')?.dataset.phase ?? '',
  Boolean(document.querySelector('.gap:enabled, #doubt:enabled')),
  Boolean(document.querySelector('#reveal[open]')),
]"""


def by_mouse(page: Page, *, doubting: bool) -> None:
    if doubting:
        page.locator("#doubt").click()
        page.locator("#ask-doubt button[value=yes]").click()
    else:
        page.locator(".gap:enabled").first.click()
        page.locator(".confirm [data-do=place]").click()


def by_touch(page: Page, *, doubting: bool) -> None:
    if doubting:
        page.locator("#doubt").tap()
        page.locator("#ask-doubt button[value=yes]").tap()
    else:
        page.locator(".gap:enabled").first.tap()
        page.locator(".confirm [data-do=place]").tap()


def by_keyboard(page: Page, *, doubting: bool) -> None:
    if doubting:
        page.keyboard.press("d")
        expect(page.locator("#ask-doubt")).to_be_visible()
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")


Hands = Callable[..., None]
NAMES = ("Ana", "Bob", "Cleo", "Dora")
GAME_TIMEOUT_S = 300
"""Many times what a game takes on any machine."""


def read_the_reveal(page: Page, *, keyboard: bool = False) -> None:
    if page.locator("#reveal[open]").count():
        if keyboard:
            page.keyboard.press("Escape")
        else:
            page.locator("#reveal [data-do=go-on]").click()


def is_up_to_date(page: Page) -> bool:
    """Whether no dialog is in the way, and the page shows the table as it is.

    When a reveal has been read, the row that was turned over stays until all pictures of the next one are there.
    """
    shown = page.evaluate(
        "document.querySelector('dialog[open]') ? -1 : Number(document.querySelector('#state').dataset.seq)"
    )
    table = _api(page)
    return bool(page.request.get(table).json()["seq"] == shown)


def _api(page: Page) -> str:
    """The page's table, for programs."""
    return page.url.replace("/table/", "/api/tables/")


_MOVED_OR_REVEALED = """(before) => document.querySelector('#state').dataset.seq !== before
  || document.querySelector('#reveal[open]')"""
"""A doubted row is turned over first; the table goes on when that has been read."""


def move_on(page: Page, hands: Hands, longest_row: int) -> None:
    """Make a move, and wait until the page shows it, or turns over the row that somebody doubted."""
    before = page.locator("#state").get_attribute("data-seq") or ""
    hands(page, doubting=cards_in_row(page).count() >= longest_row)
    page.wait_for_function(_MOVED_OR_REVEALED, arg=before)


def play(
    pages: list[Page], hands: Hands, *, keyboard: bool = False, watching: Sequence[Page] = (), longest_row: int = 3
) -> None:
    """Everybody moves in their turn: place a card, or doubt a row that is long. `watching` pages only close reveals."""
    deadline = time.monotonic() + GAME_TIMEOUT_S
    while time.monotonic() < deadline:
        glances = {page: Glance.at(page) for page in (*pages, *watching)}
        if all(glances[page].phase == "over" for page in pages):
            return
        for page, glance in glances.items():
            if glance.reveal:
                read_the_reveal(page, keyboard=keyboard and page in pages)
            elif glance.my_turn and page in pages and is_up_to_date(page):
                move_on(page, hands, longest_row)
        pages[0].wait_for_timeout(60)
    raise AssertionError(f"the game does not end: {[phase(page) for page in pages]}")


def read_on(page: Page) -> None:
    """Close one reveal after another until the page shows the end of the game."""
    deadline = time.monotonic() + GAME_TIMEOUT_S
    while phase(page) != "over":
        assert time.monotonic() < deadline, "the end of the game is not shown"
        read_the_reveal(page)
        page.wait_for_timeout(30)
    read_the_reveal(page)


def open_way(page: Page, way: str) -> Locator:
    """One of the home page's four ways to a table: alone, friends, device, code."""
    page.goto("./")
    page.locator(f"#way-{way} > summary").click()
    return page.locator(f"#way-{way}")


def open_table(page: Page, name: str = "Ana") -> None:
    """A table for friends, which waits for them."""
    way = open_way(page, "friends")
    way.locator("[name=name]").fill(name)
    way.locator("button").click()
    page.wait_for_url("**/table/*")


def play_now(page: Page) -> None:
    """Start a game against bots and wait for the person's first turn: from then on nothing happens by itself."""
    page.goto("./")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/*")
    wait_for_a_turn(page)
    page.evaluate("sessionStorage.clear()")  # or a reveal of a bot's doubt would be shown again
    page.goto(page.url)


def wait_for_a_turn(page: Page, *, keyboard: bool = False) -> int:
    """Until it is the person's turn, or the game is over; returns the number of the table's last entry."""
    table = _api(page)
    while (view := page.request.get(table).json())["to_play"] != view["you"] and not view["over"]:
        read_the_reveal(page, keyboard=keyboard)  # bots play on once it has been read
        page.wait_for_timeout(20)
    seq: int = view["seq"]
    return seq


def at_one_device(page: Page, *names: str) -> None:
    """These people play on, passing the device around."""
    form = open_way(page, "device")
    for at, name in enumerate(names):
        form.locator("input[name=name]").nth(at).fill(name)
    form.locator("button").click()
    page.wait_for_url("**/table/*")


def invited(contexts: list[BrowserContext], names: Sequence[str] = NAMES) -> list[Page]:
    """The first one opens a table, the others join by its address, and the first one starts the game."""
    pages = seated(contexts, names)
    pages[0].locator("#start").click()
    for page in pages:
        expect(page.locator("#state")).to_have_attribute("data-phase", "playing")
    return pages


def seated(contexts: list[BrowserContext], names: Sequence[str] = NAMES) -> list[Page]:
    """The first one opens a table, and the others join by its address."""
    host = contexts[0].new_page()
    open_table(host, names[0])
    pages = [host]
    for context, name in zip(contexts[1:], names[1:], strict=False):
        page = context.new_page()
        page.goto(host.url)
        page.locator("form.sit input[name=name]").fill(name)
        page.locator("form.sit button").click()
        page.wait_for_url("**/table/*")
        pages.append(page)
    for page in pages:
        expect(page.locator(".chair:not(.free)")).to_have_count(len(contexts))
    return pages


def press_tool(page: Page, what: str) -> None:
    """Press something of the page's head; during a game it is in a menu on small screens."""
    if not page.locator(what).is_visible():
        page.locator("[data-do=menu]").click()
    page.locator(what).click()


def choose_setting(page: Page, name: str, value: str) -> None:
    press_tool(page, "[data-do=settings]")
    choice = page.locator(f"#settings [name={name}][value={value}]")
    if not choice.is_checked():
        with page.expect_response("**/settings"):  # from then on other pages have it, too
            page.locator("#settings label", has=page.locator(f"[name={name}][value={value}]")).click()
    expect(choice).to_be_checked()
    page.locator("#settings .buttons button").click()
    expect(page.locator("#settings")).to_be_hidden()

"""People at tables in the browser: how they come, how they move, and how they play to the end."""

import re
from collections.abc import Callable, Sequence

from playwright.sync_api import BrowserContext, Page, expect


def phase(page: Page) -> str:
    return page.locator("#state").get_attribute("data-phase") or ""


def my_turn(page: Page) -> bool:
    return page.locator(".gap:enabled").count() > 0 or page.locator("#doubt:enabled").count() > 0


def by_mouse(page: Page, *, doubting: bool) -> None:
    if doubting:
        page.locator("#doubt").click()
        page.locator("#ask-doubt button[value=yes]").click()
    else:
        page.locator(".gap:enabled").first.click()
        page.locator(".confirm [data-do=place]:visible, .gap.chosen:enabled, .gap[aria-pressed=true]").first.click()


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


def read_the_reveal(page: Page, *, keyboard: bool = False) -> None:
    if page.locator("#reveal[open]").count():
        if keyboard:
            page.keyboard.press("Escape")
        else:
            page.locator("#reveal .buttons button:visible").last.click()


def is_quiet(page: Page) -> bool:
    """Nothing is in the way. A row that is turned over comes into view a moment after the state that follows it."""
    page.wait_for_timeout(60)
    return not page.locator("dialog[open]").count()


def move_on(page: Page, hands: Hands) -> None:
    """Move; once more if a row was turned over between two keys, so that the second one only put that away."""
    before = page.locator("#state").get_attribute("data-seq")
    for last in (False, True):
        hands(page, doubting=page.locator("ol.row .look img.card").count() > 3)
        try:
            expect(page.locator("#state")).not_to_have_attribute("data-seq", before or "")
        except AssertionError:
            if last:
                raise
            read_the_reveal(page)
        else:
            return


def play(
    pages: list[Page], hands: Hands, *, keyboard: bool = False, watching: Sequence[Page] = (), turns: int = 400
) -> None:
    """Everybody moves when it is their turn: place, and doubt rows of four. Who watches only reads the reveals."""
    for _ in range(turns):
        for page in watching:
            read_the_reveal(page)
        for page in pages:
            read_the_reveal(page, keyboard=keyboard)
            if phase(page) == "over":
                continue
            if my_turn(page) and is_quiet(page):
                move_on(page, hands)
        if all(phase(page) == "over" for page in pages):
            return
        pages[0].wait_for_timeout(30)
    raise AssertionError(f"the game does not end: {[phase(page) for page in pages]}")


def play_now(page: Page, name: str = "Ana") -> None:
    """Against bots, up to the first turn of the person: then nothing happens by itself, and no row is turned over."""
    page.goto("/")
    page.locator("input[name=name]").first.fill(name)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/*")
    table = f"/api/tables/{page.url.rsplit('/', 1)[1]}"
    while (view := page.request.get(table).json())["to_play"] != view["you"] and not view["over"]:
        page.wait_for_timeout(20)
    page.goto(page.url)  # without the reveals that the bots may have had


def invited(contexts: list[BrowserContext]) -> list[Page]:
    """The first one opens a table, the others come by its address, the host starts."""
    host = contexts[0].new_page()
    host.goto("/")
    host.locator("input[name=name]").first.fill("Ana")
    host.get_by_role("button", name=re.compile("Open a table|Invite")).first.click()
    host.wait_for_url("**/table/*")
    pages = [host]
    for context, name in zip(contexts[1:], ("Bob", "Cleo", "Dora"), strict=False):
        page = context.new_page()
        page.goto(host.url)
        page.locator("form.sit input[name=name]").fill(name)
        page.locator("form.sit button").click()
        page.wait_for_url("**/table/*")
        pages.append(page)
    expect(host.locator(".chair:not(.free)")).to_have_count(len(contexts))
    host.locator("#start").click()
    for page in pages:
        expect(page.locator("#state")).to_have_attribute("data-phase", "playing")
    return pages


def choose_setting(page: Page, name: str, value: str) -> None:
    page.locator("[data-do=settings]").click()
    page.locator("#settings label", has=page.locator(f"[name={name}][value={value}]")).click()
    expect(page.locator(f"#settings [name={name}][value={value}]")).to_be_checked()
    page.locator("#settings .buttons button").click()
    expect(page.locator("#settings")).to_be_hidden()

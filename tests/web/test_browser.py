"""Whole games in a real Chromium: by mouse, by touch, by keyboard alone, by four people, and through trouble."""

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.web.servers import Server

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert found, "the browser tests need Chromium: sh tools/browser"
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
        running = playwright.chromium.launch(executable_path=found, args=flags)
        yield running
        running.close()


@pytest.fixture
def new_context(browser: Browser, server: Server) -> Iterator[Callable[..., BrowserContext]]:
    """Contexts of people who sit at different devices; whatever goes wrong on their pages fails the test."""
    made: list[BrowserContext] = []
    wrong: list[str] = []

    def new(size: dict[str, int] = DESK, *, base: str = server.url, touch: bool = False) -> BrowserContext:
        context = browser.new_context(
            base_url=base,
            viewport=size,  # type: ignore[arg-type]
            has_touch=touch,
            reduced_motion="reduce",
        )
        context.on("weberror", lambda error: wrong.append(str(error.error)))
        context.set_default_timeout(15_000)
        made.append(context)
        return context

    yield new
    for context in made:
        context.close()
    assert wrong == []


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
            if my_turn(page) and not page.locator("dialog[open]").count():
                before = page.locator("#state").get_attribute("data-seq")
                hands(page, doubting=page.locator("ol.row img.card").count() > 3)
                expect(page.locator("#state")).not_to_have_attribute("data-seq", before or "")
        if all(phase(page) == "over" for page in pages):
            return
        pages[0].wait_for_timeout(30)
    raise AssertionError(f"the game does not end: {[phase(page) for page in pages]}")


def play_now(page: Page, name: str = "Ana") -> None:
    page.goto("/")
    page.locator("input[name=name]").first.fill(name)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/*")


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


def test_a_whole_game_by_mouse_against_three_bots_and_a_rematch(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    play_now(page)
    play([page], by_mouse)
    expect(page.locator("#state")).to_contain_text(re.compile("won|win", re.IGNORECASE))
    read_the_reveal(page)
    first = page.url
    page.locator("#rematch").click()
    page.wait_for_url(lambda url: url != first and "/table/" in url)
    expect(page.locator("#state")).to_have_attribute("data-phase", "waiting")


def test_a_whole_game_by_touch_on_a_phone(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(PHONE, touch=True).new_page()
    play_now(page)
    play([page], by_touch)


def test_a_whole_game_by_keyboard_alone(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto("/")
    page.locator("input[name=name]").first.focus()
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    play([page], by_keyboard, keyboard=True)


def test_four_people_in_four_browsers(new_context: Callable[..., BrowserContext]) -> None:
    pages = invited([new_context() for _ in range(4)])
    play(pages, by_mouse)
    winners = {page.locator("#state .won, #state .winner").first.inner_text() for page in pages}
    assert winners


def test_pass_and_play_at_one_device(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto("/")
    form = page.locator("form[action='/pass-and-play']")
    for at, name in enumerate(("Ana", "Bob", "Cleo")):
        form.locator("input[name=name]").nth(at).fill(name)
    form.locator("button").first.click()
    page.wait_for_url("**/table/*")
    assert page.locator("#table").get_attribute("data-held") == "0,1,2"
    play([page], by_mouse)


def test_a_reload_in_mid_turn_and_a_closed_browser_give_the_same_seat_back(
    new_context: Callable[..., BrowserContext],
) -> None:
    one, other = new_context(), new_context()
    pages = invited([one, other])
    for page in pages:
        page.reload()
    assert [page.locator("#table").get_attribute("data-held") for page in pages] == ["0", "1"]
    pages[0].close()
    pages[0] = one.new_page()
    pages[0].goto(pages[1].url)
    assert pages[0].locator("#table").get_attribute("data-held") == "0"
    play(pages, by_mouse)


def test_two_tabs_of_one_seat_stay_together(new_context: Callable[..., BrowserContext]) -> None:
    one, other = new_context(), new_context()
    pages = invited([one, other])
    second = one.new_page()
    second.goto(pages[0].url)
    pages[0].bring_to_front()  # a tab in the background is slowed down by the browser
    play(pages, by_mouse, watching=[second])
    read_the_reveal(second)
    expect(second.locator("#state")).to_have_attribute("data-phase", "over")


def test_the_page_recovers_by_itself_when_the_server_is_killed(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    server = Server(tmp_path)
    try:
        contexts = [new_context(base=server.url) for _ in range(2)]
        pages = invited(contexts)
        server.kill()
        expect(pages[0].locator("#banner")).to_be_visible()
        server.start()
        expect(pages[0].locator("#banner")).to_be_hidden()
        play(pages, by_mouse)
    finally:
        server.stop()


def test_a_spectator_sees_the_game_and_has_no_controls(new_context: Callable[..., BrowserContext]) -> None:
    pages = invited([new_context(), new_context()])
    spectator = new_context().new_page()
    spectator.goto(pages[0].url)
    expect(spectator.locator("#state")).to_have_attribute("data-phase", "playing")
    assert spectator.locator(".gap:enabled, #doubt:enabled").count() == 0
    play(pages, by_mouse, watching=[spectator])
    read_the_reveal(spectator)
    expect(spectator.locator("#state")).to_have_attribute("data-phase", "over")


def test_bad_input_gets_a_sentence_on_the_page(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto("/watch?code=nowhere1")
    expect(page.locator("body")).to_contain_text("There is no such table")
    page.goto("/table/nowhere1")
    expect(page.locator("body")).to_contain_text("There is no such table")
    page.goto("/nothing")
    expect(page.locator("body")).to_contain_text("There is nothing at this address")


def test_two_people_play_at_a_club_whose_server_has_several_processes(
    new_context: Callable[..., BrowserContext], club: Server
) -> None:
    play(invited([new_context(base=club.url), new_context(PHONE, base=club.url, touch=True)]), by_mouse)

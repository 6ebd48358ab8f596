"""Two players at one table, each in their own language; switching the language at the table."""

import re
from collections.abc import Callable

from harness.browser.people import cards_in_row
from playwright.sync_api import BrowserContext, Page, expect


def sit_down(contexts: list[BrowserContext]) -> list[Page]:
    """The first one opens a table, the others join, and the first one starts the game."""
    host = contexts[0].new_page()
    host.goto("/")
    host.locator("#name").fill("Babcia")
    host.locator("[formaction='/invite']").click()
    host.wait_for_url("**/table/*")
    pages = [host]
    for context in contexts[1:]:
        page = context.new_page()
        page.goto(host.url)
        page.locator("form.sit input[name=name]").fill("Zoé")
        page.locator("form.sit button").click()
        page.wait_for_url("**/table/*")
        pages.append(page)
    expect(host.locator(".chair:not(.free)")).to_have_count(len(pages))
    host.locator("#start").click()
    for page in pages:
        expect(page.locator("#state")).to_have_attribute("data-phase", "playing")
    return pages


def at_turn(pages: list[Page]) -> Page:
    return next(page for page in pages if page.locator(".gap:enabled").count())


def place(pages: list[Page]) -> None:
    """The player whose turn it is lays a card, and all pages show it."""
    before = cards_in_row(pages[0]).count()
    mover = at_turn(pages)
    mover.locator(".gap:enabled").first.click()
    mover.locator(".confirm [data-do=place]").click()
    for page in pages:
        expect(cards_in_row(page)).to_have_count(before + 1)


def test_two_players_at_one_table_read_two_languages(new_context: Callable[..., BrowserContext]) -> None:
    babcia, zoe = pages = sit_down([new_context(locale="pl-PL"), new_context(locale="fr-FR")])
    place(pages)
    expect(babcia.locator("#doubt")).to_have_text("Wątpię")
    expect(zoe.locator("#doubt")).to_have_text("J’en doute")  # noqa: RUF001
    told = {
        babcia: (r"dokłada kartę i\szgadza się z\skolejnością", r"Od twojego ruchu:\s*Zoé\s*1"),
        zoe: (r"a posé une carte et pense que la série est juste", r"Depuis ton coup\s:\s*Babcia\s*1"),
    }
    for _ in range(2):  # each of them has laid one, and waits for the other
        for page, (placed, since) in told.items():
            expect(page.locator(".happened")).to_have_text(re.compile(since if page == at_turn(pages) else placed))
        place(pages)
    expect(babcia.locator(".facts")).to_contain_text("Zostało kart: 94")
    doubter = at_turn(pages)
    doubter.locator("#doubt").click()
    doubter.locator("#ask-doubt button[value=yes]").click()
    expect(babcia.locator("#reveal .verdict")).to_have_text(
        re.compile("wątpi(sz)? słusznie|nigdzie nie spada", re.IGNORECASE)
    )
    expect(zoe.locator("#reveal .verdict")).to_have_text(re.compile("a(s)? raison de douter|ne baisse jamais"))


def test_the_language_is_switched_at_the_table_at_once_and_remembered(
    new_context: Callable[..., BrowserContext],
) -> None:
    babcia, zoe = sit_down([new_context(), new_context()])
    table = babcia.url
    expect(babcia.locator("#doubt")).to_have_text("I don’t believe it")  # noqa: RUF001
    babcia.get_by_role("button", name="Language: English").click()
    babcia.get_by_role("button", name="Polski").click()
    expect(babcia.locator("#doubt")).to_have_text("Wątpię")
    assert babcia.url == table
    expect(babcia.locator("html")).to_have_attribute("lang", "pl")
    place([babcia, zoe])  # the seat is still hers, and the stream speaks Polish now
    expect(babcia.locator(".happened")).to_have_text(re.compile(r"zgadza się z\skolejnością|Od twojego ruchu"))
    expect(zoe.locator(".happened")).to_have_text(re.compile("believes the row|Since your turn"))
    later = babcia.context.new_page()
    later.goto("/")
    expect(later.locator("h1")).to_have_text("Czy możesz uwierzyć swoim oczom?")


def test_the_switcher_works_by_keyboard(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto("/api/docs")
    page.get_by_role("button", name="Language: English").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Deutsch")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Deutsch")).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Deutsch")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url.endswith("/api/docs")

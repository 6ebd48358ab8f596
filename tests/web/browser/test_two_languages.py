"""Two players at one table, each in their own language; switching the language at the table."""

import re
from collections.abc import Callable

from harness.browser.people import by_mouse, cards_in_row, invited
from playwright.sync_api import BrowserContext, Page, expect

NAMES = ("Babcia", "Zoé")


def at_turn(pages: list[Page]) -> Page:
    return next(page for page in pages if page.locator(".gap:enabled").count())


def place(pages: list[Page]) -> None:
    """The player whose turn it is lays a card, and all pages show it."""
    before = cards_in_row(pages[0]).count()
    by_mouse(at_turn(pages), doubting=False)
    for page in pages:
        expect(cards_in_row(page)).to_have_count(before + 1)


def test_two_players_at_one_table_read_two_languages(new_context: Callable[..., BrowserContext]) -> None:
    babcia, zoe = pages = invited([new_context(locale="pl-PL"), new_context(locale="fr-FR")], NAMES)
    place(pages)
    expect(babcia.locator("#doubt")).to_have_text("Wątpię")
    expect(zoe.locator("#doubt")).to_have_text("J’en doute")  # noqa: RUF001
    told = {
        babcia: (r"Dokładasz kartę i\szgadzasz się z\skolejnością", r"Od twojego ruchu:\s*Zoé\s*1"),
        zoe: ("Tu as posé une carte et penses que la série est juste", r"Depuis ton coup\s:\s*Babcia\s*1"),
    }
    for _ in range(2):  # each of them has laid one, and waits for the other
        for page, (placed, since) in told.items():
            expect(page.locator(".happened")).to_have_text(re.compile(since if page == at_turn(pages) else placed))
        place(pages)
    expect(babcia.locator(".facts")).to_contain_text("Zostało kart: 94")
    by_mouse(at_turn(pages), doubting=True)
    expect(babcia.locator("#reveal .verdict")).to_have_text(
        re.compile("wątpi(sz)? słusznie|nigdzie nie spada", re.IGNORECASE)
    )
    expect(zoe.locator("#reveal .verdict")).to_have_text(re.compile("a(s)? raison de douter|ne baisse jamais"))


def test_the_language_is_switched_at_the_table_at_once_and_remembered(
    new_context: Callable[..., BrowserContext],
) -> None:
    babcia, zoe = invited([new_context(), new_context()], NAMES)
    table = babcia.url
    expect(babcia.locator("#doubt")).to_have_text("I don’t believe it")  # noqa: RUF001
    babcia.get_by_role("button", name="Language: English").click()
    babcia.get_by_role("button", name="Polski").click()
    expect(babcia.locator("#doubt")).to_have_text("Wątpię")
    assert babcia.url == table
    expect(babcia.locator("html")).to_have_attribute("lang", "pl")
    place([babcia, zoe])  # the seat is still hers, and the stream speaks Polish now
    expect(babcia.locator(".happened")).to_have_text(re.compile(r"zgadzasz? się z\skolejnością|Od twojego ruchu"))
    expect(zoe.locator(".happened")).to_have_text(re.compile("believes? the row|Since your turn"))
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

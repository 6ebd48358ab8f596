"""No page in any state shows a text that no translator has seen: in a real browser, in a language of brackets."""

import re
from collections.abc import Callable
from pathlib import Path

from harness.pseudo_language import PSEUDO, TEXTS, serving, unmarked
from harness.tour import tour
from playwright.sync_api import BrowserContext, Page

NAMES = ["Illusion", "API", "Ana", "Bob", "Łukasz", "Maximiliane Wagenknecht", "abcd 2345"]
"""The game's, those of people, and an example of a code."""


def allowed(page: Page) -> re.Pattern[str]:
    """Names, first letters of names, numbers of rules, the table's code, figures by which a deal can be checked."""
    table = page.locator("#table")
    names = [*NAMES, *page.locator(".who b").all_inner_texts()]
    if table.count():
        code = table.get_attribute("data-table") or ""
        names += [code, f"{code[:4]} {code[4:]}"]
    return re.compile("|".join([*map(re.escape, names), r"\b[0-9a-f]{16,}\b", r"^\w$", r"^R\d(\.\d)?$"]))


def complaints(name: str, page: Page) -> list[str]:
    spoken = page.locator("html").get_attribute("lang")
    wrong = [] if spoken == PSEUDO.code else [f"{name} is in {spoken}"]
    known = allowed(page)
    return wrong + [f"{name}: {text}" for text in page.evaluate(TEXTS) if unmarked(text, known)]


def test_every_text_of_every_page_is_marked(new_context: Callable[..., BrowserContext], tmp_path: Path) -> None:
    made: list[BrowserContext] = []
    with serving(tmp_path, {PSEUDO.code: PSEUDO}) as url:

        def new() -> BrowserContext:
            made.append(new_context(base=url, locale=PSEUDO.code))
            return made[-1]

        found = [told for name, page in tour(new) for told in complaints(name, page)]
        page = new().new_page()
        for address in ("/language", "/api/tables/nowhere1"):
            page.goto(address)
            found += [f"{address}: {told}" for told in page.locator("p.lead, pre").all_inner_texts() if "⟦" not in told]
        for context in made:
            context.close()
    assert not found, "\n".join(dict.fromkeys(found))


def test_an_unmarked_text_would_be_found() -> None:
    known = re.compile("Ana|Illusion")
    for text in ("Play now", "⟦bot, ⟦keen⟧⟧ too", "⟦Your turn⟧ · Table · Illusion", "Anabel"):
        assert unmarked(text, known), text
    for text in ("⟦Play now⟧", "⟦bot, ⟦keen⟧⟧", "⟦Your turn⟧ · Illusion", "Ana", "12 / 98 %", "⟦Ana laid a card⟧"):
        assert not unmarked(text, known), text

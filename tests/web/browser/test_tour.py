"""One walk through every page and every state of a table, in a real browser, at which all checks look.

The walk is in a pseudo language: every text that went through the catalogues is its longest translation, between two
marks that nobody sees. So a text that no translator can have seen is found, and a text that is too long for its box in
any language. Real languages are walked through in `make faults`.
"""

import asyncio
import re
import socket
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

import pytest
from harness.browser.chromium import DESK, SMALL, checked_contexts
from harness.browser.layout import layout_breaks
from harness.browser.page_checks import LOOKS, accessibility_problems, problems_on, too_faint, too_small
from harness.browser.tour import Stop, tour
from harness.sweeps import sweep
from playwright.sync_api import Browser, BrowserContext, Page

from illusion.languages import Language, languages
from illusion.tables import Pace, store_at
from illusion.tables.worker import Where
from illusion.web import AppOptions, Limits, create_app
from illusion.web.serve import run, server_for

Findings = dict[str, list[str]]

BEGIN, END = "\u2068", "\u2069"
"""Isolates of bidirectional text: no font draws them, and no text of ours has them."""


class Longest(NullTranslations):
    def gettext(self, message: str) -> str:
        return BEGIN + max((each.gettext(message) for each in languages().values()), key=len) + END

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return BEGIN + max((each.ngettext(msgid1, msgid2, n) for each in languages().values()), key=len) + END


PSEUDO: Final = Language("en-XA", "Pseudo", "ltr", Longest)

TEXTS: Final = """() => {
  const found = [document.title];
  const look = (root) => {
    const kinds = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
    const walker = document.createTreeWalker(root, kinds, (node) => (
      node.matches?.('script, style, [translate=no]') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeType === 3) { found.push(node.data.replace(/<[^>]*>/g, '')); continue; } // tags inside noscript
      for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext',
        'title', 'alt', 'placeholder', 'label']) found.push(node.getAttribute(name) ?? '');
      found.push(...Object.values(node.dataset ?? {}).filter((told) => told.includes(' ')));
      if (node.content) look(node.content);
    }
  };
  look(document.body);
  return [...new Set(found.map((text) => text.trim()).filter(Boolean))];
}"""
"""Every text of a page and every attribute that is read to people, shown or hidden."""

NAMES: Final = ("Illusion", "API", "Ana", "Bob", "Łukasz", "Maximiliane Wagenknecht", "abcd 2345")
"""Names of the game and of people, and an example of a code: these are the same in every language."""

INNERMOST: Final = re.compile(f"{BEGIN}[^{BEGIN}{END}]*{END}")


def unmarked(text: str, allowed: re.Pattern[str]) -> bool:
    """Whether letters are left after removing what was translated and what needs no translation."""
    while INNERMOST.search(text):
        text = INNERMOST.sub("", text)
    return any(sign.isalpha() for sign in allowed.sub("", text))


def unmarked_texts(page: Page) -> list[str]:
    """Texts of a page that no translator can have seen. The page must be in the pseudo language."""
    spoken = page.locator("html").get_attribute("lang")
    wrong = [] if spoken == PSEUDO.code else [f"the page is in {spoken}"]
    known = allowed_at(page)
    return wrong + [text for text in page.evaluate(TEXTS) if unmarked(text, known)]


def allowed_at(page: Page) -> re.Pattern[str]:
    """Names, initials, rule numbers, the table's code, and the hexadecimal numbers that prove a deal."""
    names = [*NAMES, *page.locator(".who b").all_inner_texts()]
    view = page.evaluate("JSON.parse(document.querySelector('#page')?.textContent ?? 'null')?.view")
    if view:
        names += (player["name"] for player in view["players"])
    if at := re.search(r"/(?:table|watch)/(\w{4})(\w{4})", page.url):
        names += [f"{at[1]}{at[2]}", f"{at[1]} {at[2]}", urljoin(page.url, f"/table/{at[1]}{at[2]}")]
    return re.compile("|".join([*map(re.escape, names), r"\b[0-9a-f]{16,}\b", r"^\w$", r"^R\d(\.\d)?$"]))


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server in this process that offers the pseudo language, too. It has no limits."""
    offered = {**languages(), PSEUDO.code: PSEUDO}
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()  # who comes before the server is up waits
        options = AppOptions(Pace(bot_s=0), Limits.lifted(), drawing=Where.THREAD, languages=offered)
        app = create_app(store_at(folder / "tables.db"), options)
        server = server_for(app)
        running = run(server, app.state.context, listening, lambda: None)
        thread = threading.Thread(target=asyncio.run, args=(running,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def findings(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """What was found on the whole walk, by kind."""
    found: Findings = defaultdict(list)
    with serving(tmp_path_factory.mktemp("tour")) as url, checked_contexts(browser, url) as new:

        def new_speaking() -> BrowserContext:
            return new(locale=PSEUDO.code)

        for stop in tour(new_speaking):
            look(stop, found)
            found["stops"].append(stop.name)
        page = new_speaking().new_page()
        for address in ("/language", "/api/tables/nowhere1"):
            page.goto(address)
            texts = page.locator("p.lead, pre").all_inner_texts()
            found["unmarked"] += [f"{address}: {text}" for text in texts if BEGIN not in text]
    return found


def look(stop: Stop, found: Findings) -> None:
    """All checks at one stop."""
    found["unmarked"] += [f"{stop.name}: {text}" for text in unmarked_texts(stop.page)]
    found["layout"] += [f"{stop.name} {problem}" for problem in layout_breaks(stop.page, (SMALL,))]
    if stop.name == "settings":
        found["targets"] += too_small(stop.page)
    for size, system in LOOKS:
        found["accessibility"] += [f"{stop.name} {problem}" for problem in problems_on(stop.page, size, system)]
        found["layout"] += [f"{stop.name} {problem}" for problem in layout_breaks(stop.page, (size,))]
    for language in sweep((), (*languages(), PSEUDO.code)):
        stop.speak(language)
        assert stop.page.locator("html").get_attribute("lang") == language
        found["layout"] += [f"{stop.name} {language} {problem}" for problem in layout_breaks(stop.page)]
        stop.page.set_viewport_size(DESK)


@pytest.mark.parametrize("kind", ["accessibility", "layout", "targets", "unmarked"])
def test_nothing_is_wrong_at_any_stop(findings: Findings, kind: str) -> None:
    assert not findings[kind], "\n".join(dict.fromkeys(findings[kind]))


def test_the_walk_saw_every_stop_once(findings: Findings) -> None:
    assert len(findings["stops"]) == len(set(findings["stops"])) >= 50


def test_an_unmarked_text_would_be_found() -> None:
    known = re.compile("Ana|Illusion")

    def is_found(text: str) -> bool:
        return unmarked(text.replace("[", BEGIN).replace("]", END), known)

    for text in ("Play now", "[bot, [keen]] too", "[Your turn] · Table · Illusion", "Anabel"):
        assert is_found(text), text
    for text in ("[Play now]", "[bot, [keen]]", "[Your turn] · Illusion", "Ana", "12 / 98 %", "[Ana laid a card]"):
        assert not is_found(text), text


def test_every_other_fault_would_be_found(browser: Browser) -> None:
    """A page with one planted fault for each check."""
    page = browser.new_context(viewport=DESK).new_page()
    page.set_content(
        "<!doctype html><html lang=en><title>Faults</title><body style='background:#fff'><main><h1>Faults</h1>"
        "<img src='data:,'><p style='color:#bbb'>faint</p><button>tiny</button>"
        "<div style='width:420px'>wide</div><div style='width:60px;border:1px solid;white-space:nowrap'>"
        "longer than its box</div></main><dialog aria-label=Fault><img class=within src='data:,'></dialog>"
    )
    assert len(too_faint(page)) == 1
    assert len(too_small(page)) == 1
    problems = accessibility_problems(page)
    assert any("image-alt" in problem for problem in problems)
    assert any("dark: color-contrast" in problem for problem in problems)
    assert any("by setting: faint" in problem for problem in problems)
    breaks = layout_breaks(page)
    assert any("320: div. from" in told for told in breaks)
    assert any("“longer than its box” leaves" in told for told in breaks)
    page.evaluate("document.querySelector('dialog').showModal()")
    problems = accessibility_problems(page)
    assert any("image-alt" in problem and ".within" in problem for problem in problems)
    page.context.close()

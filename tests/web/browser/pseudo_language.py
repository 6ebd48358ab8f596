"""A pseudo-language: every text that went through the catalogues is in brackets, so any other text is found.

It exists only in tests: a server offers it only if it is started with it.
"""

import asyncio
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from gettext import NullTranslations
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from playwright.sync_api import Page

from illusion.languages import Language, languages
from illusion.tables import Pace, store_at
from illusion.tables.worker import Where
from illusion.web import AppOptions, Limits, create_app
from illusion.web.serve import run, server_for


class Bracketed(NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


PSEUDO: Final = Language("en-XA", "⟦Pseudo⟧", "ltr", Bracketed)

_TEXTS: Final = """() => {
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

_NAMES: Final = ("Illusion", "API", "Ana", "Bob", "Łukasz", "Maximiliane Wagenknecht", "abcd 2345")
"""Names of the game and of people, and an example of a code: these are the same in every language."""

_INNERMOST: Final = re.compile(r"⟦[^⟦⟧]*⟧")


def unmarked(text: str, allowed: re.Pattern[str]) -> bool:
    """Whether letters are left after removing what was translated and what needs no translation."""
    while _INNERMOST.search(text):
        text = _INNERMOST.sub("", text)
    return any(sign.isalpha() for sign in allowed.sub("", text))


def unmarked_texts(page: Page) -> list[str]:
    """Texts of a page that no translator can have seen. The page must be in the pseudo language."""
    spoken = page.locator("html").get_attribute("lang")
    wrong = [] if spoken == PSEUDO.code else [f"the page is in {spoken}"]
    known = _allowed(page)
    return wrong + [text for text in page.evaluate(_TEXTS) if unmarked(text, known)]


def _allowed(page: Page) -> re.Pattern[str]:
    """Names, initials, rule numbers, the table's code, and the hexadecimal numbers that prove a deal."""
    names = [*_NAMES, *page.locator(".who b").all_inner_texts()]
    view = page.evaluate("JSON.parse(document.querySelector('#page')?.textContent ?? 'null')?.view")
    if view:
        names += (player["name"] for player in view["players"])
    if at := re.search(r"/(?:table|watch)/(\w{4})(\w{4})", page.url):
        names += [f"{at[1]}{at[2]}", f"{at[1]} {at[2]}", urljoin(page.url, f"/table/{at[1]}{at[2]}")]
    return re.compile("|".join([*map(re.escape, names), r"\b[0-9a-f]{16,}\b", r"^\w$", r"^R\d(\.\d)?$"]))


@contextmanager
def serving(folder: Path, offered: Mapping[str, Language] | None = None) -> Iterator[str]:
    """The address of a server in this process that offers these languages, or all that we have. It has no limits."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()  # who comes before the server is up waits
        options = AppOptions(Pace(bot_s=0), Limits.lifted(), drawing=Where.THREAD, languages=offered or languages())
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

"""A pseudo-language: every text that went through the catalogues is in brackets, so any other text is found.

It exists only in tests: a server offers it only if it is started with it.
"""

import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from gettext import NullTranslations
from pathlib import Path
from typing import Final

import uvicorn

from illusion.languages import Language
from illusion.tables import Pace, SqliteStore
from illusion.web import create_app


class Bracketed(NullTranslations):
    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


PSEUDO: Final = Language("en-XA", "⟦Pseudo⟧", "ltr", Bracketed)

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
      found.push(...Object.values(node.dataset ?? {}).filter((told) => node.id === 'texts' || told.includes(' ')));
      if (node.content) look(node.content);
    }
  };
  look(document.body);
  return [...new Set(found.map((text) => text.trim()).filter(Boolean))];
}"""
"""Every text of a page and every attribute that is read to people, shown or hidden."""

INNERMOST: Final = re.compile(r"⟦[^⟦⟧]*⟧")


def unmarked(text: str, allowed: re.Pattern[str]) -> bool:
    """Whether letters are left once translated texts and what needs no translation are taken away."""
    while INNERMOST.search(text):
        text = INNERMOST.sub("", text)
    return any(sign.isalpha() for sign in allowed.sub("", text))


@contextmanager
def serving(folder: Path, speaks: Mapping[str, Language] | None = None) -> Iterator[str]:
    """The address of a server in this process that offers these languages, or all that we have."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        app = create_app(SqliteStore(folder / "tables.db"), Pace(bot=0), speaks=speaks)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)
    assert not thread.is_alive()

"""What the documents' site has besides docs/, as MkDocs' hooks: `make docs` builds it into build/site.

Pages from elsewhere in the repository, with their links made to fit; examples; the HTTP API, laid out from its own
description; names and docstrings of `illusion.rules`, `bots`, `deck` and `lab`; and a gallery of one deck.
"""

import re
from posixpath import dirname, join, normpath, relpath
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from tools.site_api import api_page

from illusion.deck import Card, make_deck
from illusion.rules import Colour
from illusion.web.api import description
from illusion.web.pages.static import STATIC

PAGES: Final = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "bench/README.md": "bench.md",
    "tests/playthroughs/README.md": "playthroughs.md",
}
"""Where in the repository a page is, and where on the site."""
EXAMPLES: Final = {
    "examples/my_bot.py": "A bot at a table, over HTTP",
    "examples/club_evening.py": "A club evening with twenty people",
    "examples/learn.py": "A bot that learns when to doubt",
    "examples/train.py": "An actor-critic on many games at once",
    "examples/random_play.cu": "Random play in one CUDA kernel",
}
REFERENCE: Final = {
    "rules": "The game as values and functions: `apply(game, move)` gives the next game and what happened.",
    "bots": "Opponents: eyes that look at pictures, minds that decide.",
    "deck": "Ninety-eight pictures from a seed.",
    "lab": "Arena and environments to train in; they take the extras `rl` and `fast`.",
}
MORE: Final = {
    "lab": """
## The arena

::: illusion.lab.arena
    options:
      heading_level: 3
      members: [compete, Tally, report, ArenaReport, PlayerResult]

## Minds from outside

::: illusion.bots.entrants
    options:
      heading_level: 3
      members: [GROUP, player, NoSuchPlayer]
"""
}
"""What programs use besides a package's own names."""
SEED: Final = 2018
"""Of the deck in the gallery, which is the one on the first page, too."""
CSS: Final = """\
.gallery { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); }
.gallery figure { margin: 0; width: auto; }
.gallery img { border-radius: .4rem; display: block; width: 100%; }
.gallery figcaption { font-size: .6rem; margin: .3rem 0 0; max-width: none; }
"""
LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE: Final = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
ORIGINS: Final = {uri: path for path, uri in PAGES.items()}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    root = dirname(config.config_file_path)

    def add(uri: str, content: str | bytes) -> None:
        files.append(File.generated(config, uri, content=content))

    def read(path: str) -> str:
        with open(join(root, path), encoding="utf-8") as file:
            return file.read()

    for path, uri in PAGES.items():
        add(uri, read(path))
    for path, title in EXAMPLES.items():
        language = path.rpartition(".")[2].replace("cu", "cpp").replace("py", "python")
        add(example_uri(path), f"# {title}\n\n`{path}`\n\n```{language}\n{read(path)}```\n")
    for name, about in REFERENCE.items():
        add(f"reference/{name}.md", f"# illusion.{name}\n\n{about}\n\n::: illusion.{name}\n{MORE.get(name, '')}")
    add("api.md", api_page(description()))
    add("assets/favicon.svg", (STATIC / "icons" / "favicon.svg").read_bytes())
    add("assets/site.css", CSS)
    for card in make_deck(SEED):
        add(f"gallery/{card.number}.svg", card.svg())
    add("gallery.md", gallery())
    return files


def example_uri(path: str) -> str:
    return f"{path.rpartition('.')[0]}.md"


def gallery() -> str:
    """All cards of a deck, family by family."""
    families: dict[str, list[Card]] = {}
    for card in make_deck(SEED):
        families.setdefault(card.family, []).append(card)
    parts = [
        f"# The pictures of deck {SEED}\n\nNinety-eight cards in {len(families)} families of patterns. Guess first:"
        f" below each stands what its back says. `illusion deck --seed {SEED} --out deck` draws the same; any other"
        " number is a deck that nobody has seen. [How they are made](deck.md).\n"
    ]
    for family, cards in sorted(families.items()):
        parts.append(f"\n## {family.replace('-', ' ').capitalize()}\n\n<div class='gallery'>\n")
        for card in sorted(cards, key=lambda card: card.number):
            told = ", ".join(f"{colour} {card.shares[colour]} %" for colour in Colour)
            parts.append(
                f"<figure><img src='gallery/{card.number}.svg' alt='Card {card.number}' loading='lazy'>"
                f"<figcaption><details><summary>Card {card.number}</summary>{told}</details></figcaption></figure>\n"
            )
        parts.append("</div>\n")
    return "".join(parts)


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Links between files of the repository lead to their pages on the site; to what has no page there, nowhere."""
    uri = page.file.src_uri
    if uri not in ORIGINS and (uri in ("api.md", "gallery.md") or dirname(uri) in ("reference", "examples")):
        return markdown
    origin = ORIGINS.get(uri, f"docs/{uri}")

    def fitting(link: re.Match[str]) -> str:
        mark, text, target = link.groups()
        path, hash_, anchor = target.partition("#")
        if "://" in target or not path:
            return link[0]
        found = normpath(join(dirname(origin), path))
        there = PAGES.get(found) or (example_uri(found) if found in EXAMPLES else found.removeprefix("docs/"))
        if there == found or "." not in there:  # LICENSE, a folder
            return text
        return f"{mark}[{text}]({relpath(there, dirname(uri) or '.')}{hash_}{anchor})"

    parts = FENCE.split(markdown)
    return "".join(part if at % 2 else LINK.sub(fitting, part) for at, part in enumerate(parts))

"""What a table's page gives its scripts: texts in the reader's language, and data, as JSON inside of the page."""

import re
from functools import cache
from typing import Any, Final

import msgspec
from markupsafe import Markup

from illusion.deck import PALETTES
from illusion.deck.palettes import palette_named
from illusion.deck.svg import style
from illusion.languages import Language
from illusion.web.pages.static_files import BUNDLES, static_file

MARKED: Final = re.compile(r"""\b_\(\s*'((?:[^'\\]|\\.)*)'""")
"""A marked text in a script: `_('Your turn')`. Scripts use single quotes, and texts have typographic ones."""


@cache
def texts(language: Language, page: str) -> Markup:
    """What the scripts of a page mark, by its English wording; what is the same in this language is left out."""
    told = {text: language.gettext(text) for text in sorted(marked(page))}
    return json_in_page({text: translated for text, translated in told.items() if translated != text})


@cache
def marked(page: str) -> frozenset[str]:
    return frozenset(MARKED.findall(static_file(BUNDLES.format(page=page)).decode()))


@cache
def palettes() -> Markup:
    """The style sheets of pictures, by the palette's name: a page puts pictures into its reader's palette itself."""
    return json_in_page({name: style(palette_named(name)) for name in PALETTES})


def json_in_page(value: Any) -> Markup:
    """For a `<script type="application/json">`: nothing in it can end the element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704  # nosec B704

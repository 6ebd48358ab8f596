"""What a table's page gives its scripts: texts in the reader's language, and data, as JSON inside of the page."""

import re
from functools import cache
from typing import Any, Final

import msgspec
from markupsafe import Markup

from illusion.deck import PALETTES
from illusion.deck.rendering.palettes import palette_named
from illusion.deck.rendering.svg import style
from illusion.languages import Language
from illusion.web.pages.static_files import STATIC

MARKED: Final = re.compile(r"""\b_\(\s*'((?:[^'\\]|\\.)*)'""")
"""A marked text in a script: `_('Your turn')`. Scripts use single quotes, and texts have typographic ones."""


@cache
def texts(language: Language) -> Markup:
    """Every text that scripts mark, by its English wording."""
    return json_in_page({text: language.gettext(text) for text in sorted(marked())})


@cache
def marked() -> frozenset[str]:
    scripts = (path.read_text("utf-8") for path in STATIC.rglob("*.js"))
    return frozenset(text for script in scripts for text in MARKED.findall(script))


@cache
def palettes() -> Markup:
    """The style sheets of pictures, by the palette's name: a page puts pictures into its reader's palette itself."""
    return json_in_page({name: style(palette_named(name)) for name in PALETTES})


def json_in_page(value: Any) -> Markup:
    """For a `<script type="application/json">`: nothing in it can end the element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704  # nosec B704

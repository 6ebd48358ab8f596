"""Jinja templates, one environment per language, and how a page is rendered for a request."""

import json
import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final, cast
from urllib.parse import unquote

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from jinja2.ext import Extension
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from illusion.deck import STANDARD
from illusion.languages import Language
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS
from illusion.tables import Reaction
from illusion.tables.model.commands import CLOCKS_S, new_token
from illusion.tables.model.player_names import MAX_CHARACTERS
from illusion.web.context import context
from illusion.web.http import urls
from illusion.web.http.cookies import cookie
from illusion.web.images.qr_codes import link_code
from illusion.web.pages import palette_css, script_texts
from illusion.web.pages.static_files import asset, bundle
from illusion.web.reader.language import language_of, return_path
from illusion.web.reader.settings import CHOICES, settings

TEXT: Final = re.compile(r"""\b_\("([^"\\]*)"\)""")
"""A call with one text and nothing else. Other calls are made when the template is rendered."""
MAX_QUOTED_NAME: Final = MAX_CHARACTERS * len("%F0%9F%A6%89")
NO_STORE: Final = {"cache-control": "no-store"}


class Translated(Extension):
    """Puts texts into a template's language when it is compiled: `_("Rules")` becomes `"Regeln"`."""

    def preprocess(self, source: str, _name: str | None, _filename: str | None = None) -> str:
        gettext = cast("Callable[[str], str]", self.environment.globals["_"])
        return TEXT.sub(lambda found: json.dumps(gettext(found[1]), ensure_ascii=False), source)


@cache
def templates(language: Language) -> Environment:
    """One environment per language, so that imported macros are in that language too. An unknown name is an error."""
    environment = Environment(
        loader=PackageLoader("illusion.web"),
        extensions=[Translated],
        auto_reload=False,
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = asset
    environment.globals["urls"] = urls
    environment.globals["paints"] = lambda: Markup(palette_css.patterns())  # noqa: S704  # nosec B704
    environment.globals["link_code"] = link_code
    environment.globals["new_token"] = new_token
    environment.globals["bundle"] = bundle
    environment.globals["choices"] = CHOICES
    environment.globals["script_texts"] = partial(script_texts.texts, language)
    environment.globals["palettes"] = script_texts.palettes
    environment.globals["json_in_page"] = script_texts.json_in_page
    environment.globals["reactions"] = tuple(Reaction)
    environment.globals["clocks"] = tuple(filter(None, CLOCKS_S))
    environment.globals["table_sizes"] = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
    environment.globals["language"] = language
    environment.globals["_"] = language.gettext
    environment.globals["ngettext"] = language.ngettext
    environment.filters["percent"] = language.percent
    return environment


async def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page in the reader's language and with their settings; `drawn` puts pictures into their palette.

    Rendered in a thread, with all that the template calls, so that nobody's move waits for it.
    """
    chosen = settings(request)
    common = {
        "title": "Illusion",
        "here": return_path(request),
        "languages": context(request).languages.values(),
        "settings": chosen,
        "drawn": "" if chosen["palette"] == STANDARD.name else f"?palette={chosen['palette']}",
        "own_name": own_name(request),
    }
    language = language_of(request)

    def render() -> str:  # compiles a template that nobody asked for before
        return templates(language).get_template(template).render(common | values)

    html = await context(request).service.worker.run(render)
    return HTMLResponse(html, status, headers=NO_STORE)


def own_name(request: Request) -> str:
    """The name that was last used on this device."""
    return unquote(cookie(request, "name")[:MAX_QUOTED_NAME])[:MAX_CHARACTERS]


async def error_page(request: Request, status: int, code: str, sentence: str) -> HTMLResponse:
    return await page(request, "error.html", status, code=status, kind=code, sentence=sentence)


def busy_page(language: Language, status: int, sentence: str) -> HTMLResponse:
    """For somebody who has to wait: made once, so that it costs next to nothing."""
    return HTMLResponse(_busy_page(language, status, sentence), status, headers=NO_STORE)


@cache
def _busy_page(language: Language, status: int, sentence: str) -> str:
    return templates(language).get_template("busy.html").render(code=status, sentence=sentence)

"""HTML pages: Jinja templates, one environment per language, and their rendering for a request."""

from functools import cache, lru_cache, partial
from typing import Any, Final

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from illusion.bots.characters import CHARACTERS
from illusion.deck import PALETTES, STANDARD
from illusion.deck.svg import style
from illusion.languages import Language
from illusion.rules.setup import FEWEST_PLAYERS, MOST_PLAYERS
from illusion.tables import Reaction
from illusion.tables.model.commands import CLOCKS_S, DAY_S, new_token
from illusion.web import urls
from illusion.web.context import context
from illusion.web.pages.static import asset, bundle, marked, patterns
from illusion.web.pictures import link_code
from illusion.web.reader import CHOICES, language_of, own_name, return_path, settings

NO_STORE: Final = {"cache-control": "no-store"}


@cache
def templates(language: Language) -> Environment:
    """One environment per language, so that imported macros are translated, too. Undefined names raise."""
    environment = Environment(
        loader=PackageLoader("illusion.web"),
        auto_reload=False,
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        _=language.gettext,
        ngettext=language.ngettext,
        language=language,
        urls=urls,
        at=pass_context(_at),
        asset=pass_context(lambda values, name: _at(values, asset(name))),
        bundle=pass_context(lambda values, page: _at(values, bundle(page))),
        paints=patterns,
        link_code=link_code,
        new_token=new_token,
        choices=CHOICES,
        script_texts=partial(script_texts, language),
        palettes=palettes,
        json_in_page=json_in_page,
        reactions=tuple(Reaction),
        bots=CHARACTERS,
        clocks=tuple(filter(None, CLOCKS_S)),
        day_s=DAY_S,
        table_sizes=range(FEWEST_PLAYERS, MOST_PLAYERS + 1),
    )
    environment.filters["percent"] = language.percent
    return environment


def _at(values: Context, path: str) -> str:
    """One of our addresses, under the path where this page is served."""
    root: str = values["root"]
    return root + path


async def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page in the reader's language, with their settings; `drawn` draws pictures in their palette.

    Rendered in the worker's thread, with all that the template calls, to keep the event loop free.
    """
    chosen = settings(request)
    common = {
        "title": "Illusion",
        "root": urls.at(request, ""),
        "here": return_path(request),
        "languages": context(request).options.languages.values(),
        "settings": chosen,
        "drawn": "" if chosen["palette"] == STANDARD.name else f"?palette={chosen['palette']}",
        "own_name": own_name(request),
    }
    language = language_of(request)

    def render() -> str:  # the first time it also compiles the template
        return templates(language).get_template(template).render(common | values)

    html = await context(request).service.worker.run(render)
    return HTMLResponse(html, status, headers=NO_STORE)


async def error_page(request: Request, status: int, code: str, sentence: str) -> HTMLResponse:
    return await page(request, "error.html", status, code=status, kind=code, sentence=sentence)


def busy_page(request: Request, language: Language, status: int, sentence: str) -> HTMLResponse:
    """A page for a client that has to wait."""
    html = _plain("busy.html", language, root=urls.at(request, ""), code=status, sentence=sentence)
    return HTMLResponse(html, status, headers=NO_STORE)


def hello_page(request: Request, language: Language) -> HTMLResponse:
    """A page for a phone that checks whether it reaches the server."""
    return HTMLResponse(_plain("hello.html", language, root=urls.at(request, "")), headers=NO_STORE)


@lru_cache(256)
def _plain(template: str, language: Language, **values: str | int) -> str:
    """A cached page without scripts and settings."""
    return templates(language).get_template(template).render(values)


@cache
def script_texts(language: Language, page: str) -> Markup:
    """The texts of a page's scripts, in this language."""
    return json_in_page([language.gettext(text) for text in marked(page)])


@cache
def palettes() -> Markup:
    """The style sheets of pictures, by palette: a page recolours pictures itself."""
    return json_in_page({name: style(palette) for name, palette in PALETTES.items()})


def json_in_page(value: Any) -> Markup:
    """JSON for a `<script type="application/json">`, escaped so that it cannot end the element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704  # nosec B704

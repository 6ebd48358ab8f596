"""A reader's language and settings, in cookies set by the server: Safari deletes those of scripts after seven days."""

import re
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from illusion.deck import PALETTES
from illusion.languages import N_, Language, negotiate
from illusion.tables.model.commands import MAX_CHARACTERS
from illusion.web import urls
from illusion.web.bodies import read_form
from illusion.web.context import context
from illusion.web.problems import Problem
from illusion.web.tokens import cookie, set_cookie

MAX_QUOTED_NAME: Final = MAX_CHARACTERS * len("%F0%9F%A6%89")
OWN_PATH: Final = re.compile(r"/(?![/\\])[^\\\s]*")
"""A path on this site, but not `//elsewhere`."""
CHOICES: Final = {
    "palette": tuple(PALETTES),
    "theme": ("system", "light", "dark"),
    "sound": ("on", "quiet", "off"),
    "motion": ("system", "reduced"),
    "reactions": ("shown", "muted"),
    "keys": ("on", "off"),
    "guesses": ("on", "off"),
}
"""Settings with their possible values, the default first."""


def language_of(request: HTTPConnection) -> Language:
    """The reader's choice, else the best of the browser's `Accept-Language`."""
    accepted = request.headers.get("accept-language", "")
    return negotiate(context(request).options.languages, accepted, cookie(request, "language"))


def settings(request: Request) -> dict[str, str]:
    """The settings of a device; invalid ones get their default."""
    return _possible(dict(parse_qsl(unquote(cookie(request, "settings")), max_num_fields=None)))


def _possible(chosen: dict[str, str]) -> dict[str, str]:
    return {name: chosen[name] if chosen.get(name) in possible else possible[0] for name, possible in CHOICES.items()}


def own_name(request: Request) -> str:
    """The name last used on this device."""
    return unquote(cookie(request, "name")[:MAX_QUOTED_NAME])[:MAX_CHARACTERS]


def return_path(request: Request) -> str:
    """Where to return after switching the language: the current page, or home from the answer to a form."""
    if request.method not in ("GET", "HEAD"):
        return urls.at(request, "/")
    query = request.scope["query_string"].decode("latin-1")  # not `request.url`: urllib would remember it
    return quote(request.scope["path"]) + (f"?{query}" if query else "")


async def switch(request: Request) -> Response:
    """Remember the language and go back to the page."""
    form = await read_form(request)
    code, back, home = form.get("language", ""), form.get("back", ""), urls.at(request, "/")
    if code not in context(request).options.languages:
        raise Problem(400, "unparsable", why=N_("there is no such language"))
    response = RedirectResponse(back if back.startswith(home) and OWN_PATH.fullmatch(back) else home, 303)
    set_cookie(response, request, "language", code)
    return response


async def keep(request: Request) -> Response:
    """Store the settings and the name that a form holds; others stay."""
    form = await read_form(request)
    response = Response(status_code=204)
    if CHOICES.keys() & form.keys():
        set_cookie(response, request, "settings", quote(urlencode(_possible({**settings(request), **form})), safe=""))
    if "name" in form:
        set_cookie(response, request, "name", quote(form["name"].strip()[:MAX_CHARACTERS]))
    return response


ROUTES = [
    Route("/language", switch, methods=["POST"]),
    Route("/settings", keep, methods=["POST"]),
]

"""What a reader has chosen: their language, and the settings of their device, in cookies that the server sets.

Cookies that scripts write are deleted after seven days by the browsers of one maker; those that a server sets are not.
"""

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
"""An address of this site: `//elsewhere` and its kind are not."""
CHOICES: Final = {
    "palette": tuple(PALETTES),
    "theme": ("system", "light", "dark"),
    "sound": ("on", "quiet", "off"),
    "motion": ("system", "reduced"),
    "reactions": ("shown", "muted"),
    "keys": ("on", "off"),
    "guesses": ("on", "off"),
}
"""Each setting and what it can be; the first is what nobody has to choose."""


def language_of(request: HTTPConnection) -> Language:
    """What the reader chose, else what the browser asks for."""
    accepted = request.headers.get("accept-language", "")
    return negotiate(context(request).options.languages, accepted, cookie(request, "language"))


def settings(request: Request) -> dict[str, str]:
    """Every setting of the device that asks; what cannot be read counts as not chosen."""
    return _possible(dict(parse_qsl(unquote(cookie(request, "settings")), max_num_fields=None)))


def _possible(chosen: dict[str, str]) -> dict[str, str]:
    return {name: chosen[name] if chosen.get(name) in possible else possible[0] for name, possible in CHOICES.items()}


def own_name(request: Request) -> str:
    """The name that was last used on this device."""
    return unquote(cookie(request, "name")[:MAX_QUOTED_NAME])[:MAX_CHARACTERS]


def return_path(request: Request) -> str:
    """Where to come back to after switching the language; a response to a form has no address of its own."""
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
    """Remember what a form has of settings, and the name for the next table; what it does not name stays."""
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

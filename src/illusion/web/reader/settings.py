"""Settings of a device: one cookie that the server sets when a page asks for it.

Cookies that scripts write are deleted after seven days by the browsers of one maker; those that a server sets are not.
"""

from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.deck import PALETTES
from illusion.tables.model.commands import MAX_CHARACTERS
from illusion.web.http.bodies import read_form
from illusion.web.http.cookies import cookie

YEAR_S: Final = 365 * 24 * 3600
CHOICES: Final = {
    "palette": tuple(PALETTES),
    "theme": ("system", "light", "dark"),
    "sound": ("on", "quiet", "off"),
    "motion": ("system", "reduced"),
    "reactions": ("shown", "muted"),
    "keys": ("on", "off"),
}
"""Each setting and what it can be; the first is what nobody has to choose."""


def settings(request: Request) -> dict[str, str]:
    """Every setting of the device that asks; what cannot be read counts as not chosen."""
    return _possible(dict(parse_qsl(unquote(cookie(request, "settings")), max_num_fields=None)))


def _possible(chosen: dict[str, str]) -> dict[str, str]:
    return {name: chosen[name] if chosen.get(name) in possible else possible[0] for name, possible in CHOICES.items()}


async def keep(request: Request) -> Response:
    """Remember what a form has of settings, and the name for the next table; what it does not name stays."""
    form = {name: values[0] for name, values in (await read_form(request)).items()}
    response = Response(status_code=204)
    if CHOICES.keys() & form.keys():
        _set_cookie(response, request, "settings", quote(urlencode(_possible(settings(request) | form)), safe=""))
    if "name" in form:
        _set_cookie(response, request, "name", quote(form["name"].strip()[:MAX_CHARACTERS]))
    return response


def _set_cookie(response: Response, request: Request, name: str, value: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=YEAR_S, httponly=True, samesite="lax", secure=secure)


ROUTES = [Route("/settings", keep, methods=["POST"])]

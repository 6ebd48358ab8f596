"""The reader's language, for every request, and the form that switches it."""

import re
from typing import Final
from urllib.parse import quote

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from illusion.languages import N_, Language, negotiate
from illusion.web.context import context
from illusion.web.http.bodies import read_form
from illusion.web.http.cookies import cookie
from illusion.web.http.problems import Problem

COOKIE: Final = "language"
YEAR_S: Final = 365 * 24 * 3600
OWN_PATH: Final = re.compile(r"/(?![/\\])[^\\\s]*")
"""An address of this site: `//elsewhere` and its kind are not."""


def language_of(request: HTTPConnection) -> Language:
    """What the reader chose, else what the browser asks for."""
    return negotiate(
        context(request).languages,
        request.headers.get("accept-language", ""),
        cookie(request, COOKIE),
    )


async def switch(request: Request) -> Response:
    """Remember the language and go back to the page."""
    fields = await read_form(request)
    code, back = fields.get("language", [""])[0], fields.get("back", ["/"])[0]
    if code not in context(request).languages:
        raise Problem(400, "unparsable", why=N_("there is no such language"))
    response = RedirectResponse(back if OWN_PATH.fullmatch(back) else "/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, code, max_age=YEAR_S, httponly=True, samesite="lax", secure=secure)
    return response


def return_path(request: Request) -> str:
    """Where to come back to after switching the language; a response to a form has no address of its own."""
    if request.method not in ("GET", "HEAD"):
        return "/"
    query = request.scope["query_string"].decode("latin-1")  # not `request.url`: urllib would remember it
    return quote(request.scope["path"]) + (f"?{query}" if query else "")


ROUTES = [Route("/language", switch, methods=["POST"])]

"""Our URLs, for routes and templates, and the path under which the game may be served (ASGI's `root_path`).

Every URL sent to a browser is made by `at` or `absolute`, which prepend that path. Scripts have
`static/js/shared/server.js`.
"""

import re
from typing import Final

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import HTTPConnection
from starlette.types import Scope

from illusion.bots.characters import Character
from illusion.deck import PICTURES_VERSION


class NumberConvertor(IntegerConvertor):
    """An integer of at most four digits: `int` raises for thousands of digits, which Starlette would accept."""

    regex = "[0-9]{1,4}"


register_url_convertor("number", NumberConvertor())

API_TABLES: Final = "/api/tables"
API_EVENINGS: Final = "/api/evenings"
TABLE_PAGE: Final = "/table/{table}"
CARD_PICTURE: Final = "/cards/{address}.svg"
SAMPLE_SEED: Final = 2018
"""Seed of the public deck, whose cards illustrate the pages that explain the game."""
SAMPLE_DECK: Final = f"/sample/{PICTURES_VERSION}-{SAMPLE_SEED}"
"""The URL names all that determines its pictures, so that browsers may cache them for ever."""
SAMPLE_PICTURE: Final = SAMPLE_DECK + "/{card:number}.svg"
STATIC: Final = "/static/"
"""Files that every page needs and browsers cache."""
EVENING: Final = "/evening"
EVENING_PAGE: Final = "/evening/{evening}"
JOIN: Final = "/join"
EYES: Final = "/eyes"
EYES_CODE: Final = "/eyes/code.svg"
WATCH: Final = "/watch"
HELLO: Final = "/hello"

FOR_PROGRAMS: Final = ("/api/", "/cards/", "/faces/", "/sample/", STATIC, "/healthz", "/metrics")
"""Errors here are JSON problems; everywhere else they are pages."""
ROOT: Final = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
"""A valid root path: no `..`, and only characters that need no quoting in URLs, redirects and cookies' paths."""
MAX_ROOT: Final = 100


def is_root(text: str) -> bool:
    return len(text) <= MAX_ROOT and ROOT.fullmatch(text) is not None


def path_in(scope: Scope) -> str:
    """The path without the root path, as in our routes."""
    path: str = scope["path"]
    return path.removeprefix(scope["root_path"])


def at(request: HTTPConnection, path: str) -> str:
    """One of our URLs, relative to this site."""
    root: str = request.scope["root_path"]
    return root + path


def absolute(request: HTTPConnection, path: str) -> str:
    """One of our URLs, with scheme and host."""
    return str(request.base_url.replace(path=at(request, path)))


def table_page(table: str) -> str:
    return TABLE_PAGE.format(table=table)


def evening_page(evening: str) -> str:
    return EVENING_PAGE.format(evening=evening)


def wall_page(evening: str) -> str:
    return f"/evening/{evening}/wall"


def invitation_page(table: str) -> str:
    return f"/table/{table}/invitation"


def watch_page(table: str) -> str:
    return f"/watch/{table}"


def card_picture(address: str) -> str:
    return CARD_PICTURE.format(address=address)


def sample_picture(number: int) -> str:
    return f"{SAMPLE_DECK}/{number}.svg"


def face(bot: Character) -> str:
    return f"/faces/{bot.level}/{bot.name}.svg"

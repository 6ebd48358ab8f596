"""The shape of our addresses, for routes and templates. Scripts have `static/js/shared/server.js`."""

from typing import Final

from starlette.convertors import IntegerConvertor, register_url_convertor

from illusion.bots.characters import Character
from illusion.deck import PICTURES_VERSION


class NumberConvertor(IntegerConvertor):
    """A whole number of at most four digits. Starlette takes any number of them, and Python refuses to convert many."""

    regex = "[0-9]{1,4}"


register_url_convertor("number", NumberConvertor())

API_TABLES: Final = "/api/tables"
TABLE_PAGE: Final = "/table/{table}"
CARD_PICTURE: Final = "/cards/{address}.svg"
SAMPLE_SEED: Final = 2018
"""Seed of the public deck, whose cards are shown by the pages that explain the game."""
SAMPLE_DECK: Final = f"/sample/{PICTURES_VERSION}-{SAMPLE_SEED}"
"""An address says what decides its picture, so that browsers may keep it for ever."""
SAMPLE_PICTURE: Final = SAMPLE_DECK + "/{card:number}.svg"
STATIC: Final = "/static/"
"""Small files that every page needs and browsers keep."""
JOIN: Final = "/join"
EYES: Final = "/eyes"
EYES_CODE: Final = "/eyes/code.svg"
WATCH: Final = "/watch"
HELLO: Final = "/hello"

FOR_PROGRAMS: Final = ("/api/", "/cards/", "/faces/", "/sample/", STATIC, "/healthz", "/metrics")
"""Errors here are JSON problems; everywhere else they are pages."""


def table_page(table: str) -> str:
    return TABLE_PAGE.format(table=table)


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

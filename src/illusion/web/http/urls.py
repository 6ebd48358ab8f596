"""The shape of our addresses. Routes, templates and checks that run before routing take it from here.

Scripts have `static/js/shared/urls.js`.
"""

from typing import Final, NamedTuple
from urllib.parse import quote

from starlette.convertors import Convertor, register_url_convertor

from illusion.tables.model.commands import ID_LENGTH


class NumberConvertor(Convertor[int]):
    """A whole number of at most four digits; a path with a longer one is no address of ours.

    Starlette's own `int` takes any number of digits, and Python refuses to convert more than 4,300.
    """

    regex = "[0-9]{1,4}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", NumberConvertor())

API_TABLES: Final = "/api/tables"
API_TABLE: Final = "/api/tables/{table}"
API_EYES: Final = "/api/eyes"
TABLE_PAGE: Final = "/table/{table}"
WATCH_PAGE: Final = "/watch/{table}"
CARD_PICTURE: Final = "/cards/{address}.svg"
SAMPLE_PICTURE: Final = "/sample/{card:number}.svg"
FACE_PICTURE: Final = "/faces/{level}/{name}.svg"
STATIC: Final = "/static/"
"""Small files that every page needs and browsers keep."""
JOIN: Final = "/join"
WATCH: Final = "/watch"

FOR_PROGRAMS: Final = ("/api/", "/cards/", "/faces/", "/sample/", STATIC, "/healthz", "/metrics")
"""Errors here are JSON problems; everywhere else they are pages."""

_CODE_IN_FORM: Final = (JOIN, WATCH)
"""Here the table's code comes in a form or a query, not in the path."""


class Target(NamedTuple):
    """What a path says about the table it is for."""

    table: str | None = None
    is_stream: bool = False
    names_table: bool = False
    """Whether the request can be used to guess at tables."""


def target_of(path: str) -> Target:
    match path.split("/", 4)[1:]:
        case ["api", "tables", table, *rest] if table:
            return Target(table, rest[:1] in (["events"],), names_table=True)
        case ["table", table, *rest] if table:
            return Target(table, rest[:1] in (["live"],), names_table=True)
        case ["watch", table] if table:
            return Target(table, names_table=True)
        case ["cards", address, *_]:
            table, _ = split_card_address(address)
            return Target(table, names_table=True)
    return Target(names_table=path in _CODE_IN_FORM)


def table_page(table: str) -> str:
    return f"/table/{table}"


def watch_page(table: str) -> str:
    return f"/watch/{table}"


def record(table: str) -> str:
    return f"/api/tables/{table}/record"


def card_picture(address: str) -> str:
    return f"/cards/{address}.svg"


def sample_picture(number: int) -> str:
    return f"/sample/{number}.svg"


def face_picture(level: str, name: str) -> str:
    return f"/faces/{level}/{quote(name, safe='')}.svg"


def split_card_address(address: str) -> tuple[str, str]:
    """A card's address is its table's id followed by the card's token: proxies may route by the first part."""
    return address[:ID_LENGTH], address[ID_LENGTH:]

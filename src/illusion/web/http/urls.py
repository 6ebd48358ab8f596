"""The shape of our addresses. Routes, templates and checks that run before routing take it from here.

Scripts have `static/js/shared/urls.js`.
"""

from typing import Final, NamedTuple
from urllib.parse import quote

from starlette.convertors import Convertor, register_url_convertor

from illusion.deck import PICTURES_VERSION
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
REPLAY_PAGE: Final = "/table/{table}/replay"
REVIEW_PAGE: Final = "/table/{table}/review"
CARD_PICTURE: Final = "/cards/{address}.svg"
SAMPLE_SEED: Final = 2018
"""Of the public deck whose cards the pages show that explain the game."""
SAMPLE_DECK: Final = f"/sample/{PICTURES_VERSION}-{SAMPLE_SEED}"
"""An address says what decides its picture, so that browsers may keep it for ever."""
SAMPLE_PICTURE: Final = SAMPLE_DECK + "/{card:number}.svg"
FACE_PICTURE: Final = "/faces/{level}/{name}.svg"
STATIC: Final = "/static/"
"""Small files that every page needs and browsers keep."""
JOIN: Final = "/join"
EYES: Final = "/eyes"
EYES_CODE: Final = "/eyes/code.svg"
WATCH: Final = "/watch"

FOR_PROGRAMS: Final = ("/api/", "/cards/", "/faces/", "/sample/", STATIC, "/healthz", "/metrics")
"""Errors here are JSON problems; everywhere else they are pages."""

MAX_TARGET_BYTES: Final = 1024
"""Of a request's method and address that are looked at before it is parsed."""

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


def table_in_request(received: bytes) -> str | None:
    """The table that a request is for, if its first bytes tell: they must hold the whole address of a table's part."""
    _, _, rest = received[:MAX_TARGET_BYTES].partition(b" ")
    address, is_whole, _ = rest.partition(b" ")
    if not (is_whole and address.startswith(b"/") and address.isascii()):
        return None
    table = target_of(address.partition(b"?")[0].decode()).table
    return table if table is not None and len(table) == ID_LENGTH else None


def table_page(table: str) -> str:
    return f"/table/{table}"


def watch_page(table: str) -> str:
    return f"/watch/{table}"


def moves(table: str) -> str:
    return f"/api/tables/{table}/moves"


def record(table: str) -> str:
    return f"/api/tables/{table}/record"


def card_picture(address: str) -> str:
    return f"/cards/{address}.svg"


def sample_picture(number: int) -> str:
    return f"{SAMPLE_DECK}/{number}.svg"


def face_picture(level: str, name: str) -> str:
    return f"/faces/{level}/{quote(name, safe='')}.svg"


def split_card_address(address: str) -> tuple[str, str]:
    """A card's address is its table's id followed by the card's token: proxies may route by the first part."""
    return address[:ID_LENGTH], address[ID_LENGTH:]

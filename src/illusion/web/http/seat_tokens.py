"""Seat tokens: the proof of who holds a seat. Programs send one as a Bearer token, browsers keep them in a cookie."""

import re
from itertools import islice
from typing import Final, NamedTuple

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Scope

from illusion.rules.setup import MOST_PLAYERS
from illusion.tables import RefusalCode, Refused, Table
from illusion.tables.model.commands import hashed
from illusion.tables.model.log_check import is_table_id
from illusion.web.http.cookies import cookie_header, cookies_in, guarded, read_cookie
from illusion.web.http.problems import Problem

MONTH_S: Final = 30 * 24 * 3600
MAX_SEAT_COOKIES: Final = 20
"""Seats a browser keeps: all cookies must fit into the 8 KB of headers that proxies let through."""
MAX_TOKEN_CHARACTERS: Final = 64
TOKEN: Final = re.compile(r"[\w-]{43}", re.ASCII)
"""One of ours."""

PARSED: Final = "illusion.seat_tokens"
"""Where a request's scope has the tokens that were parsed already."""


def cookie_name(table: str, scheme: str) -> str:
    return guarded(f"seat-{table}", scheme)


def parse_tokens(authorization: str, cookies: str, table: str | None, scheme: str) -> tuple[str, ...]:
    """The tokens that the headers of a request hold for a table.

    A Bearer token counts alone. A cookie holds several tokens where several people share a device: each counts once,
    and no more of them than a table has seats. What is longer than a token is none.
    """
    kind, _, bearer = authorization.partition(" ")
    if kind.lower() == "bearer" and bearer:
        sent = [bearer.strip()]
    elif table is None or (name := cookie_name(table, scheme)) not in cookies:
        return ()
    else:
        sent = read_cookie(cookies, name).split(".")
    distinct = dict.fromkeys(token for token in sent if 0 < len(token) <= MAX_TOKEN_CHARACTERS)
    return tuple(islice(distinct, MOST_PLAYERS))


def is_token(text: str) -> bool:
    return TOKEN.fullmatch(text) is not None


class Held(NamedTuple):
    """The tokens that a request holds for a table."""

    table: str | None
    tokens: tuple[str, ...]
    hashes: tuple[str, ...]

    def seats(self, state: Table) -> list[int]:
        """The seats that are theirs; none for a spectator."""
        return [seat for each in self.hashes if (seat := state.seat_of(each)) is not None]

    def acting_seat(self, state: Table) -> int:
        """The seat to act for: of several on one device, the one whose turn it is."""
        if not self.tokens:
            raise Problem(401, "no-token")
        seats = self.seats(state)
        if not seats:
            raise Refused(RefusalCode.NOT_SEATED)
        to_play = None if state.game is None else state.game.to_play
        return to_play if to_play in seats else seats[0]


def keep_parsed(scope: Scope, held: Held) -> None:
    """Keep the tokens for the table in the path, so that they are parsed and hashed once a request."""
    scope[PARSED] = held


def held(request: HTTPConnection, table: str) -> Held:
    kept: Held | None = request.scope.get(PARSED)
    if kept is not None and kept.table == table:
        return kept
    sent = parse_tokens(
        request.headers.get("authorization", ""), cookie_header(request), table, request.scope["scheme"]
    )
    return Held(table, sent, tuple(map(hashed, sent)))


def tokens(request: HTTPConnection, table: str) -> tuple[str, ...]:
    return held(request, table).tokens


def held_seats(request: HTTPConnection, state: Table) -> list[int]:
    """The seats whose tokens this request holds."""
    return held(request, state.id).seats(state)


def acting_seat(request: HTTPConnection, state: Table) -> int:
    return held(request, state.id).acting_seat(state)


def seat_cookies(request: HTTPConnection) -> list[str]:
    """The tables that this browser has kept seats at, the oldest first."""
    names, prefix = (name for name, _ in cookies_in(cookie_header(request))), cookie_name("", request.scope["scheme"])
    return [table for name in names if name.startswith(prefix) and is_table_id(table := name.removeprefix(prefix))]


def set_seat_cookie(response: Response, request: Request, table: str, held_tokens: tuple[str, ...]) -> None:
    """Keep the tokens in the browser, out of reach of scripts. The oldest seats, which are sent first, are dropped."""
    scheme = request.url.scheme
    secure = scheme == "https"
    others = [other for other in seat_cookies(request) if other != table]
    for other in others[: max(len(others) + 1 - MAX_SEAT_COOKIES, 0)]:
        response.delete_cookie(cookie_name(other, scheme), httponly=True, samesite="lax", secure=secure)
    name, value = cookie_name(table, scheme), ".".join(held_tokens)
    response.set_cookie(name, value, max_age=MONTH_S, httponly=True, samesite="lax", secure=secure)

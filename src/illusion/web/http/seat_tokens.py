"""Who a request comes from: the tokens it holds for a table, in a cookie or as a Bearer token."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from illusion.tables import RefusalCode, Refused, TableService
from illusion.web.http.problems import Problem

MONTH_S: Final = 30 * 24 * 3600
MAX_SEAT_COOKIES: Final = 20
"""Seats a browser keeps: all its cookies must fit into the 8 KB of a header that proxies let through."""


def cookie_name(table: str) -> str:
    return f"seat-{table}"


def tokens(request: Request, table: str) -> list[str]:
    """Several in one cookie where several people share a device."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and bearer:
        return [bearer.strip()]
    return [token for token in request.cookies.get(cookie_name(table), "").split(".") if token]


async def held(request: Request, service: TableService, table: str) -> list[int]:
    """The seats this request may speak for; none for a spectator."""
    seats = []
    for token in tokens(request, table):
        try:
            seats.append(await service.seat(table, token))
        except Refused as refusal:
            if refusal.code is not RefusalCode.NOT_SEATED:
                raise
    return seats


async def my_seat(request: Request, service: TableService, table: str) -> int:
    """The seat to act for: of several at one device, the one at turn."""
    held_tokens = tokens(request, table)
    # of several it matters who is at turn, on whatever process that was decided
    state = await (service.get_current(table) if len(held_tokens) > 1 else service.get(table))
    if not held_tokens:
        raise Problem(401, "no-token")
    seats = (
        [await service.seat(table, held_tokens[0])] if len(held_tokens) == 1 else await held(request, service, table)
    )
    if not seats:
        raise Refused(RefusalCode.NOT_SEATED)
    at_turn = None if state.game is None else state.game.to_play
    return at_turn if at_turn in seats else seats[0]


def keep(response: Response, request: Request, table: str, held_tokens: list[str]) -> None:
    """Remember the tokens in the browser, out of reach of scripts; the oldest seats, sent first, are forgotten."""
    others = [name for name in request.cookies if name.startswith("seat-") and name != cookie_name(table)]
    for name in others[: max(len(others) + 1 - MAX_SEAT_COOKIES, 0)]:
        response.delete_cookie(name, httponly=True, samesite="lax", secure=request.url.scheme == "https")
    response.set_cookie(
        cookie_name(table),
        ".".join(held_tokens),
        max_age=MONTH_S,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )

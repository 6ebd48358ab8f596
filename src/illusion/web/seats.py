"""Who a request comes from: the tokens it holds for a table, in a cookie or as a Bearer token."""

from starlette.requests import Request
from starlette.responses import Response

from illusion.tables import Code, Hall, Refused
from illusion.web.problems import Problem

A_MONTH = 30 * 24 * 3600


def cookie_name(table: str) -> str:
    return f"seat-{table}"


def tokens(request: Request, table: str) -> list[str]:
    """Several in one cookie where several people share a device."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and bearer:
        return [bearer.strip()]
    return [token for token in request.cookies.get(cookie_name(table), "").split(".") if token]


async def held(request: Request, hall: Hall, table: str) -> list[int]:
    """The seats this request may speak for; none for a spectator."""
    seats = []
    for token in tokens(request, table):
        try:
            seats.append(await hall.seat(table, token))
        except Refused as refusal:
            if refusal.code is not Code.NOT_SEATED:
                raise
    return seats


async def my_seat(request: Request, hall: Hall, table: str) -> int:
    """The seat to act for: of several at one device, the one at turn."""
    several = len(tokens(request, table)) > 1  # then it matters who is at turn, on whatever process that was decided
    state = await (hall.look_again(table) if several else hall.look(table))
    if not tokens(request, table):
        raise Problem(401, "no-token")
    seats = await held(request, hall, table)
    if not seats:
        raise Refused(Code.NOT_SEATED)
    at_turn = None if state.game is None else state.game.to_play
    return at_turn if at_turn in seats else seats[0]


def keep(response: Response, request: Request, table: str, held_tokens: list[str]) -> None:
    """Remember the tokens in the browser, out of reach of scripts."""
    response.set_cookie(
        cookie_name(table),
        ".".join(held_tokens),
        max_age=A_MONTH,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )

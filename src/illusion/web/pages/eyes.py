"""My eyes: the page about a player's own eyes, from the finished games of their device. There are no accounts.

One cookie keeps the seats that the device held at finished tables, as the code that people can carry to another device
(`tables.eyes`).
"""

from functools import cache

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from illusion.languages import N_
from illusion.tables import Phase
from illusion.tables.eyes import MAX_SEATS, HeldSeat, InvalidCode, read_seats_code, seats_code
from illusion.web import urls
from illusion.web.bodies import read_form
from illusion.web.context import context
from illusion.web.limits import client_address
from illusion.web.pages import NO_STORE, page
from illusion.web.pictures import SVG, sample_deck, seats_code_picture
from illusion.web.problems import Problem, describe
from illusion.web.reader import language_of
from illusion.web.tokens import cookie, delete_cookie, guarded, held_seats, set_cookie


async def eyes(request: Request) -> Response:
    return await _page(request)


async def code_picture(request: Request) -> Response:
    """The code as a QR code, loaded lazily: a large one takes a tenth of a second."""
    seats = _remembered(request)
    if not seats:
        raise Problem(404, "not-found")
    picture = await context(request).service.worker.run(seats_code_picture, seats_code(seats))
    return Response(picture, media_type=SVG, headers=NO_STORE)


async def keep(request: Request) -> Response:
    """Remember the seat at a finished table, merge a code, or forget everything."""
    form = await read_form(request)
    if "forget" in form:
        response: Response = RedirectResponse(urls.at(request, urls.EYES), 303)
        delete_cookie(response, request, _cookie(request))
        return response
    if "code" in form:
        try:
            return _remembering(
                request, read_seats_code(form["code"]), RedirectResponse(urls.at(request, urls.EYES), 303)
            )
        except InvalidCode:
            status, _, sentence = describe(Problem(400, "bad-code"), language_of(request))
            return await _page(request, sentence, status)
    if "table" in form:
        return _remembering(request, await _held(request, form["table"]), Response(status_code=204))
    raise Problem(400, "unparsable", why=N_("there is nothing to remember"))


async def _held(request: Request, table: str) -> list[HeldSeat]:
    """The seat of this device at a finished table; none if several people, with different eyes, shared the device."""
    context(request).rate_limiter.enforce_guesses(client_address(request), 0)  # checks only: a 404 is charged later
    state = await context(request).service.get_current(table)
    seats = held_seats(request, state)
    return [HeldSeat(table, seats[0])] if state.phase is Phase.OVER and len(seats) == 1 else []


def _remembering(request: Request, more: list[HeldSeat], response: Response) -> Response:
    """Store more seats in the cookie. Above the limit the first ones are dropped, since their age is not known."""
    seats = sorted({*_remembered(request), *more})
    set_cookie(response, request, _cookie(request), seats_code(seats[-MAX_SEATS:]))
    return response


def _cookie(request: Request) -> str:
    return guarded("eyes", request.url.scheme, request.scope["root_path"])


def _remembered(request: Request) -> list[HeldSeat]:
    """The seats in the cookie; none if it is invalid."""
    try:
        return read_seats_code(cookie(request, _cookie(request)))
    except InvalidCode:
        return []


async def _page(request: Request, problem: str | None = None, status: int = 200) -> Response:
    seats = _remembered(request)
    code = seats_code(seats) if seats else ""
    told = {"problem": problem, "code": code, "games": len(seats), "samples": _sample_of_family}
    return await page(request, "eyes.html", status, **told)


@cache
def _sample_of_family() -> dict[str, str]:
    """The URL of a sample card of each family, for the template: patterns are shown, not named."""
    return {card.family: urls.sample_picture(card.number) for card in sample_deck()}


ROUTES = [
    Route(urls.EYES, eyes, methods=["GET"]),
    Route(urls.EYES_CODE, code_picture, methods=["GET"]),
    Route(urls.EYES, keep, methods=["POST"]),
]

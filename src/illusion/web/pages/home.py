"""The home page and its forms: ways to open, join or watch a table."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from illusion.languages import N_
from illusion.rules import Variant
from illusion.tables import Phase, Refused, StoreFailed
from illusion.tables.model import commands
from illusion.web import urls
from illusion.web.bodies import read_form
from illusion.web.context import context
from illusion.web.limits import client_address
from illusion.web.pages.templates import page
from illusion.web.problems import Problem, describe
from illusion.web.reader import language_of
from illusion.web.tokens import held_seats, is_token, seat_cookies, set_cookie, set_seat_cookie

PLAY_NOW_BOTS = ("keen", "casual", "first-timer")
MAX_NUMBER_DIGITS = 5
MAX_TABLES_LOOKED_AT = 3
"""Of those that a device has a seat at; each may have to be loaded."""


async def unfinished_tables(request: Request) -> list[str]:
    """The tables at which this device has a seat and the game is not over, the latest first; none for who guesses."""
    service, limiter, found = context(request).service, context(request).rate_limiter, []
    for table in seat_cookies(request)[: -MAX_TABLES_LOOKED_AT - 1 : -1]:
        try:
            limiter.enforce_guesses(client_address(request), 1)
            state = await service.get(table)
        except (Problem, Refused, StoreFailed):
            continue
        limiter.return_guesses(client_address(request), 1)
        if state.phase in (Phase.WAITING, Phase.PLAYING) and held_seats(request, state):
            found.append(table)
    return found


async def home_page(request: Request, problem: str | None = None, status: int = 200, code: str = "") -> HTMLResponse:
    here, unfinished = f"/?code={quote(code)}" if code else "/", await unfinished_tables(request)
    return await page(request, "home.html", status, problem=problem, code=code, here=here, unfinished=unfinished)


async def home(request: Request) -> Response:
    return await home_page(request, code=request.query_params.get("code", ""))


async def play_now(request: Request) -> Response:
    """One click: a game against three bots, dealt at once."""
    form = await read_form(request)
    name = form.get("name", [""])[0].strip() or language_of(request).gettext(N_("Guest"))
    return await _open(
        request, [name], 1 + len(PLAY_NOW_BOTS), Variant.FIRST_TO_THREE, None, bots=PLAY_NOW_BOTS, start=True
    )


async def invite(request: Request) -> Response:
    """A table for people on their own devices."""
    form = await read_form(request)
    clock = form.get("clock", [""])[0]
    return await _open(
        request,
        [form.get("name", [""])[0]],
        _number(form.get("seats", ["4"])[0]),
        _variant(form),
        _number(clock) if clock else None,
    )


async def pass_and_play(request: Request) -> Response:
    """Several people on one device, which holds all their seats."""
    form = await read_form(request)
    names = [name for name in form.get("name", []) if name.strip()]
    return await _open(request, names or [""], max(len(names), 2), _variant(form), None, start=len(names) > 1)


async def join(request: Request) -> Response:
    form = await read_form(request)
    code = "".join(form.get("code", [""])[0].lower().split()).replace("-", "")
    return await sit(request, code, form)


async def watch(request: Request) -> Response:
    code = "".join(request.query_params.get("code", "").lower().split())
    try:
        await context(request).service.get(code)
    except Refused as refusal:
        return await _refused(request, refusal, code)
    shared = request.query_params.get("screen") == "shared"
    return RedirectResponse(urls.watch_page(code) if shared else urls.table_page(code), 303)


async def sit(request: Request, table: str, form: dict[str, list[str]]) -> Response:
    """Take a seat at a table, unless this device holds one already. The same form sent again finds the same seat."""
    service, name = context(request).service, form.get("name", [""])[0]
    drawn = form.get("token", [""])[0]
    try:
        if held_seats(request, await service.get_current(table)):
            return RedirectResponse(urls.table_page(table), 303)
        _, token = await service.sit(table, name, drawn if is_token(drawn) else "")
    except Refused as refusal:
        return await _refused(request, refusal, table)
    return _seated(request, table, (token,), name)


async def _open(
    request: Request,
    names: list[str],
    seats: int,
    variant: Variant,
    clock: int | None,
    *,
    bots: tuple[str, ...] = (),
    start: bool = False,
) -> Response:
    """A new table for the people on this device."""
    service, rate_limiter = context(request).service, context(request).rate_limiter
    rate_limiter.enforce_new_table(client_address(request))
    try:
        table, token = await service.open(names[0], seats, variant, bots, clock)
        rate_limiter.unfinished_tables.open(client_address(request), table)
        tokens = [token, *[(await service.sit(table, name))[1] for name in names[1:]]]
        if start:
            await service.execute(table, lambda state, now: commands.start(state, now, 0))
    except Refused as refusal:
        return await _refused(request, refusal)
    return _seated(request, table, tuple(tokens), names[0])


def _seated(request: Request, table: str, tokens: tuple[str, ...], name: str) -> Response:
    response = RedirectResponse(urls.table_page(table), 303)
    set_seat_cookie(response, request, table, tokens)
    set_cookie(response, request, "name", quote(name.strip()[:24]), for_scripts=True)
    return response


async def _refused(request: Request, refusal: Refused, code: str = "") -> Response:
    status, _, sentence = describe(refusal, language_of(request))
    return await home_page(request, sentence, status, code)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_DIGITS):
        raise Problem(400, "unparsable", why=N_("a number was expected"))
    return int(text)


def _variant(form: dict[str, list[str]]) -> Variant:
    try:
        return Variant(form.get("variant", [Variant.FIRST_TO_THREE])[0])
    except ValueError:
        raise Problem(400, "unparsable", why=N_("there is no such variant")) from None


ROUTES = [
    Route("/", home, methods=["GET"]),
    Route("/play-now", play_now, methods=["POST"]),
    Route("/invite", invite, methods=["POST"]),
    Route("/pass-and-play", pass_and_play, methods=["POST"]),
    Route(urls.JOIN, join, methods=["POST"]),
    Route(urls.WATCH, watch, methods=["GET"]),
]

"""The home page and its ways to a table: play now, invite, pass and play, join, watch."""

from typing import Final, NamedTuple
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from illusion.bots import LEVEL_NAMES
from illusion.languages import N_
from illusion.rules.setup import MOST_PLAYERS
from illusion.tables import Phase, RefusalCode, Refused, StoreFailed
from illusion.tables.evenings.evening import KEY, Evening, Mark
from illusion.tables.model import commands
from illusion.tables.model.entries import PRINTED, Terms
from illusion.web import tokens, urls
from illusion.web.bodies import Form, read_form
from illusion.web.context import context
from illusion.web.limits import client_address
from illusion.web.pages import hello_page, page
from illusion.web.pages.tables import guest, known_evenings, table_page
from illusion.web.problems import Problem, describe
from illusion.web.reader import language_of
from illusion.web.tokens import (
    cookie,
    device_hashes,
    held_seats,
    is_token,
    seat_cookies,
    set_cookie,
    set_seat_cookie,
)

MIXED: Final = ("keen", "casual", "first-timer", "sharp")
"""Levels of mixed bots; a game of four has the first three."""
USUAL_BOTS: Final = 3
NO_SUCH_CHOICE: Final = N_("there is no such choice")
NEXT_GAME: Final = "next"
MAX_NUMBER_DIGITS: Final = 5
MAX_TABLES_LOOKED_AT: Final = 8
"""The home page looks at this many tables of a device at most: each may have to be loaded."""


async def home(request: Request) -> Response:
    return await _home_page(request, code=request.query_params.get("code", ""))


async def _home_page(request: Request, problem: str | None = None, status: int = 200, code: str = "") -> HTMLResponse:
    here = urls.at(request, f"/?code={quote(code)}" if code else "/")
    return await page(
        request,
        "home.html",
        status,
        problem=problem,
        code=code,
        here=here,
        alone=_Alone.of(request),
        unfinished=await _unfinished_tables(request),
        evening=await _running_evening(request),
    )


async def _unfinished_tables(request: Request) -> list[tuple[str, bool]]:
    """Unfinished tables where this device has a seat, and whether it is at turn there.

    Tables where it is at turn come first, then the latest; none if the client is over the limit on guessing ids.
    """
    service, limiter = context(request).service, context(request).rate_limiter
    found = list[tuple[str, bool]]()
    for table in seat_cookies(request)[: -MAX_TABLES_LOOKED_AT - 1 : -1]:
        try:
            if service.in_memory(table) is None:  # eight loads take ten times as long as the page
                limiter.enforce_load(client_address(request))
            limiter.enforce_guesses(client_address(request), 1)
            state = await service.get(table)
        except (Problem, Refused, StoreFailed):
            continue
        limiter.return_guesses(client_address(request), 1)
        if state.phase in (Phase.WAITING, Phase.PLAYING) and (held := held_seats(request, state)):
            found.append((table, state.phase is Phase.PLAYING and state.running()[1] in held))
    return sorted(found, key=lambda each: not each[1])


async def _running_evening(request: Request) -> Evening | None:
    """The club evening, of the last day, at which this device hosts or is on the list."""
    now = context(request).service.now()
    async for evening in known_evenings(request):
        hashes = tokens.held(request, KEY + evening.id).hashes
        me = evening.person_of(hashes)
        is_there = evening.is_host(hashes) or (me is not None and me.mark is not Mark.REMOVED)
        if is_there and now - evening.at < commands.DAY_S:
            return evening
    return None


async def hello(request: Request) -> Response:
    return hello_page(request, language_of(request))


class _Alone(NamedTuple):
    """The number and the level of bots for playing alone on this device."""

    bots: int = USUAL_BOTS
    level: str = "mixed"
    is_chosen: bool = False

    @classmethod
    def of(cls, request: Request) -> "_Alone":
        """As last time; the default if the cookie is invalid."""
        bots, _, level = cookie(request, "alone").partition(".")
        return cls.read(bots, level) or cls()

    @classmethod
    def read(cls, bots: str, level: str) -> "_Alone | None":
        is_known = bots in map(str, range(1, MOST_PLAYERS)) and level in ("mixed", *LEVEL_NAMES)
        return cls(int(bots), level, is_chosen=True) if is_known else None

    @property
    def levels(self) -> tuple[str, ...]:
        return MIXED[: self.bots] if self.level == "mixed" else (self.level,) * self.bots


async def play_now(request: Request) -> Response:
    """Deal a game against bots: the chosen ones, or those of last time."""
    form = await read_form(request)
    chosen = _Alone.read(form["bots"], form.get("level", "mixed")) if "bots" in form else _Alone.of(request)
    if chosen is None:
        raise Problem(400, "unparsable", why=NO_SUCH_CHOICE)
    name = form.get("name", "").strip() or guest(request)
    response = await _open(request, [name], 1 + chosen.bots, terms(form), bots=chosen.levels, start=True)
    if chosen.is_chosen:
        set_cookie(response, request, "alone", f"{chosen.bots}.{chosen.level}")
    return response


async def invite(request: Request) -> Response:
    """Open a table for people on their own devices. Without a name the waiting room asks for it."""
    form = await read_form(request)
    return await _open(
        request, [form.get("name", "").strip() or guest(request)], number(form.get("seats", "4")), terms(form)
    )


async def pass_and_play(request: Request) -> Response:
    """Open a table for several people on one device, which holds all their seats."""
    form = await read_form(request)
    names = [name for name in form.getlist("name") if name.strip()]
    return await _open(request, names or [""], max(len(names), 2), terms(form), start=len(names) > 1)


def number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_DIGITS):
        raise Problem(400, "unparsable", why=N_("a number was expected"))
    return int(text)


def terms(form: Form) -> Terms:
    chosen = {name: form.get(name, "") for name in ("variant", "clock", "penalty")}
    clock = {"clock": number(chosen.pop("clock"))} if chosen["clock"] else {}
    guesses = {"guesses": {"on": True, "off": False}.get(form["guesses"])} if "guesses" in form else {}
    try:
        return msgspec.convert({name: value for name, value in chosen.items() if value} | clock | guesses, Terms)
    except msgspec.ValidationError:
        raise Problem(400, "unparsable", why=NO_SUCH_CHOICE) from None


async def _open(
    request: Request,
    names: list[str],
    seats: int,
    terms: Terms = PRINTED,
    *,
    bots: tuple[str, ...] = (),
    start: bool = False,
) -> Response:
    """Open a table for the people on this device."""
    service, rate_limiter = context(request).service, context(request).rate_limiter
    rate_limiter.enforce_new_table(client_address(request))
    try:
        table, token = await service.open(names[0], seats, terms, bots)
        rate_limiter.unfinished_tables.open(client_address(request), table)
        tokens = [token, *[(await service.sit(table, name))[1] for name in names[1:]]]
        if start:
            await service.execute(table, lambda state, now: commands.start(state, now, 0))
    except Refused as refusal:
        return await _refused(request, refusal)
    return _seated(request, table, tuple(tokens), names[0])


async def join(request: Request) -> Response:
    form = await read_form(request)
    return await _sit(request, _code(form.get("code", "")).replace("-", ""), form)


async def join_table(request: Request) -> Response:
    return await _sit(request, request.path_params["table"], await read_form(request))


async def _sit(request: Request, table: str, form: Form) -> Response:
    """Take a seat at a table, or one in its next game, or rename the one that this device holds; the same form sent
    twice takes one seat."""
    service, name, drawn = context(request).service, form.get("name", ""), form.get("token", "")
    seat = form.get("seat", "")
    try:
        state = await service.get_current(table)
        if (held := held_seats(request, state)) and (len(held) > 1 or state.phase is not Phase.WAITING):
            return RedirectResponse(urls.at(request, urls.table_page(table)), 303)
        if held:
            await service.execute(table, lambda state, now: commands.rename(state, now, held[0], name))
            return _named(request, RedirectResponse(urls.at(request, urls.table_page(table)), 303), name)
        known, drawn = device_hashes(request, table), drawn if is_token(drawn) else ""
        if seat == NEXT_GAME:
            token = await service.wait(table, name, drawn, known)
        else:
            _, token = await service.sit(table, name, drawn, number(seat) if seat else None, known)
    except Refused as refusal:
        if refusal.code is RefusalCode.ALREADY_STARTED:
            return RedirectResponse(urls.at(request, urls.table_page(table)), 303)  # which asks for which seat
        if refusal.code is RefusalCode.NO_SUCH_TABLE:
            return await _refused(request, refusal, table)
        return await table_page(request, await service.get(table), refusal)
    return _seated(request, table, (token,), name)


def _seated(request: Request, table: str, tokens: tuple[str, ...], name: str) -> Response:
    response = RedirectResponse(urls.at(request, urls.table_page(table)), 303)
    set_seat_cookie(response, request, table, tokens)
    return _named(request, response, name)


def _named(request: Request, response: Response, name: str) -> Response:
    """Store the name for the next table in a cookie."""
    if name != guest(request):
        set_cookie(response, request, "name", quote(name.strip()[:24]), for_scripts=True)
    return response


async def watch(request: Request) -> Response:
    code = _code(request.query_params.get("code", ""))
    try:
        await context(request).service.get(code)
    except Refused as refusal:
        return await _refused(request, refusal, code)
    shared = request.query_params.get("screen") == "shared"
    return RedirectResponse(urls.at(request, urls.watch_page(code) if shared else urls.table_page(code)), 303)


def _code(typed: str) -> str:
    return "".join(typed.lower().split())


async def _refused(request: Request, refusal: Refused, code: str = "") -> Response:
    status, _, sentence = describe(refusal, language_of(request))
    return await _home_page(request, sentence, status, code)


ROUTES = [
    Route("/", home, methods=["GET"]),
    Route(urls.HELLO, hello, methods=["GET"]),
    Route("/play-now", play_now, methods=["POST"]),
    Route("/invite", invite, methods=["POST"]),
    Route("/pass-and-play", pass_and_play, methods=["POST"]),
    Route(urls.JOIN, join, methods=["POST"]),
    Route(urls.TABLE_PAGE + "/join", join_table, methods=["POST"]),
    Route(urls.WATCH, watch, methods=["GET"]),
]

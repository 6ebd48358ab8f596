"""The home page with its ways to a table, and the pages of a table: in play, on a shared screen, replay, review."""

from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import msgspec
from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from illusion.bots import LEVEL_NAMES
from illusion.languages import N_
from illusion.rules.setup import MOST_PLAYERS
from illusion.tables import Phase, RefusalCode, Refused, StoreFailed, Table, public_view
from illusion.tables.evenings.evening import KEY, Evening, Mark
from illusion.tables.model import commands
from illusion.tables.model.entries import PRINTED, AnyEntry, Terms
from illusion.tables.notices import BadAddress, Kept
from illusion.web import tokens, urls
from illusion.web.bodies import Form, read_form
from illusion.web.context import context, current_table
from illusion.web.limits import client_address
from illusion.web.pages import hello_page, page
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


MAX_EVENINGS_LOOKED_AT: Final = 3


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
    name = form.get("name", "").strip() or _guest(request)
    response = await _open(request, [name], 1 + chosen.bots, terms(form), bots=chosen.levels, start=True)
    if chosen.is_chosen:
        set_cookie(response, request, "alone", f"{chosen.bots}.{chosen.level}")
    return response


def _guest(request: Request) -> str:
    """The default name."""
    return language_of(request).gettext(N_("Guest"))


async def invite(request: Request) -> Response:
    """Open a table for people on their own devices. Without a name the waiting room asks for it."""
    form = await read_form(request)
    return await _open(
        request, [form.get("name", "").strip() or _guest(request)], number(form.get("seats", "4")), terms(form)
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
        return await _table_page(request, await service.get(table), refusal)
    return _seated(request, table, (token,), name)


def _seated(request: Request, table: str, tokens: tuple[str, ...], name: str) -> Response:
    response = RedirectResponse(urls.at(request, urls.table_page(table)), 303)
    set_seat_cookie(response, request, table, tokens)
    return _named(request, response, name)


def _named(request: Request, response: Response, name: str) -> Response:
    """Store the name for the next table in a cookie."""
    if name != _guest(request):
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


async def table(request: Request) -> Response:
    """Opening the page takes seats back from their stand-ins."""
    service, state = context(request).service, await current_table(request)
    held = held_seats(request, state)
    if any(state.sitter(seat).away for seat in held):

        def come_back(state: Table, now: float) -> list[AnyEntry]:
            return [entry for seat in held_seats(request, state) for entry in commands.come_back(state, now, seat)]

        with suppress(Refused):  # they can still look, and come back by moving
            await service.execute(state.id, come_back)
    return await _table_page(request, state)


async def _table_page(request: Request, state: Table, refusal: Refused | None = None) -> Response:
    """Perhaps with the reason why there is no seat."""
    held, known = held_seats(request, state), device_hashes(request, state.id)
    is_open, is_sent_away = not held and state.phase is Phase.WAITING, not state.barred.isdisjoint(known)
    is_nameless = len(held) == 1 and state.sitter(held[0]).name == _guest(request)
    is_game_on = state.phase in (Phase.PLAYING, Phase.OVER) and (state.open_seats or state.can_wait)
    comes_late = is_game_on and not held and not is_sent_away and not _waits(state, known)
    if is_sent_away:
        refusal = Refused(RefusalCode.SENT_AWAY)
    status, _, problem = (200, "", "") if refusal is None else describe(refusal, language_of(request))
    response = await _page(
        request,
        "table.html",
        state,
        held,
        status=200 if request.method == "GET" else status,
        problem=problem,
        is_sent_away=is_sent_away,
        join_url=address_for_phones(request, urls.table_page(state.id)),
        can_join=is_open and state.open_seats and not is_sent_away,
        asks_name=is_nameless and state.phase is Phase.WAITING,
        is_full=is_open and not state.open_seats,
        asks_seat=comes_late and state.phase is Phase.PLAYING and (state.open_seats or problem),
        may_see_seats=comes_late or (state.host in held and state.phase is not Phase.CLOSED),
        evening=await _evening_of(request, state.id),
        notify_at=await _notify_at(request, state, held),
    )
    if held and (state.terms.clock or 0) >= commands.DAY_S:  # the game may last longer than a cookie
        set_seat_cookie(response, request, state.id, tokens.held(request, state.id).tokens)
    return response


def _waits(state: Table, hashes: Collection[str]) -> bool:
    """Whether one of these tokens will hold a seat in the next game."""
    return any(state.promise_of(each) is not None for each in hashes)


async def seats(request: Request) -> Response:
    """Who sits where, for somebody who comes late or for the host: a part of the table's page, as it is now."""
    state = await current_table(request)
    return await _page(request, "_seats.html", state, held_seats(request, state), problem="")


async def _running_evening(request: Request) -> Evening | None:
    """The club evening, of the last day, at which this device hosts or is on the list."""
    now = context(request).service.now()
    async for evening in _known_evenings(request):
        hashes = tokens.held(request, KEY + evening.id).hashes
        me = evening.person_of(hashes)
        is_there = evening.is_host(hashes) or (me is not None and me.mark is not Mark.REMOVED)
        if is_there and now - evening.at < commands.DAY_S:
            return evening
    return None


async def _evening_of(request: Request, table: str) -> str | None:
    """The club evening, known to this device, of which this is a table."""
    async for evening in _known_evenings(request):
        if any(drawn.id == table for drawn in evening.tables):
            return evening.id
    return None


async def _known_evenings(request: Request) -> AsyncIterator[Evening]:
    """The last evenings of this device; none if the client is over the limit on guessing ids."""
    limiter = context(request).rate_limiter
    for id in seat_cookies(request, KEY)[: -MAX_EVENINGS_LOOKED_AT - 1 : -1]:
        try:
            limiter.enforce_guesses(client_address(request), 1)
            evening = await context(request).evenings.get(id)
        except (Problem, Refused, StoreFailed):
            continue
        limiter.return_guesses(client_address(request), 1)
        yield evening


async def _notify_at(request: Request, state: Table, held: list[int]) -> str | None:
    """Where the one person at this device is told of their turn; None if nobody can be told."""
    notices = context(request).notices
    if notices is None or len(held) != 1 or state.phase not in (Phase.WAITING, Phase.PLAYING):
        return None
    kept = (await notices.kept(state.id)).get(state.sitter(held[0]).token_hash or "")
    return kept.address if kept else ""


async def notify(request: Request) -> Response:
    """Keep an address for notices; an empty one takes it back."""
    state, notices, form = await current_table(request), context(request).notices, await read_form(request)
    if notices is None:
        raise Problem(404, "not-found")
    holder = state.sitter(tokens.acting_seat(request, state)).token_hash or ""
    context(request).rate_limiter.notices.enforce(client_address(request))
    code = f"{state.id[:4]} {state.id[4:]}"
    told = language_of(request).gettext(N_("Your turn at table %(code)s")) % {"code": code}
    link = urls.absolute(request, urls.table_page(state.id))
    try:
        await notices.keep(state.id, Kept(holder, form.get("address", "").strip(), f"{told}: {link}"))
    except BadAddress:
        raise Problem(400, "unparsable", why=N_("no notice can be sent to this address")) from None
    return RedirectResponse(urls.at(request, urls.table_page(state.id)), 303)


async def shared_screen(request: Request) -> Response:
    """A table on a television, with its code and without buttons."""
    state = await current_table(request)
    join_url = address_for_phones(request, urls.table_page(state.id))
    site = address_for_phones(request, "").partition("://")[2]
    return await _page(request, "watch.html", state, [], join_url=join_url, site=site)


async def invitation(request: Request) -> Response:
    """A sheet to print, with a QR code for phones and how to sit down."""
    state, is_lan = await current_table(request), context(request).options.lan is not None
    return await page(
        request,
        "invitation.html",
        table=state.id,
        is_lan=is_lan,
        join_url=address_for_phones(request, urls.table_page(state.id)),
        hello_url=address_for_phones(request, urls.HELLO),
    )


async def replay(request: Request) -> Response:
    """The replay of a finished game."""
    return await _looked_back(request, "replay.html")


async def review(request: Request) -> Response:
    """The review of a finished game."""
    return await _looked_back(request, "review.html")


async def illusion(request: Request) -> Response:
    """The greatest illusion of a game, to be guessed by visitors. The page has neither its share nor names; its script
    requests them after the guess."""
    state = await _over(request)
    shown = summary.worst_illusion if (summary := public_view(state).summary) else None
    if shown is None:
        raise Problem(404, "not-found")
    return await page(request, "illusion.html", table=state.id, card=shown.card, arrow=shown.arrow)


async def _looked_back(request: Request, template: str) -> Response:
    state = await _over(request)
    return await _page(request, template, state, held_seats(request, state))


async def _over(request: Request) -> Table:
    state = await current_table(request)
    if state.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    return state


async def _page(request: Request, template: str, state: Table, held: list[int], **values: Any) -> Response:
    now, reading = round(context(request).service.now(), 1), context(request).options.pace.reading_s
    waits = _waits(state, device_hashes(request, state.id))
    told: dict[str, Any] = {"view": public_view(state), "held": held, "waits": waits, "now": now, "reading": reading}
    return await page(request, template, **told, **values)


def address_for_phones(request: Request, path: str) -> str:
    """A page's URL for phones on the same network, if the server knows its address there."""
    lan, address = context(request).options.lan, URL(urls.absolute(request, path))
    if lan is not None and address.hostname in ("127.0.0.1", "localhost"):
        address = address.replace(hostname=lan)
    return str(address)


ROUTES = [
    Route(urls.TABLE_PAGE, table, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/seats", seats, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/join", join_table, methods=["POST"]),
    Route(urls.TABLE_PAGE + "/notices", notify, methods=["POST"]),
    Route(urls.TABLE_PAGE + "/invitation", invitation, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/replay", replay, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/review", review, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/illusion", illusion, methods=["GET"]),
    Route("/watch/{table}", shared_screen, methods=["GET"]),
    Route("/", home, methods=["GET"]),
    Route(urls.HELLO, hello, methods=["GET"]),
    Route("/play-now", play_now, methods=["POST"]),
    Route("/invite", invite, methods=["POST"]),
    Route("/pass-and-play", pass_and_play, methods=["POST"]),
    Route(urls.JOIN, join, methods=["POST"]),
    Route(urls.WATCH, watch, methods=["GET"]),
]

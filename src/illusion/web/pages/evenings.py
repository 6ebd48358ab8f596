"""The pages of a club evening: one for the host and for everybody's phone, and one for the wall."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from illusion.languages import N_
from illusion.tables import Refused
from illusion.tables.evenings import commands
from illusion.tables.evenings.evening import FEWEST_AT_TABLE, KEY, Evening, Mark
from illusion.tables.evenings.standings import can_rate
from illusion.tables.model.commands import hashed
from illusion.web import urls
from illusion.web.bodies import Form, read_form
from illusion.web.context import context
from illusion.web.limits import client_address
from illusion.web.pages import page
from illusion.web.pages.home import number, terms
from illusion.web.pages.tables import address_for_phones
from illusion.web.problems import Problem, describe
from illusion.web.reader import language_of
from illusion.web.tokens import held, is_token, set_cookie, set_seat_cookie

MARKS: Final = {"here": Mark.HERE, "away": Mark.AWAY, "remove": Mark.REMOVED}
MORE_FIELDS: Final = 4


async def new_evening(request: Request) -> Response:
    return await _new(request)


async def _new(request: Request, problem: str | None = None, status: int = 200) -> Response:
    return await page(request, "new-evening.html", status, problem=problem, can_rate=can_rate())


async def open_evening(request: Request) -> Response:
    form = await read_form(request)
    context(request).rate_limiter.enforce_new_table(client_address(request))
    try:
        rated = form.get("rated") == "yes"
        evening, token = await context(request).evenings.open(form.get("name", ""), terms(form), rated=rated)
    except Refused as refusal:
        status, _, sentence = describe(refusal, language_of(request))
        return await _new(request, sentence, status)
    return _back(request, evening, token)


async def evening(request: Request) -> Response:
    return await _page(request)


async def wall(request: Request) -> Response:
    """A shared screen with people, tables, standings and a code for newcomers."""
    return await _page(request, template="wall.html")


async def act(request: Request) -> Response:
    """The action of a form on the evening's page."""
    id = request.path_params["evening"]
    try:
        return await _act(request, id, await read_form(request, commands.MAX_PEOPLE + MORE_FIELDS))
    except Refused as refusal:
        status, _, sentence = describe(refusal, language_of(request))
        return await _page(request, sentence, status)


async def _act(request: Request, id: str, form: Form) -> Response:
    evenings, hashes, do = context(request).evenings, held(request, KEY + id).hashes, form.get("do", "")
    if do == "come":
        return await _come(request, id, form)
    if do == "sit":
        return await _sit(request, id)
    if do == "draw":
        await drawn(request, id, hashes, number(form.get("round", "")))
    elif do in MARKS:
        for person in _people(form):
            await evenings.mark(id, hashes, person, MARKS[do])
    elif do == "host":
        for person in _people(form):
            await evenings.execute(id, partial(commands.add_host, hashes=hashes, number=person))
    elif do in ("open", "close"):
        await evenings.execute(id, lambda state, now: commands.set_door(state, now, hashes, open=do == "open"))
    elif do in ("count", "leave-out"):
        table, counts = form.get("table", ""), do == "count"
        await evenings.execute(id, lambda state, now: commands.count(state, now, hashes, table, counts=counts))
    else:
        raise Problem(400, "unparsable", why=N_("there is no such choice"))
    return _back(request, id)


async def _come(request: Request, id: str, form: Form) -> Response:
    """Add a person; a known device keeps its token, also the host's."""
    context(request).rate_limiter.arrivals.enforce(client_address(request))
    sent, name = (*held(request, KEY + id).tokens, form.get("token", "")), form.get("name", "")
    token = next(filter(is_token, sent), "")
    _, token = await context(request).evenings.come(id, name, token)
    response = _back(request, id, token)
    set_cookie(response, request, "name", quote(name.strip()[:24]), for_scripts=True)
    return response


async def _sit(request: Request, id: str) -> Response:
    """Redirect to the drawn table, where the evening's token holds the seat."""
    state, mine = await context(request).evenings.get(id), held(request, KEY + id)
    me = state.person_of(mine.hashes)
    table = None if me is None else state.table_of(me.number)
    if me is None or table is None:
        return _back(request, id)
    response = RedirectResponse(urls.at(request, urls.table_page(table.id)), 303)
    set_seat_cookie(response, request, table.id, tuple(t for t in mine.tokens if hashed(t) == me.token_hash))
    return response


def _people(form: Form) -> list[int]:
    """The people ticked, each once, however a form writes their numbers."""
    return list(dict.fromkeys(map(number, form.getlist("person"))))


async def drawn(request: Request, id: str, hashes: Sequence[str], round: int) -> Evening:
    """Draw a round, within the limits on its host's address."""
    address, limiter = client_address(request), context(request).rate_limiter
    limiter.enforce_new_table(address)
    evening = await context(request).evenings.draw(id, hashes, round)
    limiter.charge_drawn_tables(address, [table.id for table in evening.rounds[round - 1]])
    return evening


def _back(request: Request, id: str, token: str | None = None) -> Response:
    response = RedirectResponse(urls.at(request, urls.evening_page(id)), 303)
    if token is not None:
        set_seat_cookie(response, request, id, (token,), KEY)
    return response


async def _page(
    request: Request, problem: str | None = None, status: int = 200, template: str = "evening.html"
) -> Response:
    id = request.path_params["evening"]
    evenings, hashes = context(request).evenings, held(request, KEY + id).hashes
    state = await evenings.get(id)
    me, is_host = state.person_of(hashes), state.is_host(hashes)
    view = await evenings.public(id)  # as new as that, or newer
    told: dict[str, Any] = {
        "view": view,
        "me": None if me is None else view.people[me.number],
        "is_host": is_host,
        "here": [person for person in view.people if person.mark is Mark.HERE],
        "fewest": FEWEST_AT_TABLE,
        "problem": problem,
        "join_url": address_for_phones(request, urls.evening_page(id)),
    }
    return await page(request, template, status, **told)


ROUTES = [
    Route(urls.EVENING, new_evening, methods=["GET"]),
    Route(urls.EVENING, open_evening, methods=["POST"]),
    Route(urls.EVENING_PAGE, evening, methods=["GET"]),
    Route(urls.EVENING_PAGE, act, methods=["POST"]),
    Route(urls.EVENING_PAGE + "/wall", wall, methods=["GET"]),
]

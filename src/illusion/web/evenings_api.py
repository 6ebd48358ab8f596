"""The JSON API of club evenings."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.tables.evenings import commands
from illusion.tables.evenings.evening import KEY, Evening
from illusion.tables.evenings.standings import PublicEvening, results_csv, standings_csv
from illusion.web import urls
from illusion.web.api import OPERATIONS, Done, Json, operation, shown
from illusion.web.bodies import Counts, Door, NewEvening, NewMark, NewRound, NewSitter, parse_body
from illusion.web.context import context
from illusion.web.limits import client_address
from illusion.web.pages import NO_STORE
from illusion.web.pages.evenings import drawn
from illusion.web.problems import Problem
from illusion.web.tokens import held, is_token

AT: Final = urls.API_EVENINGS + "/{evening}"


class Hosted(msgspec.Struct):
    """The new evening, and its host's token: keep it, and send it as a Bearer token."""

    evening: str
    token: str
    url: str


class Arrived(msgspec.Struct):
    """Your number and your token, which also holds your seats at tables that you are drawn to."""

    person: int
    token: str


@operation("post", urls.API_EVENINGS, "Open a club evening", {201: Hosted}, NewEvening)
async def open_evening(request: Request) -> Response:
    wanted = await parse_body(request, NewEvening)
    context(request).rate_limiter.enforce_new_table(client_address(request))
    evening, token = await context(request).evenings.open(wanted.name, wanted.terms, rated=wanted.rated)
    url = urls.absolute(request, urls.evening_page(evening))
    return Json(Hosted(evening, token, url), 201)


@operation("get", AT, "Look at an evening: people, rounds, standings", {200: PublicEvening})
async def look(request: Request) -> Response:
    id, evenings = request.path_params["evening"], context(request).evenings
    body: dict[str, Any] = msgspec.to_builtins(await evenings.public(id))
    if hashes := held(request, KEY + id).hashes:
        evening = await evenings.get(id)
        me = evening.person_of(hashes)
        body |= {"you": None if me is None else me.number, "host": evening.is_host(hashes)}
    return shown(body)


@operation("get", f"{AT}/seq", "The number of an evening's last entry: when it has grown, look again", {200: Done})
async def seq(request: Request) -> Response:
    return shown(Done((await context(request).evenings.get(request.path_params["evening"])).seq))


@operation("post", f"{AT}/people", "Come", {201: Arrived}, NewSitter)
async def come(request: Request) -> Response:
    """A request with a token of this evening keeps its person, also the host."""
    wanted, id = await parse_body(request, NewSitter), request.path_params["evening"]
    context(request).rate_limiter.arrivals.enforce(client_address(request))
    token = next(filter(is_token, held(request, KEY + id).tokens), "")
    return Json(Arrived(*await context(request).evenings.come(id, wanted.name, token)), 201)


@operation(
    "put",
    f"{AT}/people/{{person}}",
    "Be away or here again (host: anybody, and remove)",
    {200: Done},
    NewMark,
    seat=True,
)
async def mark(request: Request) -> Response:
    wanted, number = await parse_body(request, NewMark), request.path_params["person"]
    id, hashes = _by_whom(request)
    return _done(await context(request).evenings.mark(id, hashes, number, wanted.mark))


@operation("put", f"{AT}/people/{{person}}/host", "Make somebody a host, too (host)", {200: Done}, seat=True)
async def add_host(request: Request) -> Response:
    number, (id, hashes) = request.path_params["person"], _by_whom(request)
    evenings = context(request).evenings
    return _done(await evenings.execute(id, lambda state, now: commands.add_host(state, now, hashes, number)))


@operation("put", f"{AT}/door", "Let newcomers in or not (host)", {200: Done}, Door, seat=True)
async def set_door(request: Request) -> Response:
    wanted, (id, hashes) = await parse_body(request, Door), _by_whom(request)
    return _done(
        await context(request).evenings.execute(
            id, lambda state, now: commands.set_door(state, now, hashes, open=wanted.open)
        )
    )


@operation("post", f"{AT}/rounds", "Draw a round of tables by lot (host)", {201: Done}, NewRound, seat=True)
async def draw(request: Request) -> Response:
    wanted, (id, hashes) = await parse_body(request, NewRound), _by_whom(request)
    return _done(await drawn(request, id, hashes, wanted.round), 201)


@operation(
    "put",
    f"{AT}/tables/{{table}}",
    "Leave a table out of the standings, or take it in again (host)",
    {200: Done},
    Counts,
    seat=True,
)
async def count(request: Request) -> Response:
    wanted, (id, hashes), table = await parse_body(request, Counts), _by_whom(request), request.path_params["table"]
    return _done(
        await context(request).evenings.execute(
            id, lambda state, now: commands.count(state, now, hashes, table, counts=wanted.counts)
        )
    )


@operation("get", f"{AT}/results.csv", "Every result, for a spreadsheet", {200: "text/csv"})
async def results(request: Request) -> Response:
    return await _file(request, results_csv, "results")


@operation("get", f"{AT}/standings.csv", "The standings, for a spreadsheet", {200: "text/csv"})
async def standings(request: Request) -> Response:
    return await _file(request, standings_csv, "standings")


async def _file(request: Request, written: Callable[[PublicEvening], str], name: str) -> Response:
    evening = await context(request).evenings.public(request.path_params["evening"])
    headers = {**NO_STORE, "content-disposition": f'attachment; filename="{name}-{evening.evening}.csv"'}
    text = await context(request).service.worker.run(written, evening)
    return Response(text, headers=headers, media_type="text/csv; charset=utf-8")


def _by_whom(request: Request) -> tuple[str, Sequence[str]]:
    """The evening's id, and the hashes of the request's tokens."""
    id: str = request.path_params["evening"]
    hashes = held(request, KEY + id).hashes
    if not hashes:
        raise Problem(401, "no-token")
    return id, hashes


def _done(evening: Evening, status: int = 200) -> Response:
    return Json(Done(evening.seq), status)


ROUTES = [
    Route(each.path.replace("{person}", "{person:number}"), each.does, methods=[each.method])
    for each in OPERATIONS
    if each.path.startswith(urls.API_EVENINGS)
]

"""The JSON API: its operations, each with its route and its description for OpenAPI."""

import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from illusion.deck import PALETTES
from illusion.review import Review
from illusion.review.findings import sentence
from illusion.rules import Colour
from illusion.tables import Phase, PublicView, RefusalCode, Refused, Table, public_view
from illusion.tables.eyes import EyesOfSeats, InvalidCode, eyes_of
from illusion.tables.model import bot_players, commands
from illusion.tables.model.bot_players import Believed
from illusion.tables.model.entries import AnyEntry, Terms
from illusion.tables.public import record as records
from illusion.tables.public.record import Record, Replay
from illusion.tables.reviews import Progress
from illusion.tables.service import Command
from illusion.web import openapi, urls
from illusion.web.bodies import (
    HeldSeats,
    Lock,
    NewBot,
    NewMove,
    NewReaction,
    NewSitter,
    NewTable,
    NewWaiter,
    parse_body,
)
from illusion.web.context import context, current_table
from illusion.web.limits import client_address
from illusion.web.live.events import EventStream
from illusion.web.openapi import Answers, Operation
from illusion.web.pages import NO_STORE, page
from illusion.web.pictures import SVG, card
from illusion.web.problems import Problem
from illusion.web.reader import language_of
from illusion.web.tokens import acting_seat, device_hashes, held, held_seats, set_seat_cookie

REVIEW_RETRY_S: Final = "1"
"""The header `Retry-After` while a review is being computed."""

Endpoint = Callable[[Request], Awaitable[Response]]
SeatCommand = Callable[[Table, float, int], list[AnyEntry]]
"""Called with the state, the time and the acting seat; returns the entries to append."""


class TableOpened(msgspec.Struct):
    """The new table, your seat, and its token: keep it, and send it as a Bearer token."""

    table: str
    seat: int
    token: str
    url: str


class SeatTaken(msgspec.Struct):
    """Your seat and its token."""

    seat: int
    token: str


class SeatPromised(msgspec.Struct):
    """The token that will hold your seat in the next game."""

    token: str


class Done(msgspec.Struct):
    """The number of the table's last event."""

    seq: int


class Again(msgspec.Struct):
    """The table of the rematch."""

    table: str


class AllBelieved(msgspec.Struct):
    """What each bot saw in the last revealed row."""

    believed: list[Believed]


class Saw(msgspec.Struct):
    """A bot's estimates of the shares of cards, by their addresses."""

    shares: dict[str, dict[Colour, int]]


class Json(JSONResponse):
    """The answer to a change."""

    def render(self, content: Any) -> bytes:
        return msgspec.json.encode(content)


def shown(body: Any, status: int = 200) -> Json:
    """The answer to a GET, not to be cached: it may change, and is for this client alone."""
    return Json(body, status, NO_STORE)


OPERATIONS: Final[list[Operation]] = []
_AT: Final = urls.API_TABLES + "/{table}"


def operation(
    method: str, path: str, summary: str, answers: Answers, body: type | None = None, **more: Any
) -> Callable[[Endpoint], Endpoint]:
    """Decorator: adds an endpoint to the operations."""

    def add(endpoint: Endpoint) -> Endpoint:
        OPERATIONS.append(Operation(endpoint, method, path, summary, answers, body, **more))
        return endpoint

    return add


@operation("post", urls.API_TABLES, "Open a table", {201: TableOpened}, NewTable)
async def open_table(request: Request) -> Response:
    wanted = await parse_body(request, NewTable)
    service, rate_limiter = context(request).service, context(request).rate_limiter
    rate_limiter.enforce_new_table(client_address(request))
    table, token = await service.open(wanted.name, wanted.seats, wanted.terms(), wanted.bots)
    rate_limiter.unfinished_tables.open(client_address(request), table)
    url = urls.absolute(request, urls.table_page(table))
    response = Json(TableOpened(table, 0, token, url), 201)
    set_seat_cookie(response, request, table, (token,))
    return response


@operation("get", _AT, "Look at a table", {200: PublicView})
async def look(request: Request) -> Response:
    table = await current_table(request)
    body: dict[str, Any] = msgspec.to_builtins(public_view(table))
    mine = held(request, table.id)
    if mine.tokens:
        body["you"] = next(iter(mine.seats(table)), None)
    return shown(body)


@operation("put", _AT, "Choose the game, the clock and the cost of a wrong doubt (host)", {200: Done}, Terms, seat=True)
async def arrange(request: Request) -> Response:
    terms = await parse_body(request, Terms)
    return await _execute(request, lambda table, now, seat: commands.arrange(table, now, seat, terms))


@operation("post", f"{_AT}/seats", "Sit down; during a game, for a bot or somebody away", {201: SeatTaken}, NewSitter)
async def sit(request: Request) -> Response:
    wanted, table = await parse_body(request, NewSitter), request.path_params["table"]
    known = device_hashes(request, table)
    seat, token = await context(request).service.sit(table, wanted.name, seat=wanted.seat, known=known)
    response = Json(SeatTaken(seat, token), 201)
    set_seat_cookie(response, request, table, (token,))
    return response


@operation("delete", f"{_AT}/seats/{{seat}}", "Free a person's seat (host)", {200: Done}, seat=True)
async def free(request: Request) -> Response:
    other = request.path_params["seat"]
    return await _execute_as_host(request, lambda table, now, seat: commands.free(table, now, seat, other))


@operation("delete", f"{_AT}/people/{{seat}}", "Ask a person to leave for good (host)", {200: Done}, seat=True)
async def send_away(request: Request) -> Response:
    other = request.path_params["seat"]
    return await _execute_as_host(request, lambda table, now, seat: commands.send_away(table, now, seat, other))


@operation("put", f"{_AT}/lock", "Lock or unlock the table (host)", {200: Done}, Lock, seat=True)
async def lock(request: Request) -> Response:
    wanted = await parse_body(request, Lock)
    return await _execute_as_host(
        request, lambda table, now, seat: commands.lock(table, now, seat, locked=wanted.locked)
    )


@operation("post", f"{_AT}/waiting", "Wait for a seat in the next game", {201: SeatPromised}, NewWaiter)
async def wait(request: Request) -> Response:
    wanted, table = await parse_body(request, NewWaiter), request.path_params["table"]
    token = await context(request).service.wait(table, wanted.name, known=device_hashes(request, table))
    response = Json(SeatPromised(token), 201)
    set_seat_cookie(response, request, table, (token,))
    return response


@operation("delete", f"{_AT}/waiting/{{number}}", "Stop waiting (also the host, for others)", {200: Done}, seat=True)
async def give_up(request: Request) -> Response:
    number = request.path_params["number"]

    def give_up(table: Table, now: float) -> list[AnyEntry]:
        mine = held(request, table.id)
        if not mine.tokens:
            raise Problem(401, "no-token")
        return commands.give_up(table, now, number, mine.hashes)

    return await _run(request, give_up)


@operation("delete", f"{_AT}/seats/me", "Leave", {200: Done}, seat=True)
async def leave(request: Request) -> Response:
    """All people on this device leave together."""
    return await _execute_together(request, commands.leave)


@operation("put", f"{_AT}/seats/me", "Come back", {200: Done}, seat=True)
async def come_back(request: Request) -> Response:
    return await _execute_together(request, commands.come_back)


@operation("post", f"{_AT}/bots", "Add a bot (host)", {201: Done}, NewBot, seat=True)
async def add_bot(request: Request) -> Response:
    wanted = await parse_body(request, NewBot)
    return await _execute(request, lambda table, now, seat: commands.add_bot(table, now, seat, wanted.level), 201)


@operation("delete", f"{_AT}/bots/{{seat}}", "Remove a bot (host)", {200: Done}, seat=True)
async def remove_bot(request: Request) -> Response:
    bot = request.path_params["seat"]
    return await _execute(request, lambda table, now, seat: commands.remove_bot(table, now, seat, bot))


@operation("post", f"{_AT}/start", "Deal (host)", {200: Done}, seat=True)
async def start(request: Request) -> Response:
    return await _execute(request, commands.start)


@operation("post", f"{_AT}/moves", "Place or doubt", {200: Done}, NewMove, seat=True)
async def move(request: Request) -> Response:
    wanted = await parse_body(request, NewMove)
    chosen = wanted.chosen()
    return await _execute(request, lambda table, now, seat: commands.move(table, now, seat, chosen, wanted.seq))


@operation(
    "post",
    f"{_AT}/reactions",
    "Show a reaction: streams get an event named reaction, without a number",
    {200: Done},
    NewReaction,
    seat=True,
)
async def react(request: Request) -> Response:
    """Sent to connected readers, and not stored."""
    wanted, table = await parse_body(request, NewReaction), await current_table(request)
    seat = acting_seat(request, table)
    if table.phase is Phase.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED)
    context(request).rate_limiter.reactions.enforce(f"{table.id} {seat}")
    return Json(Done(await context(request).service.react(table.id, seat, wanted.reaction)))


@operation("post", f"{_AT}/rematch", "Open the rematch, or join it", {200: Again}, seat=True)
async def rematch(request: Request) -> Response:
    """The first request opens the new table; all who played or were promised a seat join it by the same request. Tokens
    of the old table hold the seats of the new one."""
    table, rate_limiter = await current_table(request), context(request).rate_limiter
    mine = held(request, table.id)
    is_first = table.rematch is None
    if is_first or not commands.people_of(table, mine.hashes):
        mine.acting_seat(table)
    if is_first:
        rate_limiter.enforce_new_table(client_address(request))
    again = await context(request).service.rematch(table.id, mine.hashes)
    if is_first:
        rate_limiter.unfinished_tables.open(client_address(request), again)
    response = Json(Again(again))
    set_seat_cookie(response, request, again, mine.tokens)
    return response


@operation("get", f"{_AT}/record", "The record of a finished game, to keep and to verify", {200: Record}, also=(409,))
async def record(request: Request) -> Response:
    return shown(await context(request).service.record(request.path_params["table"]))


@operation("get", f"{_AT}/replay", "A finished game, move by move", {200: Replay}, also=(409,))
async def replay(request: Request) -> Response:
    """In the worker's thread, since a long game has hundreds of moments."""
    table = await current_table(request)
    return await context(request).service.worker.run(lambda: shown(records.replay(table)))


@operation("get", f"{_AT}/saw/{{seat}}", "A bot's estimates of a finished game's cards", {200: Saw}, also=(409,))
async def saw(request: Request) -> Response:
    service, seat, table = context(request).service, request.path_params["seat"], await current_table(request)
    records.check_bot(table, seat)
    sights = await service.pictures.sights(table.seen_cards())
    return shown({"shares": await service.worker.run(records.seen_by_bot, table, seat, sights)})


@operation(
    "get",
    f"{_AT}/review",
    "The review of a finished game: eye, judgement and luck of every decision; 202 while it is being computed",
    {200: Review, 202: Progress},
    also=(409,),
)
async def review(request: Request) -> Response:
    """While another process computes it: 202 with the progress and `Retry-After`."""
    service, table = context(request).service, request.path_params["table"]
    found = await service.review(table)
    if isinstance(found, bytes):
        return shown(_in_words(msgspec.json.decode(found, type=Review), request, await service.get(table)))
    response = shown(found, 202)
    response.headers["retry-after"] = REVIEW_RETRY_S
    return response


def _in_words(review: Review, request: Request, table: Table) -> Review:
    names, language, mine = [sitter.name for sitter in table.sitters], language_of(request), held_seats(request, table)
    you = mine[0] if len(mine) == 1 else None
    said = [sentence(point, names, language, you) for point in review.turning_points]
    return msgspec.structs.replace(review, sentences=said)


@operation("get", f"{_AT}/believed", "What bots saw in the last revealed row", {200: AllBelieved})
async def believed(request: Request) -> Response:
    service, table = context(request).service, await current_table(request)
    sights = await service.pictures.sights(table.turned_over_cards())
    return shown({"believed": await service.worker.run(bot_players.believed, table, sights)})


@operation("get", f"{_AT}/events", "The table's events, as a stream", {200: "text/event-stream"}, also=(400,))
async def events(request: Request) -> Response:
    """All events after the last one seen, and new ones as they happen."""
    table = request.path_params["table"]
    await context(request).service.get(table)
    return EventStream(request, table)


@operation(
    "post",
    "/api/eyes",
    "Somebody's own eyes, from the seats they held at finished tables; 202 while they are being computed",
    {200: EyesOfSeats, 202: EyesOfSeats},
    HeldSeats,
)
async def eyes(request: Request) -> Response:
    """Computed from the request alone: nothing about anybody's eyes is stored."""
    wanted = await parse_body(request, HeldSeats)
    address, limiter = client_address(request), context(request).rate_limiter
    try:
        seats = wanted.all_seats()
        limiter.enforce_guesses(address, len(seats))
        found = await eyes_of(context(request).service, seats, wanted.guesses)
    except InvalidCode:
        raise Problem(400, "bad-code") from None
    guesses = sum(left.why is RefusalCode.NO_SUCH_TABLE for left in found.left_out)
    limiter.return_guesses(address, len(seats) - guesses)
    if found.eyes is not None:
        return Json(found)
    return Json(found, 202, {"retry-after": REVIEW_RETRY_S})


operation(
    "get",
    urls.CARD_PICTURE,
    "The picture of a card, once it has been visible at its table; it never changes",
    {200: SVG},
    also=(400, 404),
    query={"palette": {"type": "string", "enum": list(PALETTES)}},
)(card)


def _execute(request: Request, command: SeatCommand, status: int = 200) -> Awaitable[Response]:
    """Execute a command for the acting seat."""
    return _run(request, lambda table, now: command(table, now, acting_seat(request, table)), status)


def _execute_as_host(request: Request, command: SeatCommand, status: int = 200) -> Awaitable[Response]:
    """As `_execute`, but if several people share the device the acting seat is the host's."""

    def as_host(table: Table, now: float) -> list[AnyEntry]:
        seat = acting_seat(request, table)
        return command(table, now, table.host if table.host in held_seats(request, table) else seat)

    return _run(request, as_host, status)


async def _execute_together(request: Request, command: SeatCommand) -> Response:
    """Execute a command for all seats that the request holds, as one change."""

    def for_each(table: Table, now: float) -> list[AnyEntry]:
        acting_seat(request, table)  # refuses a request without a seat
        return [entry for seat in held_seats(request, table) for entry in command(table, now, seat)]

    return await _run(request, for_each)


async def _run(request: Request, command: Command, status: int = 200) -> Response:
    """Execute a command. It looks up seats itself: dealing may have changed their order since the request came."""
    return Json(Done(await context(request).service.execute(request.path_params["table"], command)), status)


@cache
def description() -> dict[str, Any]:
    """Of every server's API, wherever it is."""
    return openapi.description(OPERATIONS)


async def as_json(request: Request) -> Response:
    described = await context(request).service.worker.run(description)
    return shown({**described, "servers": [{"url": urls.at(request, "") or "/"}]})


async def as_page(request: Request) -> Response:
    return await page(request, "api.html", operations=OPERATIONS, description=description)


ROUTES = [
    *(
        Route(re.sub(r"{(seat|number)}", r"{\1:number}", each.path), each.does, methods=[each.method])
        for each in OPERATIONS
    ),
    Route("/api/openapi.json", as_json, methods=["GET"]),
    Route("/api/docs", as_page, methods=["GET"]),
]

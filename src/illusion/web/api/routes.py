"""What the JSON API does. Pages use the same service, so both have the same authority."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from illusion.review import Review
from illusion.review.findings import sentence
from illusion.tables import Phase, RefusalCode, Refused, Table, TableService, public_view
from illusion.tables.eyes import eyes_of
from illusion.tables.model import bot_players, commands
from illusion.tables.model.entries import AnyEntry
from illusion.tables.public import record as records
from illusion.tables.public.seats_code import InvalidCode
from illusion.tables.service import Command
from illusion.web import urls
from illusion.web.bodies import (
    HeldSeats,
    NewArrangement,
    NewBot,
    NewMove,
    NewReaction,
    NewSitter,
    NewTable,
    parse_body,
)
from illusion.web.context import context
from illusion.web.limits import client_address
from illusion.web.live.events import EventStream
from illusion.web.problems import Problem
from illusion.web.reader import language_of
from illusion.web.tokens import acting_seat, held, held_seats, set_seat_cookie

REVIEW_RETRY_S: Final = 1
"""When to ask again for what is being reckoned."""

SeatCommand = Callable[[Table, float, int], list[AnyEntry]]
"""Given the state, the time and the seat that acts, the entries to append."""


def answer(body: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, media_type="application/json")


def shown(body: Any, status: int = 200) -> Response:
    """What is looked at: it may be something else the next time, and it is nobody else's."""
    return Response(msgspec.json.encode(body), status, {"cache-control": "no-store"}, "application/json")


async def open_table(request: Request) -> Response:
    wanted = await parse_body(request, NewTable)
    rate_limiter = context(request).rate_limiter
    rate_limiter.enforce_new_table(client_address(request))
    table, token = await _service(request).open(wanted.name, wanted.seats, wanted.variant, wanted.bots, wanted.clock)
    rate_limiter.unfinished_tables.open(client_address(request), table)
    url = str(request.base_url.replace(path=urls.table_page(table)))
    response = answer({"table": table, "seat": 0, "token": token, "url": url}, 201)
    set_seat_cookie(response, request, table, (token,))
    return response


async def look(request: Request) -> Response:
    state = await _service(request).get_current(request.path_params["table"])
    body: dict[str, Any] = msgspec.to_builtins(public_view(state))
    mine = held(request, state.id)
    if mine.tokens:
        body["you"] = next(iter(mine.seats(state)), None)
    return shown(body)


async def arrange(request: Request) -> Response:
    wanted = await parse_body(request, NewArrangement)
    return await _execute(
        request, lambda state, now, seat: commands.arrange(state, now, seat, wanted.variant, wanted.clock)
    )


async def sit(request: Request) -> Response:
    wanted, table = await parse_body(request, NewSitter), request.path_params["table"]
    seat, token = await _service(request).sit(table, wanted.name)
    response = answer({"seat": seat, "token": token}, 201)
    set_seat_cookie(response, request, table, (token,))
    return response


async def leave(request: Request) -> Response:
    """All who share the device leave together."""
    return await _execute_together(request, commands.leave)


async def come_back(request: Request) -> Response:
    return await _execute_together(request, commands.come_back)


async def add_bot(request: Request) -> Response:
    wanted = await parse_body(request, NewBot)
    return await _execute(request, lambda state, now, seat: commands.add_bot(state, now, seat, wanted.level), 201)


async def remove_bot(request: Request) -> Response:
    bot = request.path_params["seat"]
    return await _execute(request, lambda state, now, seat: commands.remove_bot(state, now, seat, bot))


async def start(request: Request) -> Response:
    return await _execute(request, commands.start)


async def move(request: Request) -> Response:
    wanted = await parse_body(request, NewMove)
    chosen = wanted.chosen()
    return await _execute(request, lambda state, now, seat: commands.move(state, now, seat, chosen, wanted.seq))


async def react(request: Request) -> Response:
    """Sent to the readers connected now, and not stored."""
    service, wanted = _service(request), await parse_body(request, NewReaction)
    state = await service.get_current(request.path_params["table"])
    seat = acting_seat(request, state)
    if state.phase is Phase.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED)
    context(request).rate_limiter.reactions.enforce(f"{state.id} {seat}")
    return answer({"seq": await service.react(state.id, seat, wanted.reaction)})


def _execute(request: Request, command: SeatCommand, status: int = 200) -> Awaitable[Response]:
    """Execute a command for the seat that the request acts for, and answer with the table's last number."""
    return _run(request, lambda state, now: command(state, now, acting_seat(request, state)), status)


async def _execute_together(request: Request, command: SeatCommand) -> Response:
    """The same command for every seat that the request holds, as one change."""

    def for_each(state: Table, now: float) -> list[AnyEntry]:
        acting_seat(request, state)  # refuses a request without a seat
        return [entry for seat in held_seats(request, state) for entry in command(state, now, seat)]

    return await _run(request, for_each)


async def _run(request: Request, command: Command, status: int = 200) -> Response:
    """Seats are looked up when the command is executed: until then somebody may have dealt and changed their order."""
    return answer({"seq": await _service(request).execute(request.path_params["table"], command)}, status)


async def rematch(request: Request) -> Response:
    """The new table; the seat tokens of the old one hold the same seats there."""
    service, table = _service(request), request.path_params["table"]
    state, rate_limiter = await service.get_current(table), context(request).rate_limiter
    acting_seat(request, state)
    is_first = state.rematch is None
    if is_first:
        rate_limiter.enforce_new_table(client_address(request))
    again = await service.rematch(table)
    if is_first:
        rate_limiter.unfinished_tables.open(client_address(request), again)
    response = answer({"table": again})
    set_seat_cookie(response, request, again, held(request, table).tokens)
    return response


async def record(request: Request) -> Response:
    """A finished game, for `illusion verify`."""
    return shown(await _service(request).record(request.path_params["table"]))


async def replay(request: Request) -> Response:
    """A finished game, moment by moment; in a thread, since a long game has hundreds."""
    table = await _service(request).get_current(request.path_params["table"])
    return await _service(request).worker.run(lambda: shown(records.replay(table)))


async def saw(request: Request) -> Response:
    """What a bot took every card of a finished game to be."""
    service, seat = _service(request), request.path_params["seat"]
    table = await service.get_current(request.path_params["table"])
    records.check_bot(table, seat)
    sights = await service.pictures.sights(table.seen_cards())
    return shown({"shares": await service.worker.run(records.seen_by_bot, table, seat, sights)})


async def review(request: Request) -> Response:
    """How a finished game went. While another process reckons it: 202, how far it is, and when to ask again."""
    table = request.path_params["table"]
    found = await _service(request).review(table)
    if isinstance(found, bytes):
        return shown(_in_words(msgspec.json.decode(found, type=Review), request, await _service(request).get(table)))
    response = shown(found, 202)
    response.headers["retry-after"] = str(REVIEW_RETRY_S)
    return response


def _in_words(review: Review, request: Request, table: Table) -> Review:
    names = [sitter.name for sitter in table.sitters]
    said = [sentence(point, names, language_of(request)) for point in review.turning_points]
    return msgspec.structs.replace(review, sentences=said)


async def eyes(request: Request) -> Response:
    """Somebody's own eyes. What they send is all there is: nothing about them is stored."""
    wanted = await parse_body(request, HeldSeats)
    address, limiter = client_address(request), context(request).rate_limiter
    try:
        seats = wanted.all_seats()
        limiter.enforce_guesses(address, len(seats))
        told = await eyes_of(_service(request), seats)
    except InvalidCode:
        raise Problem(400, "bad-code") from None
    guesses = sum(left.why is RefusalCode.NO_SUCH_TABLE for left in told.left_out)
    limiter.return_guesses(address, len(seats) - guesses)
    response = answer(told, 202 if told.eyes is None else 200)
    if told.eyes is None:
        response.headers["retry-after"] = str(REVIEW_RETRY_S)
    return response


async def believed(request: Request) -> Response:
    """What each bot saw in the last revealed row."""
    service = _service(request)
    table = await service.get_current(request.path_params["table"])
    sights = await service.pictures.sights(table.turned_over_cards())
    return shown({"believed": await service.worker.run(bot_players.believed, table, sights)})


async def events(request: Request) -> Response:
    """The log as it happens, from the entry after the one last seen."""
    service, table = _service(request), request.path_params["table"]
    await service.get(table)
    return EventStream(request, table)


def _service(request: Request) -> TableService:
    return context(request).service

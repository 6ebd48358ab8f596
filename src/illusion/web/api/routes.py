"""The JSON API: the same authority the pages use."""

import asyncio
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.languages import N_
from illusion.rules import Doubt, Move, Place, Variant
from illusion.tables import Phase, Reaction, RefusalCode, Refused, Table, TableService, public_view
from illusion.tables.model import bot_players, commands
from illusion.tables.model.entries import AnyEntry
from illusion.web.http.limits import read_body
from illusion.web.http.problems import Problem
from illusion.web.http.seat_tokens import held, keep, my_seat, tokens
from illusion.web.live.event_stream import EventStream


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """What a table is opened with."""

    name: str
    seats: int = 4
    variant: Variant = Variant.FIRST_TO_THREE
    bots: list[str] = []
    clock: int | None = None


class NewArrangement(msgspec.Struct, forbid_unknown_fields=True):
    """The game and the clock, chosen while people gather."""

    variant: Variant
    clock: int | None


class NewSitter(msgspec.Struct, forbid_unknown_fields=True):
    """Who sits down."""

    name: str


class NewBot(msgspec.Struct, forbid_unknown_fields=True):
    """Which bot is put into a chair."""

    level: str


class NewMove(msgspec.Struct, forbid_unknown_fields=True):
    """A move, made on the state with this number."""

    move: Literal["place", "doubt"]
    seq: int
    gap: int | None = None

    def chosen(self) -> Move:
        if self.move == "doubt":
            return Doubt()
        if self.gap is None:
            raise Problem(400, "unparsable", why=N_("a placement needs a gap"))
        return Place(self.gap)


class NewReaction(msgspec.Struct, forbid_unknown_fields=True):
    """What a player shows to the table."""

    reaction: Reaction


Asked = TypeVar("Asked")


async def asked(request: Request, kind: type[Asked]) -> Asked:
    """The request's body as the kind of thing it should be."""
    try:
        return msgspec.json.decode(await read_body(request), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Problem(400, "unparsable", why=str(error).rstrip(".")) from None


class Answer(Response):
    """JSON with the two headers it needs, made without looking for others."""

    def __init__(self, body: Any, status: int = 200) -> None:
        self.status_code = status
        self.background = None
        self.body = msgspec.json.encode(body)
        self.raw_headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(self.body))]


def answer(body: Any, status: int = 200) -> Response:
    return Answer(body, status)


async def open_table(request: Request) -> Response:
    wanted = await asked(request, NewTable)
    request.app.state.opening.check(request)
    table, token = await _service(request).open(wanted.name, wanted.seats, wanted.variant, wanted.bots, wanted.clock)
    url = str(request.base_url.replace(path=f"/table/{table}"))
    response = answer({"table": table, "seat": 0, "token": token, "url": url}, 201)
    keep(response, request, table, [token])
    return response


async def look(request: Request) -> Response:
    service, table = _service(request), request.path_params["table"]
    state = await service.get_current(table)
    body: dict[str, Any] = msgspec.to_builtins(public_view(state))
    if tokens(request, table):
        seats = await held(request, service, table)
        body["you"] = seats[0] if seats else None
    return Response(msgspec.json.encode(body), headers={"cache-control": "no-store"}, media_type="application/json")


async def arrange(request: Request) -> Response:
    service, table, wanted = _service(request), request.path_params["table"], await asked(request, NewArrangement)
    seat = await my_seat(request, service, table)
    change = await service.execute(
        table, lambda state, now: commands.arrange(state, now, seat, wanted.variant, wanted.clock)
    )
    return answer({"seq": change})


async def sit(request: Request) -> Response:
    wanted, table = await asked(request, NewSitter), request.path_params["table"]
    seat, token = await _service(request).sit(table, wanted.name)
    response = answer({"seat": seat, "token": token}, 201)
    keep(response, request, table, [token])
    return response


async def leave(request: Request) -> Response:
    """Everybody who shares the device leaves together."""
    return await _together(request, commands.leave)


async def come_back(request: Request) -> Response:
    return await _together(request, commands.come_back)


async def _together(request: Request, command: Callable[[Table, float, int], list[AnyEntry]]) -> Response:
    """The same for every seat that the request may speak for, all at once."""
    service, table = _service(request), request.path_params["table"]
    await my_seat(request, service, table)
    seats = await held(request, service, table)
    seq = await service.execute(
        table, lambda state, now: [entry for seat in seats for entry in command(state, now, seat)]
    )
    return answer({"seq": seq})


async def add_bot(request: Request) -> Response:
    service, table, wanted = _service(request), request.path_params["table"], await asked(request, NewBot)
    seat = await my_seat(request, service, table)
    seq = await service.execute(table, lambda state, now: commands.add_bot(state, now, seat, wanted.level))
    return answer({"seq": seq}, 201)


async def remove_bot(request: Request) -> Response:
    service, table, bot = _service(request), request.path_params["table"], request.path_params["seat"]
    seat = await my_seat(request, service, table)
    return answer({"seq": await service.execute(table, lambda state, now: commands.remove_bot(state, now, seat, bot))})


async def start(request: Request) -> Response:
    service, table = _service(request), request.path_params["table"]
    seat = await my_seat(request, service, table)
    return answer({"seq": await service.execute(table, lambda state, now: commands.start(state, now, seat))})


async def move(request: Request) -> Response:
    service, table, wanted = _service(request), request.path_params["table"], await asked(request, NewMove)
    chosen = wanted.chosen()
    seat = await my_seat(request, service, table)
    return answer({"seq": await service.move(table, seat, chosen, wanted.seq)})


async def react(request: Request) -> Response:
    """Heard by whoever listens just now, and forgotten."""
    service, table, wanted = _service(request), request.path_params["table"], await asked(request, NewReaction)
    seat = await my_seat(request, service, table)
    if (await service.get(table)).phase is Phase.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED)
    request.app.state.reacting.count(f"{table} {seat}")
    return answer({"seq": await service.react(table, seat, wanted.reaction)})


async def rematch(request: Request) -> Response:
    """The new table; the seat tokens of the old one hold the same seats there."""
    service, table = _service(request), request.path_params["table"]
    await my_seat(request, service, table)
    again = await service.rematch(table)
    response = answer({"table": again})
    keep(response, request, again, tokens(request, table))
    return response


async def record(request: Request) -> Response:
    """A finished game, for `illusion verify`."""
    return answer(await _service(request).record(request.path_params["table"]))


async def believed(request: Request) -> Response:
    """What each bot saw in the row that was last turned over; looking at pictures takes a while."""
    table = await _service(request).get_current(request.path_params["table"])
    return answer({"believed": await asyncio.to_thread(bot_players.believed, table)})


async def events(request: Request) -> Response:
    """The log as it happens, from the entry after the one last seen."""
    service, table = _service(request), request.path_params["table"]
    await service.get(table)
    return EventStream(request, table, "json", lambda event: b"data: " + event)


def _service(request: Request) -> TableService:
    service: TableService = request.app.state.service
    return service


ROUTES = [
    Route("/api/tables", open_table, methods=["POST"]),
    Route("/api/tables/{table}", look, methods=["GET"]),
    Route("/api/tables/{table}", arrange, methods=["PUT"]),
    Route("/api/tables/{table}/seats", sit, methods=["POST"]),
    Route("/api/tables/{table}/seats/me", leave, methods=["DELETE"]),
    Route("/api/tables/{table}/seats/me", come_back, methods=["PUT"]),
    Route("/api/tables/{table}/bots", add_bot, methods=["POST"]),
    Route("/api/tables/{table}/bots/{seat:int}", remove_bot, methods=["DELETE"]),
    Route("/api/tables/{table}/start", start, methods=["POST"]),
    Route("/api/tables/{table}/moves", move, methods=["POST"]),
    Route("/api/tables/{table}/reactions", react, methods=["POST"]),
    Route("/api/tables/{table}/rematch", rematch, methods=["POST"]),
    Route("/api/tables/{table}/record", record, methods=["GET"]),
    Route("/api/tables/{table}/believed", believed, methods=["GET"]),
    Route("/api/tables/{table}/events", events, methods=["GET"]),
]

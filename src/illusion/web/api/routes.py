"""The routes of the JSON API. Pages use the same service, so both have the same authority."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.tables import Phase, RefusalCode, Refused, Table, TableService, public_view
from illusion.tables.model import bot_players, commands
from illusion.tables.model.entries import AnyEntry
from illusion.web.api.requests import NewArrangement, NewBot, NewMove, NewReaction, NewSitter, NewTable, parse_body
from illusion.web.context import context
from illusion.web.http import urls
from illusion.web.http.request_info import client_network
from illusion.web.http.seat_tokens import acting_seat, held_seats, set_seat_cookie, tokens
from illusion.web.live.event_stream import EventStream


def answer(body: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, media_type="application/json")


async def open_table(request: Request) -> Response:
    wanted = await parse_body(request, NewTable)
    context(request).rate_limiter.new_tables.enforce(client_network(request.client.host) if request.client else "")
    table, token = await _service(request).open(wanted.name, wanted.seats, wanted.variant, wanted.bots, wanted.clock)
    url = str(request.base_url.replace(path=urls.table_page(table)))
    response = answer({"table": table, "seat": 0, "token": token, "url": url}, 201)
    set_seat_cookie(response, request, table, (token,))
    return response


async def look(request: Request) -> Response:
    service, table = _service(request), request.path_params["table"]
    state = await service.get_current(table)
    body: dict[str, Any] = msgspec.to_builtins(public_view(state))
    if tokens(request, table):
        seats = await held_seats(request, service, table)
        body["you"] = seats[0] if seats else None
    return Response(msgspec.json.encode(body), headers={"cache-control": "no-store"}, media_type="application/json")


async def arrange(request: Request) -> Response:
    service, table, wanted = _service(request), request.path_params["table"], await parse_body(request, NewArrangement)
    seat = await acting_seat(request, service, table)
    change = await service.execute(
        table, lambda state, now: commands.arrange(state, now, seat, wanted.variant, wanted.clock)
    )
    return answer({"seq": change})


async def sit(request: Request) -> Response:
    wanted, table = await parse_body(request, NewSitter), request.path_params["table"]
    seat, token = await _service(request).sit(table, wanted.name)
    response = answer({"seat": seat, "token": token}, 201)
    set_seat_cookie(response, request, table, (token,))
    return response


async def leave(request: Request) -> Response:
    """All who share the device leave together."""
    return await _together(request, commands.leave)


async def come_back(request: Request) -> Response:
    return await _together(request, commands.come_back)


async def _together(request: Request, command: Callable[[Table, float, int], list[AnyEntry]]) -> Response:
    """The same command for every seat that the request holds, as one change."""
    service, table = _service(request), request.path_params["table"]
    await acting_seat(request, service, table)
    seats = await held_seats(request, service, table)
    seq = await service.execute(
        table, lambda state, now: [entry for seat in seats for entry in command(state, now, seat)]
    )
    return answer({"seq": seq})


async def add_bot(request: Request) -> Response:
    service, table, wanted = _service(request), request.path_params["table"], await parse_body(request, NewBot)
    seat = await acting_seat(request, service, table)
    seq = await service.execute(table, lambda state, now: commands.add_bot(state, now, seat, wanted.level))
    return answer({"seq": seq}, 201)


async def remove_bot(request: Request) -> Response:
    service, table, bot = _service(request), request.path_params["table"], request.path_params["seat"]
    seat = await acting_seat(request, service, table)
    return answer({"seq": await service.execute(table, lambda state, now: commands.remove_bot(state, now, seat, bot))})


async def start(request: Request) -> Response:
    service, table = _service(request), request.path_params["table"]
    seat = await acting_seat(request, service, table)
    return answer({"seq": await service.execute(table, lambda state, now: commands.start(state, now, seat))})


async def move(request: Request) -> Response:
    service, table, wanted = _service(request), request.path_params["table"], await parse_body(request, NewMove)
    chosen = wanted.chosen()
    seat = await acting_seat(request, service, table)
    return answer({"seq": await service.move(table, seat, chosen, wanted.seq)})


async def react(request: Request) -> Response:
    """Sent to the readers connected now, and not stored."""
    service, table, wanted = _service(request), request.path_params["table"], await parse_body(request, NewReaction)
    seat = await acting_seat(request, service, table)
    if (await service.get(table)).phase is Phase.CLOSED:
        raise Refused(RefusalCode.TABLE_CLOSED)
    context(request).rate_limiter.reactions.enforce(f"{table} {seat}")
    return answer({"seq": await service.react(table, seat, wanted.reaction)})


async def rematch(request: Request) -> Response:
    """The new table; the seat tokens of the old one hold the same seats there."""
    service, table = _service(request), request.path_params["table"]
    await acting_seat(request, service, table)
    again = await service.rematch(table)
    response = answer({"table": again})
    set_seat_cookie(response, request, again, tokens(request, table))
    return response


async def record(request: Request) -> Response:
    """A finished game, for `illusion verify`."""
    return answer(await _service(request).record(request.path_params["table"]))


async def believed(request: Request) -> Response:
    """What each bot saw in the last revealed row; in a thread, since looking at pictures takes a while."""
    table = await _service(request).get_current(request.path_params["table"])
    return answer({"believed": await asyncio.to_thread(bot_players.believed, table)})


async def events(request: Request) -> Response:
    """The log as it happens, from the entry after the one last seen."""
    service, table = _service(request), request.path_params["table"]
    await service.get(table)
    return EventStream(request, table, "json", lambda notice: b"data: " + notice.json)


def _service(request: Request) -> TableService:
    return context(request).service


ROUTES = [
    Route(urls.API_TABLES, open_table, methods=["POST"]),
    Route(urls.API_TABLE, look, methods=["GET"]),
    Route(urls.API_TABLE, arrange, methods=["PUT"]),
    Route(urls.API_TABLE + "/seats", sit, methods=["POST"]),
    Route(urls.API_TABLE + "/seats/me", leave, methods=["DELETE"]),
    Route(urls.API_TABLE + "/seats/me", come_back, methods=["PUT"]),
    Route(urls.API_TABLE + "/bots", add_bot, methods=["POST"]),
    Route(urls.API_TABLE + "/bots/{seat:int}", remove_bot, methods=["DELETE"]),
    Route(urls.API_TABLE + "/start", start, methods=["POST"]),
    Route(urls.API_TABLE + "/moves", move, methods=["POST"]),
    Route(urls.API_TABLE + "/reactions", react, methods=["POST"]),
    Route(urls.API_TABLE + "/rematch", rematch, methods=["POST"]),
    Route(urls.API_TABLE + "/record", record, methods=["GET"]),
    Route(urls.API_TABLE + "/believed", believed, methods=["GET"]),
    Route(urls.API_TABLE + "/events", events, methods=["GET"]),
]

"""A page's connection to its table: one WebSocket, for events and moves.

A text that it sends is one or more messages in JSON, one a line: the answer to a move goes with the event.

Seats are proved once, by the cookies of the request that opens it; only our own pages can open one with cookies (see
`web.security`). One task reads and one writes: the request's own has a dozen calls of middleware to wake.
"""

import asyncio
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, Literal

import msgspec
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from illusion.languages import N_
from illusion.rules import Doubt, Place
from illusion.tables import Table
from illusion.tables.model import commands
from illusion.web import urls
from illusion.web.bodies import DECODE_ERRORS, unparsable
from illusion.web.context import context
from illusion.web.limits import client_address
from illusion.web.live.events import last_seen
from illusion.web.live.hub import Inbox, caught_up
from illusion.web.problems import REFUSALS, TOO_MANY_REQUESTS, Problem, as_refusal, problem_body, problem_response
from illusion.web.reader import language_of
from illusion.web.telemetry import Answered
from illusion.web.tokens import held

SERVICE_RESTART: Final = 1012
"""Closing code: the page shall reconnect."""
REST_S: Final = 1.0
"""Pause in reading after a 429, so that refusing a flood costs nearly nothing."""
MOVE: Final = "a move"
"""The name of moves among the routes of metrics and log."""


async def live(websocket: WebSocket) -> None:
    used, table = context(websocket), websocket.path_params["table"]
    try:
        after = last_seen(websocket)
        await used.service.get(table)  # refuses one that does not exist
        async with used.hubs.join(table, after, is_page=True) as (inbox, missed):
            state = used.service.in_memory(table)
            if missed and state is not None:
                inbox.put(caught_up(state, missed))
            await websocket.accept()
            await _Page(websocket, table, inbox, after).run()
    except REFUSALS as error:
        refusal = as_refusal(error)
        websocket.scope["refused"] = str(refusal.code)
        await websocket.send_denial_response(problem_response(refusal, language_of(websocket)))


class Frame(msgspec.Struct, forbid_unknown_fields=True):
    """A message from a page: a move, or that it has shown everything up to number `read`.

    The answer to a move has the move's `id`.
    """

    id: int | None = None
    move: Literal["place", "doubt"] | None = None
    seq: int | None = None
    gap: int | None = None
    read: int | None = None


class _Page:
    """An open page."""

    def __init__(self, websocket: WebSocket, table: str, inbox: Inbox, after: int) -> None:
        self._websocket = websocket
        self._table = table
        self._inbox = inbox
        self._after = after
        self._context = context(websocket)
        self._address = client_address(websocket)
        self._language = language_of(websocket)
        self._seats = held(websocket, table)

    async def run(self) -> None:
        service = self._context.service
        state = service.in_memory(self._table)
        if state is not None and self._seats.seats(state):
            service.open_page(self._table, self, self._after)
        reader, writer = asyncio.create_task(self._read()), asyncio.create_task(self._write())
        try:
            await reader
        finally:
            service.close_page(self._table, self)
            self._context.hubs.tell_who_reads(self._table)
            reader.cancel()
            writer.cancel()

    def seats_at(self, table: Table) -> list[int]:
        return self._seats.seats(table)

    async def _read(self) -> None:
        while (message := await self._websocket.receive())["type"] == "websocket.receive":
            await self._answer(message.get("text") or message.get("bytes") or "")

    async def _write(self) -> None:
        send = self._websocket.scope["send"]
        with suppress(WebSocketDisconnect, OSError):  # the reading task notices it as well
            while messages := await self._inbox.take():
                await send({"type": "websocket.send", "text": "\n".join(messages)})
            await self._websocket.close(SERVICE_RESTART)

    async def _answer(self, sent: str | bytes) -> None:
        """Answer with the number of the last entry, or a refusal. Limits and metrics count a frame as a request."""
        began, status, code, broken = perf_counter(), 200, None, None
        told: dict[str, Any] = {}
        try:
            try:
                frame = _decode(sent)
                told |= {} if frame.id is None else {"id": frame.id}  # refusals have it, too
            finally:
                self._context.rate_limiter.enforce_change(self._address)
            if frame.read is not None:
                self._context.service.go_on(self._table, self, frame.read)
                self._context.hubs.tell_who_reads(self._table)
            else:
                told |= {"answer": {"seq": await self._move(frame)}}
        except Exception as raised:
            error = unparsable(raised) if isinstance(raised, DECODE_ERRORS) else raised
            broken = None if isinstance(error, REFUSALS) else error
            problem = as_refusal(error) if broken is None else Problem(500, "broken")
            body = problem_body(problem, self._language)
            status, code = body["status"], body["code"]
            told |= {"problem": body}
        seconds = perf_counter() - began
        answer = Answered(MOVE, "POST", status, code, seconds, self._address, self._table, broken)
        self._context.telemetry.answered(answer)
        if told:
            self._inbox.put(msgspec.json.encode(told).decode())
        if status == TOO_MANY_REQUESTS:
            await asyncio.sleep(REST_S)

    async def _move(self, frame: Frame) -> int:
        held, seq = self._seats, frame.seq
        if frame.move is None or seq is None:
            raise Problem(400, "unparsable", why=N_("a frame is a move or tells what was read"))
        if frame.move == "place" and frame.gap is None:
            raise Problem(400, "unparsable", why=N_("a placement needs a gap"))
        if not held.tokens:
            raise Problem(401, "no-token")
        chosen = Place(frame.gap) if frame.move == "place" and frame.gap is not None else Doubt()
        return await self._context.service.execute(
            self._table,
            lambda state, now: commands.move(state, now, commands.acting_seat(state, held.hashes), chosen, seq),
        )


_decode: Final = msgspec.json.Decoder(Frame).decode

ROUTES = [WebSocketRoute(urls.TABLE_PAGE + "/live", live)]

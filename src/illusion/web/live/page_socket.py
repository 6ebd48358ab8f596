"""A page's connection to its table: one WebSocket, over which it hears what happens and sends its moves (RFC 6455).

The seats are proved once, by the cookies of the request that opens it; only our own pages can open one with cookies
(see `csrf_decision`). Each move counts against the limits like a request of its own.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Final

import msgspec
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from illusion.tables.live_table import Notice
from illusion.tables.model import commands
from illusion.web.api.requests import NewMove, PageFrame, parse
from illusion.web.context import context
from illusion.web.http import urls
from illusion.web.http.problems import (
    REFUSALS,
    TOO_MANY_REQUESTS,
    Problem,
    as_refusal,
    describe,
    problem_body,
    problem_response,
)
from illusion.web.http.request_info import RequestInfo, client_address
from illusion.web.http.seat_tokens import Held, held
from illusion.web.http.security import STREAM_ENDED
from illusion.web.live.broadcast import Form, Subscriber
from illusion.web.live.following import Following, follow, last_seen
from illusion.web.live.frames import text_frame
from illusion.web.live.handover import HANDLER, Socket
from illusion.web.live.page_messages import PageMessages
from illusion.web.reader.language import language_of

SERVICE_RESTART: Final = 1012
"""Closing code: the page is to connect again."""
REST_S: Final = 1.0
"""For a page that has sent too much: nothing is read from it meanwhile, so that refusing costs nearly nothing."""
MOVE: Final = "a move"
"""How moves are named in metrics and logs, next to routes."""


async def live(websocket: WebSocket) -> None:
    try:
        await _open(websocket)
    except REFUSALS as error:
        refusal = as_refusal(error)
        websocket.scope["refused"] = str(refusal.code)
        await websocket.send_denial_response(problem_response(refusal, language_of(websocket)))


async def _open(websocket: WebSocket) -> None:
    """Let the page in. From then on the server calls it, and the request that opened it is over."""
    used, id, after = context(websocket), websocket.path_params["table"], last_seen(websocket)
    messages = PageMessages(used.service, await used.service.get(id))
    page = _Page(websocket, id)
    try:
        missed = await page.follow(messages.form(), after)
        if missed:
            page.write(messages.caught_up(missed))
        await websocket.send({"type": "websocket.accept", HANDLER: page})
    except BaseException:
        page.lost()
        raise


class _Page(Subscriber):
    """One page's connection: the handler of its socket. What the page is told is written at once."""

    __slots__ = (
        "_context",
        "_following",
        "_held",
        "_info",
        "_is_seated",
        "_language",
        "_seats",
        "_socket",
        "_stream_ended",
        "_table",
    )

    def __init__(self, websocket: WebSocket, table: str) -> None:
        super().__init__()
        self._context = context(websocket)
        self._table = table
        self._language = language_of(websocket)
        self._seats = held(websocket, table)
        self._info = _info_of_moves(websocket, self._seats)
        self._stream_ended: Callable[[], None] = websocket.scope.pop(STREAM_ENDED)
        self._socket: Socket | None = None
        self._following: Following | None = None
        self._is_seated = False
        self._held = b""
        """What is written with the next message: everything until the socket is open, and answers to moves."""

    async def follow(self, form: Form, after: int) -> list[Notice]:
        self._following, missed = await follow(self._context, self._table, form, after, self)
        return missed

    def opened(self, socket: Socket) -> None:
        self._socket = socket
        state = self._context.service.in_memory(self._table)
        self._is_seated = state is not None and bool(self._seats.seats(state))
        if self._is_seated:
            self._context.service.open_page(self._table, self)
        if self.closed:  # meanwhile
            self.end()
        else:
            self._flush()

    def lost(self) -> None:
        self.closed = True
        self._socket = None
        if self._following is not None:
            self._following.end()
        if self._is_seated:
            self._context.service.close_page(self._table, self)
        self._stream_ended()

    def write(self, message: bytes) -> int:
        if self._held or self._socket is None:
            self._held += message
            return self._flush()
        return self._socket.write(message)

    def end(self) -> None:
        self._flush()
        if self._socket is not None:
            self._socket.close(SERVICE_RESTART)

    def _flush(self) -> int:
        if self._socket is None:
            return len(self._held)
        held, self._held = self._held, b""
        return self._socket.write(held) if held else 0

    async def answer(self, message: bytes) -> None:
        """With the number of the table's last entry, or why it was refused. It is counted like a request.

        Its time is not charged: the rates allow a move so seldom that all of them together take little. Who goes too
        fast is heard later.
        """
        info, began, code, broken = self._info, perf_counter(), None, None
        info.status = 200
        told, seq = b"", 0
        try:
            refusal = await self._context.rate_limiter.refusal(info)
            if refusal is not None:
                raise refusal
            sent = parse(message, PageFrame)
            if sent.read is not None:
                self._context.service.go_on(self._table, self, sent.read)
            else:
                seq = await self._move(sent.as_move())
                told = b'{"answer":{"seq":%d}}' % seq
        except Exception as error:
            broken = None if isinstance(error, REFUSALS) else error
            problem = as_refusal(error) if broken is None else Problem(500, "broken")
            info.status, code, _ = describe(problem, self._language)
            told = msgspec.json.encode({"problem": problem_body(problem, self._language)})
        seconds = perf_counter() - began
        self._context.metrics.count_request(info, MOVE, code, seconds)
        self._context.request_log.log(info, MOVE, code, seconds, broken)
        if told:
            self._tell(told, seq)
        if info.status == TOO_MANY_REQUESTS:
            await asyncio.sleep(REST_S)

    def _tell(self, told: bytes, seq: int) -> None:
        """Together with the event that everybody hears next, if there is one that this page has not had yet."""
        self._held += text_frame(told)
        if self.closed or seq <= self.last_seq:
            self._flush()

    def _move(self, wanted: NewMove) -> Awaitable[int]:
        chosen, seats = wanted.chosen(), self._seats
        return self._context.service.execute(
            self._table, lambda state, now: commands.move(state, now, seats.acting_seat(state), chosen, wanted.seq)
        )


def _info_of_moves(websocket: WebSocket, seats: Held) -> RequestInfo:
    """As if each had been a request of its own."""
    path = urls.moves(seats.table or "")
    info = RequestInfo(client_address(websocket), "POST", path, urls.target_of(path), (), None, "")
    info.tokens, info.seat_keys = seats.tokens, seats.hashes
    return info


ROUTES = [WebSocketRoute(urls.TABLE_PAGE + "/live", live)]

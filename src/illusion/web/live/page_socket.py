"""A page's connection to its table: one WebSocket, over which it hears what happens and sends its moves (RFC 6455).

The seats are proved once, by the cookies of the request that opens it; only our own pages can open one with cookies
(see `csrf_decision`). Each move counts against the limits like a request of its own.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, Final

import msgspec
from starlette.requests import ClientDisconnect
from starlette.routing import WebSocketRoute
from starlette.types import Message, Send
from starlette.websockets import WebSocket

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
from illusion.web.http.request_info import request_info
from illusion.web.http.seat_tokens import acting_seat, held_seats
from illusion.web.http.security import UNWRAPPED_SEND
from illusion.web.live.broadcast import Subscriber
from illusion.web.live.following import following, last_seen
from illusion.web.live.page_messages import PageMessages, text_frame
from illusion.web.reader.language import language_of

FRAMES: Final = "illusion.frames"
"""An extension of ASGI that our server has: `write` sends what is framed already, the same bytes to many pages,
and `is_open` tells whether that makes sense."""
WriteFrames = Callable[[bytes], int]
"""Returns the bytes that could not be sent yet."""
SERVICE_RESTART: Final = 1012
"""Closing code: the page is to connect again."""
REST_S: Final = 1.0
"""For a page that has sent too much: nothing is read from it meanwhile, so that refusing costs nearly nothing."""
MOVE: Final = "a move"
"""How moves are named in metrics and logs, next to routes."""


async def live(websocket: WebSocket) -> None:
    try:
        await _Connection(websocket).run()
    except REFUSALS as error:  # before it was accepted: afterwards only frames are answered
        refusal = as_refusal(error)
        websocket.scope["refused"] = str(refusal.code)
        await websocket.send_denial_response(problem_response(refusal, language_of(websocket)))


class _Page(Subscriber):
    """One page's connection. What it is told is written at once, and what it sends is taken by one task."""

    def __init__(self, websocket: WebSocket, last_seq: int) -> None:
        super().__init__(last_seq)
        self._websocket = websocket
        frames = websocket.scope["extensions"][FRAMES]
        self._write_frames: WriteFrames = frames["write"]
        self.is_open: Callable[[], bool] = frames["is_open"]
        self._unwrapped_send: Send = websocket.scope[UNWRAPPED_SEND]
        self._held: list[bytes] = []
        """What is written with the next message, or soon: everything until the page was accepted, and answers."""
        self._accepted = False
        self._ending: asyncio.Task[None] | None = None

    async def accept(self, missed: bytes) -> None:
        await self._websocket.accept()
        await asyncio.sleep(0)  # else uvicorn has not noticed yet if the connection has just been lost
        self._accepted = True
        self._held.insert(0, missed)
        self._flush()

    def write(self, message: bytes) -> int:
        if self._accepted and not self._held:
            return self._write_frames(message)
        self._held.append(message)
        return self._flush() if self._accepted else sum(map(len, self._held))

    def answer(self, message: bytes) -> None:
        """Written together with the event that the others hear, which follows at once if there is one."""
        self._held.append(message)
        asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> int:
        held, self._held = b"".join(self._held), []
        return self._write_frames(held) if held else 0

    def end(self) -> None:
        """The page is to connect again; its task hears of this as of any other end."""
        self._ending = asyncio.create_task(self._close())

    async def _close(self) -> None:
        # Right after uvicorn itself has closed a socket, because of a frame that is none, it says so by RuntimeError.
        with suppress(OSError, ClientDisconnect, RuntimeError):
            await self._unwrapped_send({"type": "websocket.close", "code": SERVICE_RESTART})


class _Connection:
    """A page's connection from its handshake to its end."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._context = context(websocket)
        self._table: str = websocket.path_params["table"]
        self._after = last_seen(websocket)
        opened = request_info(websocket.scope)
        target = urls.target_of(urls.moves(self._table))
        self._move_info = replace(opened, method="POST", path=urls.moves(self._table), target=target)

    async def run(self) -> None:
        table = await self._context.service.get(self._table)
        pages = PageMessages(self._context.service, table)
        new_page = partial(_Page, self._websocket)
        async with following(self._context, self._table, pages.form(), self._after, new_page) as (missed, page, _):
            await page.accept(pages.caught_up(missed) if missed else b"")
            is_at_table = bool(held_seats(self._websocket, table))
            if is_at_table:
                self._context.service.open_page(self._table, self)
            try:
                await self._take_frames(page)
            finally:
                if is_at_table:
                    self._context.service.close_page(self._table, self)

    async def _take_frames(self, page: _Page) -> None:
        """One after another: the next one is read when the last is answered. Who goes too fast is heard later."""
        while (message := await self._websocket.receive())["type"] != "websocket.disconnect":
            status, answer = await self._answer(message)
            if answer is not None:
                page.answer(text_frame(msgspec.json.encode(answer)))
            if status == TOO_MANY_REQUESTS:
                await asyncio.sleep(REST_S)
            if not page.is_open():  # and nobody waits for what else it has sent
                return

    async def _answer(self, message: Message) -> tuple[int, dict[str, Any] | None]:
        """Of a move: the number of the table's last entry, or why it was refused. It is counted like a request."""
        info, began, code, broken = self._move_info, perf_counter(), None, None
        info.status = 200
        answer: dict[str, Any] | None = None
        try:
            refusal = await self._context.rate_limiter.refusal(info)
            if refusal is not None:
                raise refusal
            sent = parse(message.get("text") or message.get("bytes") or b"", PageFrame)
            if sent.read is not None:
                self._context.service.go_on(self._table, self, sent.read)
            else:
                answer = {"answer": {"seq": await self._move(sent.as_move())}}
        except Exception as error:
            broken = None if isinstance(error, REFUSALS) else error
            problem = as_refusal(error) if broken is None else Problem(500, "broken")
            language = language_of(self._websocket)
            info.status, code, _ = describe(problem, language)
            answer = {"problem": problem_body(problem, language)}
        seconds = perf_counter() - began
        self._context.metrics.count_request(info, MOVE, code, seconds)
        self._context.request_log.log(info, MOVE, code, seconds, broken)
        return info.status, answer

    async def _move(self, wanted: NewMove) -> int:
        chosen = wanted.chosen()
        return await self._context.service.execute(
            self._table,
            lambda state, now: commands.move(state, now, acting_seat(self._websocket, state), chosen, wanted.seq),
        )


ROUTES = [WebSocketRoute(urls.TABLE_PAGE + "/live", live)]

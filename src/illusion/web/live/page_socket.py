"""A page's connection to its table: one WebSocket, over which it hears what happens and sends its moves (RFC 6455).

The seats are proved once, by the cookies of the request that opens it; only our own pages can open one with cookies
(see `csrf_decision`). Each move counts against the limits like a request of its own.
"""

import asyncio
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
from illusion.web.http.limits.metering import metered
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
        await _Connection(websocket).run()
    except REFUSALS as error:  # before it was accepted: afterwards only frames are answered
        refusal = as_refusal(error)
        websocket.scope["refused"] = str(refusal.code)
        await websocket.send_denial_response(problem_response(refusal, language_of(websocket)))


class _Connection:
    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._context = context(websocket)
        self._table: str = websocket.path_params["table"]
        self._after = last_seen(websocket)
        self._unwrapped_send: Send = websocket.scope[UNWRAPPED_SEND]
        opened = request_info(websocket.scope)
        target = urls.target_of(urls.moves(self._table))
        self._move_info = replace(opened, method="POST", path=urls.moves(self._table), target=target)

    async def run(self) -> None:
        table = await self._context.service.get(self._table)
        pages = PageMessages(self._context.service, table)
        async with following(self._context, self._table, pages.form(), self._after) as (missed, subscriber, _):
            await self._websocket.accept()
            await asyncio.sleep(0)  # else uvicorn has not noticed yet if the connection has just been lost
            is_at_table = bool(held_seats(self._websocket, table))
            if is_at_table:
                self._context.service.open_page(self._table, self)
            receiving = asyncio.create_task(self._receive(subscriber))
            try:
                if missed:
                    await self._send(pages.caught_up(missed))
                async for messages in subscriber:
                    await self._send(messages)
                await self._emit({"type": "websocket.close", "code": SERVICE_RESTART})
            except (OSError, ClientDisconnect):  # the page is gone
                return
            finally:
                receiving.cancel()
                if is_at_table:
                    self._context.service.close_page(self._table, self)

    async def _send(self, messages: list[bytes]) -> None:
        for message in messages:
            kind, content = ("text", message.decode()) if message.startswith(b"{") else ("bytes", message)
            await self._emit({"type": "websocket.send", kind: content})

    async def _emit(self, message: Message) -> None:
        try:
            await self._unwrapped_send(message)
        except RuntimeError as closed:
            # Right after uvicorn itself has closed a socket, because of a frame that is none, it says so by this error.
            raise ClientDisconnect from closed

    async def _receive(self, subscriber: Subscriber) -> None:
        """What its moves cost is charged to the page's address; this task is none of the request's own steps."""
        charge = partial(self._context.rate_limiter.charge_cpu, self._move_info.address)
        await metered(self._take_frames(subscriber), charge)

    async def _take_frames(self, subscriber: Subscriber) -> None:
        """One after another: the next one is read when the last is answered. Who goes too fast is heard later."""
        while (message := await self._websocket.receive())["type"] != "websocket.disconnect":
            status, answer = await self._answer(message)
            if answer is not None:
                subscriber.put(None, [msgspec.json.encode(answer)])
            if status == TOO_MANY_REQUESTS:
                await asyncio.sleep(REST_S)
        subscriber.close()

    async def _answer(self, message: Message) -> tuple[int, dict[str, Any] | None]:
        """Of a move: the number of the table's last entry, or why it was refused. It is counted like a request."""
        info, began, code, broken = replace(self._move_info, status=200), perf_counter(), None, None
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

"""Server-sent events: everything since the last number seen, then whatever happens, and a heartbeat in silence."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.responses import StreamingResponse

from illusion.tables import Hall, StoreFailed
from illusion.web.problems import Problem

HEARTBEAT: Final = 15.0


def event_stream(request: Request, hall: Hall, table: str, told: Callable[[bytes], bytes]) -> StreamingResponse:
    """`told` makes the lines of a message from a public event's JSON."""
    after = last_seen(request)

    async def messages() -> AsyncIterator[bytes]:
        async with hall.listen(table, after) as happening:
            yield b"retry: 1000\n\n"
            while True:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        seq, event = await anext(happening)
                except TimeoutError:
                    yield b": still here\n\n"
                except StopAsyncIteration:
                    return
                else:
                    yield b"id: %d\n%s\n\n" % (seq, told(event))

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_until_the_store_fails(messages()), media_type="text/event-stream", headers=headers)


async def _until_the_store_fails(messages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Then the stream ends, and its reader comes back by itself."""
    with suppress(StoreFailed):
        async for message in messages:
            yield message


def last_seen(request: Request) -> int:
    """From the browser's own header when it reconnects, else from the address."""
    said = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    if not (said.isascii() and said.isdigit() and len(said) < 12):
        raise Problem(400, "unparsable", why="the last event seen is a whole number")
    return int(said)

"""Following a table: what was missed, then whatever happens, from a broadcast that all streams of one form share."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, Generic, NamedTuple, TypeVar

from starlette.requests import HTTPConnection

from illusion.languages import N_
from illusion.tables.runtime.live_table import Notice
from illusion.web.context import AppContext
from illusion.web.http.problems import Problem
from illusion.web.live.broadcast import Broadcast, Form, Subscriber

MAX_SEQ_DIGITS: Final = 11


S = TypeVar("S", bound=Subscriber)


class Following(NamedTuple, Generic[S]):
    """A stream that has begun."""

    missed: list[Notice]
    subscriber: S
    """Is given what happens from now on."""
    broadcast: Broadcast


@asynccontextmanager
async def following(
    context: AppContext, table: str, form: Form, after: int, new_subscriber: Callable[[int], S]
) -> AsyncIterator[Following[S]]:
    """Follow a table from the entry after number `after`. Raises StoreFailed.

    `new_subscriber` makes the stream that is given everything after a number.
    """
    service, broadcasts = context.service, context.broadcasts
    broadcast = broadcasts.join(table, form)
    subscriber: S | None = None
    try:
        missed = await service.subscribe(table, after, broadcast.publish)
        state = service.in_memory(table)
        # whatever number a client named that missed nothing, it has seen what there is
        subscriber = new_subscriber(missed[-1].seq or 0 if missed else 0 if state is None else state.seq)
        broadcast.add(subscriber)
        yield Following(missed, subscriber, broadcast)
    finally:
        if subscriber is not None:
            broadcast.discard(subscriber)
        if broadcasts.leave(table, form):
            service.unsubscribe(table, broadcast.publish)


def last_seen(request: HTTPConnection) -> int:
    """From the header that browsers send when they reconnect, else from the query."""
    sent = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    if not (sent.isascii() and sent.isdigit() and len(sent) <= MAX_SEQ_DIGITS):
        raise Problem(400, "unparsable", why=N_("the last event seen must be a whole number"))
    return int(sent)

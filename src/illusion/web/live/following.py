"""Following a table: what was missed, then whatever happens, from a broadcast that all streams of one form share."""

from typing import Final

from starlette.requests import HTTPConnection

from illusion.languages import N_
from illusion.tables.live_table import Notice
from illusion.web.context import AppContext
from illusion.web.http.problems import Problem
from illusion.web.live.broadcast import Broadcast, Form, Subscriber

MAX_SEQ_DIGITS: Final = 11


class Following:
    """A stream that has begun, and has to be ended."""

    __slots__ = ("_context", "_subscriber", "_table", "broadcast")

    def __init__(self, context: AppContext, table: str, broadcast: Broadcast, subscriber: Subscriber) -> None:
        self._context = context
        self._table = table
        self._subscriber = subscriber
        self.broadcast = broadcast

    def end(self) -> None:
        self.broadcast.discard(self._subscriber)
        if self._context.broadcasts.leave(self._table, self.broadcast.form):
            self._context.service.unsubscribe(self._table, self.broadcast.publish)


async def follow(
    context: AppContext, table: str, form: Form, after: int, subscriber: Subscriber
) -> tuple[Following, list[Notice]]:
    """Follow a table from the entry after number `after`: what was missed, and from now on the subscriber is told.

    Raises StoreFailed.
    """
    following = Following(context, table, context.broadcasts.join(table, form), subscriber)
    try:
        missed = await context.service.subscribe(table, after, following.broadcast.publish)
    except BaseException:
        following.end()
        raise
    state = context.service.in_memory(table)
    # whatever number a client named that missed nothing, it has seen what there is
    subscriber.last_seq = missed[-1].seq or 0 if missed else 0 if state is None else state.seq
    following.broadcast.add(subscriber)
    return following, missed


def last_seen(request: HTTPConnection) -> int:
    """From the header that browsers send when they reconnect, else from the query."""
    sent = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    if not (sent.isascii() and sent.isdigit() and len(sent) <= MAX_SEQ_DIGITS):
        raise Problem(400, "unparsable", why=N_("the last event seen must be a whole number"))
    return int(sent)

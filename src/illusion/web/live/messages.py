"""What is told about an event: to programs the event as it is; to pages the event, the table after it, and the pictures
of cards that have just been shown. Pages write their texts themselves, in their reader's language and palette.
"""

from typing import Any, Final

import msgspec

from illusion.tables import Table, public_view
from illusion.tables.live_tables import Notice

LOOKED_BACK: Final = 60
"""Missed events among which a doubt is looked for."""

_encode: Final = msgspec.json.Encoder().encode


def for_programs(notice: Notice) -> str:
    """A server-sent event."""
    if notice.seq is None:
        return f"event: reaction\ndata: {notice.json.decode()}\n\n"
    return f"id: {notice.seq}\ndata: {notice.json.decode()}\n\n"


def for_pages(state: Table, notice: Notice, pictures: dict[str, str]) -> str:
    """A JSON text; `pictures` are SVG by the card's address."""
    if notice.seq is None:
        return _encode({"reaction": msgspec.Raw(notice.json)}).decode()
    message = {"seq": state.seq, "event": msgspec.Raw(notice.json), "view": public_view(state)}
    return _encode(message | ({"pictures": pictures} if pictures else {})).decode()


def caught_up(state: Table, missed: list[Notice]) -> str:
    """For a page that missed something: one event instead of all, and the whole table. It fetches pictures itself."""
    return for_pages(state, condensed(missed), {})


def condensed(missed: list[Notice]) -> Notice:
    """The last event, with the last doubt if there was one: a page would still show a row that was turned over."""
    events = [msgspec.json.decode(notice.json) for notice in missed[-LOOKED_BACK:]]
    last = events[-1]
    doubted = next((event for event in reversed(events) if _is_doubt(event)), last)
    if doubted is not last:
        turned = (each for each in doubted["happened"] if each["event"] != "round-started")
        last["happened"] = [*turned, *last["happened"]]
    return Notice(missed[-1].seq, msgspec.json.encode(last))


def _is_doubt(event: dict[str, Any]) -> bool:
    return any(each["event"] == "row-doubted" for each in event["happened"])

"""What pages get over their stream: the table as an HTML fragment, and what happened in words."""

from functools import partial
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.languages import ENGLISH, Language
from illusion.tables import PublicView, Table, TableService, public_view
from illusion.tables.runtime.live_table import Notice
from illusion.web.context import context
from illusion.web.http import urls
from illusion.web.live.event_stream import EventStream
from illusion.web.pages.templates import templates
from illusion.web.reader.language import language_of

LOOKED_BACK: Final = 60
"""Missed events among which a doubt is looked for."""


class PageMessages:
    """Renders notices for the pages of one table in one language; the fragment once for each state."""

    def __init__(self, service: TableService, table: str, language: Language) -> None:
        self._service = service
        self._table = table
        self._language = language
        self._fragment: tuple[int, str] = -1, ""

    def __call__(self, notice: Notice) -> bytes:
        state = self._service.in_memory(self._table)
        if state is None:
            raise LookupError(f"table {self._table} is not in memory although somebody follows it")
        view = public_view(state)
        event = msgspec.json.decode(notice.json)
        message = {
            "seq": state.seq,
            "html": self._html(state, view),
            "event": event,
            "said": self._in_words(view, event),
        }
        return b"event: table\ndata: " + msgspec.json.encode(message)

    def _html(self, state: Table, view: PublicView) -> str:
        seq, html = self._fragment
        if seq != state.seq:
            html = fragment(view, self._language)
            self._fragment = state.seq, html
        return html

    def _in_words(self, view: PublicView, event: dict[str, Any]) -> str:
        return templates(self._language).get_template("_said.html").render(view=view, event=event).strip()


def condensed(missed: list[Notice]) -> Notice:
    """One event instead of all that a page missed: the last one, with the last doubt if there was one.

    The page gets the table as it is anyway; what it would still like to show is a row that was turned over.
    """
    events = [msgspec.json.decode(notice.json) for notice in missed[-LOOKED_BACK:]]
    last = events[-1]
    doubted = next((event for event in reversed(events) if _is_doubt(event)), last)
    if doubted is not last:
        turned = (each for each in doubted["happened"] if each["event"] != "round-started")
        last["happened"] = [*turned, *last["happened"]]
    return Notice(missed[-1].seq, msgspec.json.encode(last))


def _is_doubt(event: dict[str, Any]) -> bool:
    return any(each["event"] == "row-doubted" for each in event["happened"])


def fragment(view: PublicView, language: Language = ENGLISH) -> str:
    """The part of a table's page that changes."""
    return templates(language).get_template("_table.html").render(view=view, drawn="")


_compiled: set[str] = set()
"""Languages whose fragments need not be compiled on the event loop, where that would take a tenth of a second."""


def compile_fragments(language: Language) -> None:
    """What messages are rendered from."""
    for name in ("_parts.html", "_table.html", "_said.html"):
        templates(language).get_template(name)
    _compiled.add(language.code)


async def live(request: Request) -> Response:
    """The same bytes for every page of a table in one language, whenever something happens."""
    service, table, language = context(request).service, request.path_params["table"], language_of(request)
    await service.get(table)
    if language.code not in _compiled:
        await service.worker.run(partial(compile_fragments, language))
    return EventStream(request, table, f"page {language.code}", PageMessages(service, table, language), condensed)


ROUTES = [Route(urls.TABLE_PAGE + "/live", live, methods=["GET"])]

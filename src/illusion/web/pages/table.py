"""The pages of a table: where it is played, on a shared screen with nothing to press, and looked back at."""

from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.tables import Phase, RefusalCode, Refused, Table, public_view
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry
from illusion.web import urls
from illusion.web.bodies import read_form
from illusion.web.context import context
from illusion.web.pages.home import sit
from illusion.web.pages.templates import page
from illusion.web.tokens import held_seats


async def table(request: Request) -> Response:
    service, state = context(request).service, await _table(request)
    held = held_seats(request, state)
    if any(state.sitter(seat).away for seat in held):
        with suppress(Refused):  # they can still look, and come back by moving
            await service.execute(state.id, lambda state, now: _come_back(request, state, now))
    is_open = not held and state.phase is Phase.WAITING
    return await _page(
        request,
        "table.html",
        state,
        held,
        join_url=_address_for_phones(request, state.id),
        can_join=is_open and None in state.chairs,
        is_full=is_open and None not in state.chairs,
    )


async def join_table(request: Request) -> Response:
    return await sit(request, request.path_params["table"], await read_form(request))


async def shared_screen(request: Request) -> Response:
    """A table on a television, with its code."""
    state = await _table(request)
    return await _page(request, "watch.html", state, [], join_url=_address_for_phones(request, state.id))


async def replay(request: Request) -> Response:
    """The same table as in play."""
    return await _looked_back(request, "replay.html")


async def review(request: Request) -> Response:
    """How it went."""
    return await _looked_back(request, "review.html")


async def _looked_back(request: Request, template: str) -> Response:
    state = await _table(request)
    if state.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    return await _page(request, template, state, held_seats(request, state))


async def _table(request: Request) -> Table:
    return await context(request).service.get_current(request.path_params["table"])


async def _page(request: Request, template: str, state: Table, held: list[int], **values: Any) -> Response:
    return await page(
        request,
        template,
        view=public_view(state),
        held=held,
        now=round(context(request).service.now(), 1),
        reading=context(request).options.pace.clock_reading_s,
        **values,
    )


def _address_for_phones(request: Request, table: str) -> str:
    """The table's page, at an address that phones on the same network can open, where the server knows one."""
    lan, base = context(request).options.lan, request.base_url
    if lan is not None and base.hostname in ("127.0.0.1", "localhost"):
        base = base.replace(hostname=lan)
    return str(base.replace(path=urls.table_page(table)))


def _come_back(request: Request, state: Table, now: float) -> list[AnyEntry]:
    """Opening the page again takes the seats back from their stand-ins."""
    return [entry for seat in held_seats(request, state) for entry in commands.come_back(state, now, seat)]


ROUTES = [
    Route(urls.TABLE_PAGE, table, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/join", join_table, methods=["POST"]),
    Route(urls.TABLE_PAGE + "/replay", replay, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/review", review, methods=["GET"]),
    Route("/watch/{table}", shared_screen, methods=["GET"]),
]

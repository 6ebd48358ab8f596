"""The page of a table."""

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.tables import Phase, Refused, Table, public_view
from illusion.tables.model import commands
from illusion.tables.model.entries import AnyEntry
from illusion.web.context import context
from illusion.web.http import urls
from illusion.web.http.bodies import read_form
from illusion.web.http.seat_tokens import held_seats
from illusion.web.pages.home import sit
from illusion.web.pages.templates import own_name, page


async def table(request: Request) -> Response:
    service, id = context(request).service, request.path_params["table"]
    state = await service.get_current(id)
    held = held_seats(request, state)
    if any(state.sitter(seat).away for seat in held):
        with suppress(Refused):  # they can still look, and come back by moving
            await service.execute(id, lambda state, now: _come_back(request, state, now))
    return await page(
        request,
        "table.html",
        view=public_view(state),
        held=held,
        join_url=absolute_url(request, urls.table_page(id)),
        now=round(service.now(), 1),
        reading=context(request).pace.clock_reading_s,
        can_join=not held and state.phase is Phase.WAITING and None in state.chairs,
        is_full=not held and state.phase is Phase.WAITING and None not in state.chairs,
        name=own_name(request),
    )


async def join_table(request: Request) -> Response:
    form = await read_form(request)
    return await sit(request, request.path_params["table"], form)


def absolute_url(request: Request, path: str) -> str:
    """An address that phones on the same network can open, where the server knows one."""
    lan, base = context(request).lan, request.base_url
    if lan is not None and base.hostname in ("127.0.0.1", "localhost"):
        base = base.replace(hostname=lan)
    return str(base.replace(path=path))


def _come_back(request: Request, state: Table, now: float) -> list[AnyEntry]:
    """Opening the page again takes the seats back from their stand-ins."""
    return [entry for seat in held_seats(request, state) for entry in commands.come_back(state, now, seat)]


ROUTES = [
    Route(urls.TABLE_PAGE, table, methods=["GET"]),
    Route(urls.TABLE_PAGE + "/join", join_table, methods=["POST"]),
]

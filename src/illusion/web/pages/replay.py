"""The replay of a finished game: the same table as in play, one step for each move."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.tables import Phase, RefusalCode, Refused, public_view
from illusion.web.context import context
from illusion.web.http import urls
from illusion.web.http.seat_tokens import held_seats
from illusion.web.pages.templates import page


async def replay(request: Request) -> Response:
    service = context(request).service
    state = await service.get_current(request.path_params["table"])
    if state.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    return await page(
        request, "replay.html", view=public_view(state), held=held_seats(request, state), now=round(service.now(), 1)
    )


ROUTES = [Route(urls.REPLAY_PAGE, replay, methods=["GET"])]

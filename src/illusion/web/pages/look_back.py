"""Looking back at a finished game: its replay, the same table as in play, and how it went."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.tables import Phase, RefusalCode, Refused, public_view
from illusion.web.context import context
from illusion.web.http import urls
from illusion.web.http.seat_tokens import held_seats
from illusion.web.pages.templates import page


async def replay(request: Request) -> Response:
    return await _looked_back(request, "replay.html")


async def review(request: Request) -> Response:
    return await _looked_back(request, "review.html")


async def _looked_back(request: Request, template: str) -> Response:
    service = context(request).service
    state = await service.get_current(request.path_params["table"])
    if state.phase is not Phase.OVER:
        raise Refused(RefusalCode.NOT_OVER)
    return await page(
        request,
        template,
        view=public_view(state),
        held=held_seats(request, state),
        now=round(service.now(), 1),
        reading=context(request).pace.clock_reading_s,
    )


ROUTES = [
    Route(urls.REPLAY_PAGE, replay, methods=["GET"]),
    Route(urls.REVIEW_PAGE, review, methods=["GET"]),
]

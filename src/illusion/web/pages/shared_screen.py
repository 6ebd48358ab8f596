"""The shared screen: a table on a television, with its code and nothing to press."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.tables import public_view
from illusion.web.context import context
from illusion.web.http import urls
from illusion.web.pages.table import absolute_url
from illusion.web.pages.templates import page


async def shared_screen(request: Request) -> Response:
    service = context(request).service
    state = await service.get_current(request.path_params["table"])
    return await page(
        request,
        "watch.html",
        view=public_view(state),
        held=[],
        join_url=absolute_url(request, urls.table_page(state.id)),
        now=round(service.now(), 1),
    )


ROUTES = [Route(urls.WATCH_PAGE, shared_screen, methods=["GET"])]

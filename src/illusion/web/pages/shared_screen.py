"""The shared screen: a table on a television, large, with its code, and with nothing to press."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.tables import TableService, public_view
from illusion.web.pages.pages import address, page, qr


async def shared_screen(request: Request) -> Response:
    service: TableService = request.app.state.service
    state = await service.get_current(request.path_params["table"])
    url = address(request, f"/table/{state.id}")
    return page(request, "watch.html", view=public_view(state), join_url=url, qr=qr(url), now=service.now())


ROUTES = [Route("/watch/{table}", shared_screen, methods=["GET"])]

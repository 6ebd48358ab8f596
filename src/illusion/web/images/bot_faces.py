"""Faces of the bots. A name without a portrait of its own gets a face that fits its level."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.bots import LEVEL_NAMES, face_svg
from illusion.bots.characters import named
from illusion.tables.model.commands import MAX_CHARACTERS
from illusion.web.http import urls
from illusion.web.http.problems import Problem
from illusion.web.images.card_images import IMMUTABLE


async def face(request: Request) -> Response:
    level, name = request.path_params["level"], request.path_params["name"]
    if level not in LEVEL_NAMES or len(name) > MAX_CHARACTERS:
        raise Problem(404, "not-found")
    svg = face_svg(named(name, level))
    return Response(svg, media_type="image/svg+xml", headers=IMMUTABLE)


ROUTES = [Route(urls.FACE_PICTURE, face, methods=["GET"])]

"""Pictures of cards, at opaque addresses, once they have been visible at their table; faces of bots; QR codes."""

import gzip
from functools import lru_cache
from io import BytesIO
from typing import Final

import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.bots import LEVEL_NAMES, MOODS, face_svg
from illusion.bots.characters import named
from illusion.bots.drawing import Drawing
from illusion.deck import PALETTES, Card, make_deck
from illusion.languages import N_
from illusion.tables import RefusalCode, Refused
from illusion.tables.model.commands import MAX_CHARACTERS
from illusion.tables.pictures import in_palette
from illusion.web import urls
from illusion.web.context import context
from illusion.web.problems import Problem

IMMUTABLE: Final = {"cache-control": "public, max-age=31536000, immutable"}
VARY: Final = {"vary": "accept-encoding"}
SVG: Final = "image/svg+xml"


async def card(request: Request) -> Response:
    """The address is the table's id followed by the card's token, so that proxies can route by table."""
    try:
        drawing = await context(request).service.drawing(request.path_params["address"])
    except Refused as refusal:
        if refusal.code is not RefusalCode.NO_SUCH_TABLE:
            raise
        drawing = None
    if drawing is None:
        raise Problem(404, "not-found")
    return _picture(request, drawing)


async def sample(request: Request) -> Response:
    """A card of the public deck, for pages that explain the game."""
    number = request.path_params["card"]
    cards = await context(request).service.worker.run(sample_deck)
    if not 1 <= number <= len(cards):
        raise Problem(404, "not-found")
    return _picture(request, await context(request).service.pictures.drawn(cards[number - 1]))


@lru_cache(1)
def sample_deck() -> tuple[Card, ...]:
    return make_deck(urls.SAMPLE_SEED).cards


def _picture(request: Request, drawing: Drawing) -> Response:
    palette = request.query_params.get("palette", "standard")
    if palette not in PALETTES:
        raise Problem(400, "unparsable", why=N_("there is no such palette"))
    front = in_palette(drawing.front, palette)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(front, media_type=SVG, headers=IMMUTABLE | {"content-encoding": "gzip"} | VARY)
    return Response(gzip.decompress(front), media_type=SVG, headers=IMMUTABLE | VARY)


async def face(request: Request) -> Response:
    """A bot's face. A name without a portrait gets the face of its level."""
    level, name = request.path_params["level"], request.path_params["name"]
    if level not in LEVEL_NAMES or len(name) > MAX_CHARACTERS:
        raise Problem(404, "not-found")
    mood = request.query_params.get("mood", MOODS[0])
    if mood not in MOODS:
        raise Problem(404, "not-found")
    return Response(face_svg(named(name, level), mood), media_type=SVG, headers=IMMUTABLE)


@lru_cache(256)
def link_code(url: str) -> Markup:
    """A QR code to embed in a page. Slow, so only for the worker's thread: milliseconds, up to 0.1 s for a large code.

    At most 8 KB, and 2 MB for the whole cache, since hosts are checked.
    """
    return Markup(segno.make(url, error="m").svg_inline(omitsize=True, border=2, svgclass="qr", lineclass="qr-line"))  # noqa: S704  # nosec B704


@lru_cache(16)
def seats_code_picture(code: str) -> bytes:
    """A QR code of up to 42 KB, as a file of its own. Capitals make it smaller."""
    drawn = BytesIO()
    made = segno.make(code.upper(), error="l", boost_error=False)
    made.save(drawn, kind="svg", xmldecl=False, omitsize=True, border=2)
    return drawn.getvalue()


ROUTES = [
    Route(urls.SAMPLE_PICTURE, sample, methods=["GET"]),
    Route("/faces/{level}/{name}.svg", face, methods=["GET"]),
]

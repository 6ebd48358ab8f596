"""Pictures of cards, each at an address that tells nothing, served once the card has been visible at its table."""

import gzip
from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.deck import PALETTES, Card, make_deck
from illusion.languages import N_
from illusion.tables import RefusalCode, Refused, Table
from illusion.tables.pictures import in_palette
from illusion.web.context import context
from illusion.web.http import urls
from illusion.web.http.problems import Problem

IMMUTABLE: Final = {"cache-control": "public, max-age=31536000, immutable"}
VARY: Final = {"vary": "accept-encoding"}
SVG: Final = "image/svg+xml"


async def card(request: Request) -> Response:
    service = context(request).service
    id, token = urls.split_card_address(request.path_params["address"])
    try:
        table = await service.get(id)
        number = _visible_number(table, token)
        if number is None:  # perhaps another process has just shown it
            table = await service.get_current(id)
            number = _visible_number(table, token)
    except Refused as refusal:
        if refusal.code is RefusalCode.NO_SUCH_TABLE:
            raise Problem(404, "not-found") from None
        raise
    if table.dealing is None or number is None:
        raise Problem(404, "not-found")
    return await _picture(request, table.dealing.pile[number - 1])


def _visible_number(table: Table, token: str) -> int | None:
    """The number of the card with this token, if it has been visible."""
    dealing = table.dealing
    if dealing is None:
        return None
    return next((number for number in table.seen if dealing.token(number) == token), None)


async def sample(request: Request) -> Response:
    """Cards of one public deck, for pages that explain the game."""
    number = request.path_params["card"]
    cards = await context(request).service.worker.run(sample_deck)
    if not 1 <= number <= len(cards):
        raise Problem(404, "not-found")
    return await _picture(request, cards[number - 1])


async def _picture(request: Request, card: Card) -> Response:
    palette = request.query_params.get("palette", "standard")
    if palette not in PALETTES:
        raise Problem(400, "unparsable", why=N_("there is no such palette"))
    service = context(request).service
    front = in_palette((await service.pictures.drawn(card)).front, palette)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(front, media_type=SVG, headers=IMMUTABLE | {"content-encoding": "gzip"} | VARY)
    return Response(gzip.decompress(front), media_type=SVG, headers=IMMUTABLE | VARY)


@lru_cache(1)
def sample_deck() -> tuple[Card, ...]:
    return make_deck(urls.SAMPLE_SEED).cards


ROUTES = [
    Route(urls.CARD_PICTURE, card, methods=["GET"]),
    Route(urls.SAMPLE_PICTURE, sample, methods=["GET"]),
]

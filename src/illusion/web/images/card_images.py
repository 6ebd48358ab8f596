"""Pictures of cards, each at an address that tells nothing, and only once it has been seen at its table."""

import asyncio
from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.deck import PALETTES, Card, make_deck
from illusion.languages import N_
from illusion.tables import RefusalCode, Refused, Table, TableService
from illusion.tables.model.commands import ID_LENGTH
from illusion.web.http.problems import Problem

IMMUTABLE: Final = {"cache-control": "public, max-age=31536000, immutable"}
SAMPLE_SEED: Final = 2018


async def card(request: Request) -> Response:
    service: TableService = request.app.state.service
    where = request.path_params["address"]
    try:
        table = await service.get(where[:ID_LENGTH])
        number = _seen(table, where[ID_LENGTH:])
        if number is None:  # shown by another process a moment ago, perhaps
            table = await service.get_current(where[:ID_LENGTH])
            number = _seen(table, where[ID_LENGTH:])
    except Refused as refusal:
        if refusal.code is RefusalCode.NO_SUCH_TABLE:
            raise Problem(404, "not-found") from None
        raise
    if table.dealing is None or number is None:
        raise Problem(404, "not-found")
    return await _picture(request, table.dealing.pile[number - 1])


def _seen(table: Table, token: str) -> int | None:
    """The card at this address, if it has been seen at the table."""
    dealing = table.dealing
    if dealing is None:
        return None
    return next((number for number in table.seen if dealing.token(number) == token), None)


async def sample(request: Request) -> Response:
    """Cards of one public deck, for pages that explain the game."""
    number = request.path_params["number"]
    cards = _sample_deck()
    if not 1 <= number <= len(cards):
        raise Problem(404, "not-found")
    return await _picture(request, cards[number - 1])


async def _picture(request: Request, card: Card) -> Response:
    palette = request.query_params.get("palette", "standard")
    if palette not in PALETTES:
        raise Problem(400, "unparsable", why=N_("there is no such palette"))
    svg = await asyncio.to_thread(card.svg, palette)
    return Response(svg, media_type="image/svg+xml", headers=IMMUTABLE)


@lru_cache(1)
def _sample_deck() -> tuple[Card, ...]:
    return make_deck(SAMPLE_SEED).cards


ROUTES = [
    Route("/cards/{address}.svg", card, methods=["GET"]),
    Route("/sample/{number:int}.svg", sample, methods=["GET"]),
]

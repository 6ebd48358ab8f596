"""The API: its operations, each with its route, and their description as OpenAPI 3.1 and as a page."""

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.deck import PALETTES
from illusion.review import Review
from illusion.rules import Colour
from illusion.tables import PublicView
from illusion.tables.eyes import EyesOfSeats
from illusion.tables.model.bot_players import Believed
from illusion.tables.public.record import Record, Replay
from illusion.tables.reviews import Progress
from illusion.web import urls
from illusion.web.api import routes
from illusion.web.bodies import HeldSeats, NewArrangement, NewBot, NewMove, NewReaction, NewSitter, NewTable
from illusion.web.context import context
from illusion.web.pages.templates import page
from illusion.web.pictures import SVG, card


class TableOpened(msgspec.Struct):
    """The new table, your seat, and the token that holds it: keep it, and send it as a Bearer token."""

    table: str
    seat: int
    token: str
    url: str


class SeatTaken(msgspec.Struct):
    """Your seat and the token that holds it."""

    seat: int
    token: str


class Done(msgspec.Struct):
    """The number of the table's last event."""

    seq: int


class Again(msgspec.Struct):
    """Where the same people play again."""

    table: str


class AllBelieved(msgspec.Struct):
    """What each bot saw in the row that was last turned over."""

    believed: list[Believed]


class Saw(msgspec.Struct):
    """What a bot took the shares of cards to be, by their addresses."""

    shares: dict[str, dict[Colour, int]]


class ProblemDetails(msgspec.Struct):
    """Why nothing was changed; rely on `code`."""

    type: str
    title: str
    status: int
    code: str
    detail: str


class Operation(NamedTuple):
    """One thing that the API does: the route that does it, and what is told about it."""

    does: Callable[[Request], Awaitable[Response]]
    method: str
    path: str
    summary: str
    body: type | None
    answers: dict[int, type | str]
    """By status: what is answered as JSON, or another media type."""
    seat: bool = False
    """Whether it takes a seat's token."""
    also: tuple[int, ...] = ()
    """Refusals that are peculiar to this one."""
    query: Mapping[str, Any] = MappingProxyType({})
    """Schemas of optional parameters, by name."""

    @property
    def refusals(self) -> list[int]:
        """Every operation can answer that its client is over a limit, or that the store failed."""
        is_change, names_table = self.method != "get", "{table}" in self.path
        found = {429, 503, *self.also}
        found |= {400, 413} if self.body else set()
        found |= {401} if self.seat else set()
        found |= {403} if is_change else set()
        found |= {404} if names_table else set()
        found |= {409} if is_change and names_table else set()
        return sorted(found)


REVIEW: Final = "How a finished game went: eye, judgement and luck of every decision; 202 while it is being reckoned"
EYES: Final = (
    "What somebody's own eyes are like, from seats they held at finished tables; 202 while it is being reckoned"
)
SHOW: Final = "Show a reaction: an event named reaction, without a number, to all connected readers"
PICTURE: Final = "The picture of a card that has been visible at its table; it never changes"
PALETTE: Final = {"palette": {"type": "string", "enum": list(PALETTES)}}

_AT: Final = "/api/tables/{table}"
_STREAM: Final = "text/event-stream"
OPERATIONS: Final = (
    Operation(routes.open_table, "post", "/api/tables", "Open a table", NewTable, {201: TableOpened}),
    Operation(routes.look, "get", _AT, "Look at a table", None, {200: PublicView}),
    Operation(routes.arrange, "put", _AT, "Choose game and clock (host)", NewArrangement, {200: Done}, seat=True),
    Operation(routes.sit, "post", f"{_AT}/seats", "Sit down", NewSitter, {201: SeatTaken}),
    Operation(routes.leave, "delete", f"{_AT}/seats/me", "Leave", None, {200: Done}, seat=True),
    Operation(routes.come_back, "put", f"{_AT}/seats/me", "Come back", None, {200: Done}, seat=True),
    Operation(routes.add_bot, "post", f"{_AT}/bots", "Add a bot (host)", NewBot, {201: Done}, seat=True),
    Operation(routes.remove_bot, "delete", f"{_AT}/bots/{{seat}}", "Remove a bot (host)", None, {200: Done}, seat=True),
    Operation(routes.start, "post", f"{_AT}/start", "Deal (host)", None, {200: Done}, seat=True),
    Operation(routes.move, "post", f"{_AT}/moves", "Place or doubt", NewMove, {200: Done}, seat=True),
    Operation(routes.react, "post", f"{_AT}/reactions", SHOW, NewReaction, {200: Done}, seat=True),
    Operation(routes.rematch, "post", f"{_AT}/rematch", "Play again", None, {200: Again}, seat=True),
    Operation(routes.record, "get", f"{_AT}/record", "A finished game", None, {200: Record}, also=(409,)),
    Operation(
        routes.replay, "get", f"{_AT}/replay", "A finished game, moment by moment", None, {200: Replay}, also=(409,)
    ),
    Operation(
        routes.saw,
        "get",
        f"{_AT}/saw/{{seat}}",
        "What a bot took a finished game's cards to be",
        None,
        {200: Saw},
        also=(409,),
    ),
    Operation(routes.review, "get", f"{_AT}/review", REVIEW, None, {200: Review, 202: Progress}, also=(409,)),
    Operation(routes.believed, "get", f"{_AT}/believed", "What bots saw in the last row", None, {200: AllBelieved}),
    Operation(routes.events, "get", f"{_AT}/events", "What happens, as a stream", None, {200: _STREAM}, also=(400,)),
    Operation(routes.eyes, "post", "/api/eyes", EYES, HeldSeats, {200: EyesOfSeats, 202: EyesOfSeats}),
    Operation(card, "get", urls.CARD_PICTURE, PICTURE, None, {200: SVG}, also=(400, 404), query=PALETTE),
)


@cache
def description() -> dict[str, Any]:
    bodies = [each.body for each in OPERATIONS if each.body]
    answers = [kind for each in OPERATIONS for kind in each.answers.values() if not isinstance(kind, str)]
    kinds = list(dict.fromkeys([*bodies, *answers, ProblemDetails]))
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    of = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for each in OPERATIONS:
        paths.setdefault(each.path, {})[each.method] = _operation(each, of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Illusion",
            "version": "1",
            "description": "Tables of the card game Illusion. Cards appear by addresses: /cards/{address}.svg",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer", "description": "A seat's token."}},
        },
    }


def _operation(each: Operation, of: dict[type, dict[str, Any]]) -> dict[str, Any]:
    parameters = [_parameter(name, "path", _in_path(name)) for name in re.findall(r"{(\w+)}", each.path)]
    parameters += [_parameter(name, "query", schema) for name, schema in each.query.items()]
    operation: dict[str, Any] = {"summary": each.summary, "parameters": parameters, "responses": {}}
    if each.body:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": of[each.body]}}}
    if each.seat:
        operation["security"] = [{"seat": []}]
    for status, kind in each.answers.items():
        content = {kind: {}} if isinstance(kind, str) else {"application/json": {"schema": of[kind]}}
        operation["responses"][str(status)] = {"description": "Done", "content": content}
    for status in each.refusals:
        refusal = {"application/problem+json": {"schema": of[ProblemDetails]}}
        operation["responses"][str(status)] = {"description": "Refused", "content": refusal}
    return operation


def _in_path(name: str) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0} if name == "seat" else {"type": "string"}


def _parameter(name: str, place: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


async def as_json(request: Request) -> Response:
    return routes.shown(await context(request).service.worker.run(description))


async def as_page(request: Request) -> Response:
    return await page(request, "api.html", operations=OPERATIONS, description=description)


ROUTES = [
    *(Route(each.path.replace("{seat}", "{seat:number}"), each.does, methods=[each.method]) for each in OPERATIONS),
    Route("/api/openapi.json", as_json, methods=["GET"]),
    Route("/api/docs", as_page, methods=["GET"]),
]

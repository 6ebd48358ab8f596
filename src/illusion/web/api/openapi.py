"""The description of the API, as OpenAPI 3.1 and as a page, generated from the types that the routes use."""

import re
from collections.abc import Mapping
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
from illusion.tables.public.record import Record
from illusion.tables.public.replay import Replay
from illusion.tables.reviews import Progress
from illusion.web.api.requests import HeldSeats, NewArrangement, NewBot, NewMove, NewReaction, NewSitter, NewTable
from illusion.web.api.routes import shown
from illusion.web.context import context
from illusion.web.pages.templates import page


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
    method: str
    path: str
    summary: str
    body: type | None
    answers: dict[int, type | str]
    """By status: what is answered as JSON, or another media type."""
    refusals: tuple[int, ...]
    seat: bool = False
    query: Mapping[str, Any] = MappingProxyType({})
    """Schemas of optional parameters, by name."""


ANY_REQUEST: Final = (429, 503)
"""Every operation can answer that its client is over a limit, or that the store failed."""


OPERATIONS: Final = (
    Operation("post", "/api/tables", "Open a table", NewTable, {201: TableOpened}, (400, 403, 413, 429)),
    Operation("get", "/api/tables/{table}", "Look at a table", None, {200: PublicView}, (404,)),
    Operation(
        "put",
        "/api/tables/{table}",
        "Choose game and clock (host)",
        NewArrangement,
        {200: Done},
        (400, 401, 403, 404, 409, 413),
        seat=True,
    ),
    Operation("post", "/api/tables/{table}/seats", "Sit down", NewSitter, {201: SeatTaken}, (400, 403, 404, 409, 413)),
    Operation("delete", "/api/tables/{table}/seats/me", "Leave", None, {200: Done}, (401, 403, 404, 409), seat=True),
    Operation("put", "/api/tables/{table}/seats/me", "Come back", None, {200: Done}, (401, 403, 404, 409), seat=True),
    Operation(
        "post",
        "/api/tables/{table}/bots",
        "Add a bot (host)",
        NewBot,
        {201: Done},
        (400, 401, 403, 404, 409, 413),
        seat=True,
    ),
    Operation(
        "delete",
        "/api/tables/{table}/bots/{seat}",
        "Remove a bot (host)",
        None,
        {200: Done},
        (401, 403, 404, 409),
        seat=True,
    ),
    Operation("post", "/api/tables/{table}/start", "Deal (host)", None, {200: Done}, (401, 403, 404, 409), seat=True),
    Operation(
        "post",
        "/api/tables/{table}/moves",
        "Place or doubt",
        NewMove,
        {200: Done},
        (400, 401, 403, 404, 409, 413),
        seat=True,
    ),
    Operation(
        "post",
        "/api/tables/{table}/reactions",
        "Show a reaction: an event named reaction, without a number, to all connected readers",
        NewReaction,
        {200: Done},
        (400, 401, 403, 404, 409, 413, 429),
        seat=True,
    ),
    Operation("post", "/api/tables/{table}/rematch", "Play again", None, {200: Again}, (401, 403, 404, 409), seat=True),
    Operation("get", "/api/tables/{table}/record", "A finished game", None, {200: Record}, (404, 409)),
    Operation(
        "get", "/api/tables/{table}/replay", "A finished game, moment by moment", None, {200: Replay}, (404, 409)
    ),
    Operation(
        "get",
        "/api/tables/{table}/saw/{seat}",
        "What a bot took a finished game's cards to be",
        None,
        {200: Saw},
        (404, 409),
    ),
    Operation(
        "get",
        "/api/tables/{table}/review",
        "How a finished game went: eye, judgement and luck of every decision; 202 while it is being reckoned",
        None,
        {200: Review, 202: Progress},
        (404, 409),
    ),
    Operation("get", "/api/tables/{table}/believed", "What bots saw in the last row", None, {200: AllBelieved}, (404,)),
    Operation(
        "get", "/api/tables/{table}/events", "What happens, as a stream", None, {200: "text/event-stream"}, (400, 404)
    ),
    Operation(
        "post",
        "/api/eyes",
        "What somebody's own eyes are like, from seats they held at finished tables; 202 while it is being reckoned",
        HeldSeats,
        {200: EyesOfSeats, 202: EyesOfSeats},
        (400, 403, 413),
    ),
    Operation(
        "get",
        "/cards/{address}.svg",
        "The picture of a card that has been visible at its table; it never changes",
        None,
        {200: "image/svg+xml"},
        (400, 404),
        query={"palette": {"type": "string", "enum": list(PALETTES)}},
    ),
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
    names = re.findall(r"{(\w+)}", each.path)
    operation: dict[str, Any] = {
        "summary": each.summary,
        "parameters": [
            {
                "name": name,
                "in": "path",
                "required": True,
                "schema": {"type": "integer", "minimum": 0} if name == "seat" else {"type": "string"},
            }
            for name in names
        ]
        + [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in each.query.items()],
        "responses": {},
    }
    if each.body:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": of[each.body]}}}
    if each.seat:
        operation["security"] = [{"seat": []}]
    for status, kind in each.answers.items():
        content = {kind: {}} if isinstance(kind, str) else {"application/json": {"schema": of[kind]}}
        operation["responses"][str(status)] = {"description": "Done", "content": content}
    for status in sorted({*each.refusals, *ANY_REQUEST}):
        refusal = {"application/problem+json": {"schema": of[ProblemDetails]}}
        operation["responses"][str(status)] = {"description": "Refused", "content": refusal}
    return operation


async def as_json(request: Request) -> Response:
    return shown(await context(request).service.worker.run(description))


async def as_page(request: Request) -> Response:
    return await page(
        request,
        "api.html",
        operations=OPERATIONS,
        any_request=ANY_REQUEST,
        description=description,
    )


ROUTES = [
    Route("/api/openapi.json", as_json, methods=["GET"]),
    Route("/api/docs", as_page, methods=["GET"]),
]

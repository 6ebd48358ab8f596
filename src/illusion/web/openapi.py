"""Operations of the JSON API, and their description in OpenAPI 3.1."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

Answers = Mapping[int, type | str]
"""By status: the type of the JSON answer, or another media type."""


class ProblemDetails(msgspec.Struct):
    """Why the request was refused; programs should rely on `code`. Nothing has changed."""

    type: str
    title: str
    status: int
    code: str
    detail: str


class Operation(NamedTuple):
    """An operation of the API: its route and its description."""

    does: Callable[[Request], Awaitable[Response]]
    method: str
    path: str
    summary: str
    answers: Answers
    body: type | None = None
    seat: bool = False
    """Whether it needs a seat's token."""
    also: tuple[int, ...] = ()
    """Statuses of refusals besides the usual ones."""
    query: Mapping[str, Any] = MappingProxyType({})
    """Schemas of optional parameters, by name."""

    @property
    def refusals(self) -> list[int]:
        """Every operation can answer that its client is over a limit, or that the store failed."""
        is_change, names_table = self.method != "get", "{" in self.path
        found = {429, 503, *self.also}
        found |= {400, 413} if self.body else set()
        found |= {401} if self.seat else set()
        found |= {403} if is_change else set()
        found |= {404} if names_table else set()
        found |= {409} if is_change and names_table else set()
        return sorted(found)


def description(operations: Sequence[Operation]) -> dict[str, Any]:
    bodies = [each.body for each in operations if each.body]
    answers = [kind for each in operations for kind in each.answers.values() if not isinstance(kind, str)]
    kinds = list(dict.fromkeys([*bodies, *answers, ProblemDetails]))
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schema_of = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        paths.setdefault(each.path, {})[each.method] = _operation(each, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Illusion",
            "version": "1",
            "description": "Tables and club evenings of Illusion. Cards appear by addresses: /cards/{address}.svg",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "description": "A seat's or an evening's token."}
            },
        },
    }


def _operation(each: Operation, schema_of: dict[type, dict[str, Any]]) -> dict[str, Any]:
    in_path = ((name, "path", _path_schema(name)) for name in re.findall(r"{(\w+)}", each.path))
    in_query = ((name, "query", schema) for name, schema in each.query.items())
    parameters = [
        {"name": name, "in": place, "required": place == "path", "schema": schema}
        for name, place, schema in (*in_path, *in_query)
    ]
    operation: dict[str, Any] = {"summary": each.summary, "parameters": parameters, "responses": {}}
    if each.body:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema_of[each.body]}}}
    if each.seat:
        operation["security"] = [{"seat": []}]
    for status, kind in each.answers.items():
        content = {kind: {}} if isinstance(kind, str) else {"application/json": {"schema": schema_of[kind]}}
        operation["responses"][str(status)] = {"description": "Done", "content": content}
    for status in each.refusals:
        refusal = {"application/problem+json": {"schema": schema_of[ProblemDetails]}}
        operation["responses"][str(status)] = {"description": "Refused", "content": refusal}
    return operation


def _path_schema(name: str) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0} if name in ("seat", "number", "person") else {"type": "string"}

"""The HTTP API's own description (OpenAPI) as a page to read."""

from collections.abc import Iterator, Mapping
from typing import Any

INTRODUCTION = """# HTTP API

This is the description that a server gives at `/api/openapi.json`, laid out; `/api/docs` of a server shows the same.
[Your own bot](your-own-bot.md) begins with the five calls that a player needs; [stability](stability.md) says what
stays.

A seat's token is sent as `Authorization: Bearer TOKEN`. Refusals are `application/problem+json` with a stable `code`
([ProblemDetails](#problemdetails)).
"""


def api_page(document: Mapping[str, Any]) -> str:
    parts = [INTRODUCTION, "\n## Operations\n"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts += operation_lines(method.upper(), path, operation)
    parts.append("\n## What is sent and answered\n")
    for name, schema in document["components"]["schemas"].items():
        parts += schema_lines(name, schema)
    return "".join(parts)


def operation_lines(method: str, path: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n### {method} {path}\n\n{operation['summary']}.\n\n".replace("..\n", ".\n")
    if operation.get("security"):
        yield "Takes a seat's token.\n\n"
    for each in operation["parameters"]:
        if each["in"] == "query":
            yield f"- `?{each['name']}=` {kind_of(each['schema'])}, optional\n"
    if body := operation.get("requestBody"):
        (content,) = body["content"].values()
        yield f"- sends {kind_of(content['schema'])}\n"
    refusals = []
    for status, answer in operation["responses"].items():
        if "application/problem+json" in answer.get("content", {}):
            refusals.append(status)
            continue
        kinds = [
            kind_of(content["schema"]) if "schema" in content else f"`{media}`"
            for media, content in answer.get("content", {}).items()
        ]
        yield f"- **{status}** {' or '.join(kinds)}\n"
    yield f"- refusals: {', '.join(refusals)}\n"


def schema_lines(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n### {name}\n\n"
    if text := schema.get("description"):
        yield f"{text}\n\n"
    if "properties" not in schema:
        yield f"{kind_of(schema)}\n"
        return
    yield "| field | what | |\n| --- | --- | --- |\n"
    for field, its in schema["properties"].items():
        needed = "" if field in schema.get("required", ()) else "optional"
        about = f"{kind_of(its)}. {its['description']}" if "description" in its else kind_of(its)
        yield f"| `{field}` | {about} | {needed} |\n"


def kind_of(schema: Mapping[str, Any]) -> str:
    """In words, with links to the kinds that have a name."""
    match schema:
        case {"$ref": where}:
            name = where.rpartition("/")[2]
            said = f"[{name}](#{name.lower()})"
        case {"anyOf": kinds}:
            said = " or ".join(map(kind_of, kinds))
        case {"enum": values}:
            said = " or ".join(f"`{each}`" for each in values)
        case {"const": value}:
            said = f"`{value}`"
        case {"prefixItems": kinds}:
            said = f"[{', '.join(map(kind_of, kinds))}]"
        case {"type": "array", "items": {} as kind}:
            said = f"list of {kind_of(kind)}"
        case {"additionalProperties": {} as kind}:
            said = f"object, each {kind_of(kind)}"
        case _:
            said = schema.get("type", "anything") + _bounds(schema)
    return said


def _bounds(schema: Mapping[str, Any]) -> str:
    least, most = schema.get("minimum", schema.get("minLength")), schema.get("maximum", schema.get("maxLength"))
    bounds = [f"from {least}"] * (least is not None) + [f"to {most}"] * (most is not None)
    return f" ({' '.join(bounds)})" if bounds else ""

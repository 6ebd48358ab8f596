"""Request bodies, read with a limit on their size and on the time they take."""

import asyncio
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from illusion.languages import N_
from illusion.web.http.problems import Problem

MAX_BODY_BYTES: Final = 16 * 1024
BODY_TIMEOUT_S: Final = 20.0


async def read_body(request: Request) -> bytes:
    """The whole body. Refuses one that is too large or takes too long."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for part in request.stream():
                body += part
                if len(body) > MAX_BODY_BYTES:
                    raise Problem(413, "too-large")
    except TimeoutError:
        raise Problem(408, "too-slow") from None
    return bytes(body)


async def read_form(request: Request) -> dict[str, list[str]]:
    """The fields of a form."""
    try:
        return parse_qs((await read_body(request)).decode(), keep_blank_values=True, max_num_fields=20)
    except (UnicodeDecodeError, ValueError):
        raise Problem(400, "unparsable", why=N_("the form cannot be read")) from None

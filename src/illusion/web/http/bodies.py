"""Request bodies, read with a limit on their size and on the time they take."""

import asyncio
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from illusion.languages import N_
from illusion.web.http.problems import Problem

MAX_BODY_BYTES: Final = 16 * 1024
BODY_TIMEOUT_S: Final = 20.0


async def read_body(request: Request) -> bytes:
    """The whole body. Refuses one that is too large or takes too long."""
    message = await request.receive()  # mostly the whole body, which arrived together with the head
    body, more = _part(message)
    if more:
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                while more and len(body) <= MAX_BODY_BYTES:
                    part, more = _part(await request.receive())
                    body += part
        except TimeoutError:
            raise Problem(408, "too-slow") from None
    if len(body) > MAX_BODY_BYTES:
        raise Problem(413, "too-large")
    return body


def _part(message: Message) -> tuple[bytes, bool]:
    """A part of the body, and whether there are more."""
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), message.get("more_body", False)


async def read_form(request: Request) -> dict[str, list[str]]:
    """The fields of a form."""
    try:
        return parse_qs((await read_body(request)).decode(), keep_blank_values=True, max_num_fields=20)
    except (UnicodeDecodeError, ValueError):
        raise Problem(400, "unparsable", why=N_("the form cannot be read")) from None

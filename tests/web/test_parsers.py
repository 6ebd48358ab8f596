"""Every parser of untrusted input gives a value or one refusal with a sentence; no other exception escapes."""

from collections.abc import Awaitable, Callable, Mapping

import msgspec
import pytest
from harness.fuzzing import json_values
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.types import Message, Scope

from illusion.languages import ENGLISH
from illusion.rules import Doubt, Place
from illusion.rules.setup import MOST_PLAYERS
from illusion.tables import Refused
from illusion.tables.model.commands import MAX_CHARACTERS, clean_name
from illusion.web import problems, tokens
from illusion.web.bodies import (
    MAX_BODY_BYTES,
    NewArrangement,
    NewBot,
    NewMove,
    NewSitter,
    NewTable,
    parse_body,
    read_form,
)
from illusion.web.limits import MAX_ADDRESS_CHARACTERS, client_network
from illusion.web.live import events

KINDS = (NewTable, NewArrangement, NewSitter, NewBot, NewMove)
HEADERS = (b"cookie", b"authorization", b"origin", b"host", b"last-event-id", b"x-forwarded-for")
bodies = st.binary(max_size=300) | json_values.map(msgspec.json.encode)
near = st.sampled_from(
    [b'{"move":"place","seq":1,"gap":', b'{"name":', b'{"move":"doubt","seq":', b'{"level":']
).flatmap(lambda start: bodies.map(lambda rest: start + rest + b"}"))


def asked(body: bytes = b"", headers: list[tuple[bytes, bytes]] | None = None, query: bytes = b"") -> Request:
    scope: Scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/tables/abcdefgh/moves",
        "query_string": query,
        "headers": headers or [],
        "client": ("192.0.2.1", 1),
        "scheme": "http",
        "server": ("illusion", 80),
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return Request(scope, receive)


def check_refusal(refusal: problems.Problem | Refused) -> None:
    """A refusal has a status of the client's fault and a sentence."""
    status, _, sentence = problems.describe(refusal, ENGLISH)
    assert status in (400, 413)
    assert sentence.endswith(".")


def parsed(parse: Callable[[], object]) -> object | None:
    """What was parsed; or None, if it was refused with a code that has a sentence."""
    try:
        return parse()
    except (problems.Problem, Refused) as refusal:
        check_refusal(refusal)
        return None


async def parsed_body(parsing: Awaitable[object]) -> object | None:
    """The same for a body, which has to be awaited."""
    try:
        return await parsing
    except (problems.Problem, Refused) as refusal:
        check_refusal(refusal)
        return None


@given(bodies | near)
@settings(max_examples=200)
async def test_bodies(body: bytes) -> None:
    for kind in KINDS:
        read = await parsed_body(parse_body(asked(body), kind))
        assert read is None or isinstance(read, kind)
        if isinstance(read, NewMove):
            assert parsed(read.chosen) is None or isinstance(read.chosen(), Place | Doubt)


async def test_a_body_that_is_too_large() -> None:
    large = asked(b" " * (MAX_BODY_BYTES + 1))
    assert await parsed_body(parse_body(large, NewMove)) is None


@given(st.binary(max_size=400) | st.text("nameseats=&%;+,a\x00é", max_size=400).map(str.encode))
@settings(max_examples=200)
async def test_forms(body: bytes) -> None:
    fields = await parsed_body(read_form(asked(body)))
    assert fields is None or isinstance(fields, Mapping)


@given(st.lists(st.tuples(st.sampled_from(HEADERS), st.binary(max_size=60)), max_size=8))
@settings(max_examples=200)
def test_headers_and_cookies(headers: list[tuple[bytes, bytes]]) -> None:
    read = tokens.held(asked(headers=headers), "abcdefgh")
    assert len(read.tokens) == len(read.hashes) <= MOST_PLAYERS


@given(st.binary(max_size=30), st.binary(max_size=30))
def test_the_last_event_seen(header: bytes, query: bytes) -> None:
    number = parsed(lambda: events.last_seen(asked(headers=[(b"last-event-id", header)], query=query)))
    assert number is None or (isinstance(number, int) and 0 <= number < 10**12)


@given(st.text(max_size=60))
@settings(max_examples=200)
def test_names(name: str) -> None:
    kept = parsed(lambda: clean_name(name))
    assert kept is None or (isinstance(kept, str) and 1 <= len(kept) <= MAX_CHARACTERS)


@given(st.text() | st.ip_addresses().map(str))
def test_addresses(address: str) -> None:
    """Whatever a proxy was told, what is kept is short."""
    assert 0 < len(client_network(address)) <= MAX_ADDRESS_CHARACTERS


@pytest.mark.parametrize(
    ("address", "counts_for"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::9:1", "2001:db8::/64"),
        ("?", "unknown"),
        ("1" * 9000, "unknown"),
    ],
)
def test_the_network_an_address_counts_for(address: str, counts_for: str) -> None:
    assert client_network(address) == counts_for

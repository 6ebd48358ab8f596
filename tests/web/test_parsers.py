"""Every parser of what a guest sends gives a value or one refusal with a sentence, in time that grows with the length.

Work is counted, not timed: one for every line that runs, and the length of every text or list that a line binds. So a
loop that copies what is left of its input counts as what it is, quadratic.
"""

import asyncio
import sys
import unicodedata
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from types import FrameType
from typing import Any, Literal

import msgspec
import pytest
from harness.fuzzing import json_values
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from illusion.languages import ENGLISH, languages, negotiate
from illusion.rules import Doubt, Place
from illusion.rules.setup import MOST_PLAYERS
from illusion.tables import Refused
from illusion.tables.model.commands import MAX_CODE_POINTS, clean_name
from illusion.tables.model.entries import Terms
from illusion.web import problems
from illusion.web.bodies import (
    NewBot,
    NewMove,
    NewSitter,
    NewTable,
    parse_body,
    read_form,
)
from illusion.web.limits import MAX_ADDRESS_CHARACTERS, client_network, target_of
from illusion.web.live.events import last_seen
from illusion.web.problems import Problem
from illusion.web.reader import own_name, settings
from illusion.web.security import Hosts, is_our_origin
from illusion.web.tokens import cookies_in, held, parse_tokens, read_cookie

TABLE = "abcdefgh"
KINDS = (NewTable, Terms, NewSitter, NewBot, NewMove)
HEADERS = (b"cookie", b"authorization", b"origin", b"host", b"last-event-id", b"x-forwarded-for")

bodies = st.binary(max_size=300) | json_values.map(msgspec.json.encode)
near = st.sampled_from(
    [b'{"move":"place","seq":1,"gap":', b'{"name":', b'{"move":"doubt","seq":', b'{"level":']
).flatmap(lambda start: bodies.map(lambda rest: start + rest + b"}"))


def asked(headers: Mapping[bytes, bytes] | None = None, *, query: bytes = b"", body: bytes = b"") -> Request:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": f"/api/tables/{TABLE}/moves",
        "query_string": query,
        "headers": list((headers or {}).items()),
        "client": ("192.0.2.1", 1),
        "server": ("illusion", 80),
    }
    return Request(scope, receive)


async def parsed(parsing: Awaitable[object]) -> object | None:
    """What was parsed; or None, if it was refused as the client's fault, with a sentence."""
    try:
        return await parsing
    except (Problem, Refused) as refusal:
        status, _, sentence = problems.describe(refusal, ENGLISH)
        assert status in (400, 413)
        assert sentence.endswith(".")
        return None


@given(bodies | near)
async def test_bodies(body: bytes) -> None:
    async def chosen(move: NewMove) -> Place | Doubt:
        return move.chosen()

    for kind in KINDS:
        read = await parsed(parse_body(asked(body=body), kind))
        assert read is None or isinstance(read, kind)
        if isinstance(read, NewMove):
            assert isinstance(await parsed(chosen(read)), Place | Doubt | None)


@given(st.binary(max_size=400) | st.text("nameseats=&%;+,a\x00é", max_size=400).map(str.encode))
async def test_forms(body: bytes) -> None:
    assert isinstance(await parsed(read_form(asked(body=body))), Mapping | None)


@given(st.dictionaries(st.sampled_from(HEADERS), st.binary(max_size=60)), st.binary(max_size=30))
async def test_headers_and_the_last_event_seen(headers: dict[bytes, bytes], query: bytes) -> None:
    async def last() -> int:
        return last_seen(asked(headers, query=query)) or 0

    read = held(asked(headers), TABLE)
    assert len(read.tokens) == len(read.hashes) <= MOST_PLAYERS
    number = await parsed(last())
    assert number is None or (isinstance(number, int) and 0 <= number < 10**12)


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


UNITS = (
    *("a", "a-", "a,", "a;q=1,", "a;", "a=b;", "=", ";", "\\", '\\"', '"\\\\', ".", "a.", "%41", "%", "&", "a=1&", "/"),
    *("//", "[", "]", "[[", ":", "@", " ", "a ", "0", "9", "{", '{"a":', '"a",', "\u0315\u0300", "é"),
)
"""What inputs are made of: one of these, over and over."""
LENGTH = 1000


def work(parse: Callable[[str], object], text: str) -> int:
    """Lines run, and the lengths of what they bind, while a text is parsed."""
    done = 0
    bound: dict[tuple[int, str], int] = {}

    def on_event(frame: FrameType, _event: str, _value: object) -> Any:
        nonlocal done
        done += 1
        for name, value in frame.f_locals.items():
            if isinstance(value, (str, bytes, list, tuple, dict)) and bound.get((id(frame), name)) != id(value):
                bound[id(frame), name] = id(value)
                done += len(value)
        return on_event

    sys.settrace(on_event)
    try:
        parse(text)
    except (Problem, Refused):
        pass
    finally:
        sys.settrace(None)
    return done


def growth(parse: Callable[[str], object], unit: str) -> float:
    """How many times as much work twice the input is."""
    once = unit * (LENGTH // len(unit))
    work(parse, once)  # the first time something may be read or compiled
    return work(parse, once + once) / work(parse, once)


LOOP = asyncio.new_event_loop()


def cookie(text: str) -> Request:
    return asked({b"cookie": text.encode()})


def finished(coroutine: Coroutine[Any, Any, object]) -> None:
    """Run a coroutine that has nothing to wait for."""
    LOOP.run_until_complete(coroutine)


PARSERS: dict[str, Callable[[str], object]] = {
    "cookies": lambda text: list(cookies_in(text)),
    "one cookie": lambda text: read_cookie(text, "language"),
    "tokens in a cookie": lambda text: parse_tokens("", f"seat-{TABLE}={text}", TABLE, "http"),
    "cookies of many seats": lambda text: parse_tokens("", text, TABLE, "http"),
    "bearer": lambda text: parse_tokens(f"Bearer {text}", "", TABLE, "http"),
    "authorization": lambda text: parse_tokens(text, "", TABLE, "http"),
    "language": lambda text: negotiate(languages(), text),
    "chosen language": lambda text: negotiate(languages(), "", text),
    "settings": lambda text: settings(cookie(f"settings={text}")),
    "own name": lambda text: own_name(cookie(f"name={text}")),
    "origin": lambda text: is_our_origin("http", "host", text),
    "host": Hosts(["illusion.example"]).accept,
    "path": lambda text: target_of("/" + text),
    "table": lambda text: target_of(f"/table/{text}"),
    "card's address": lambda text: target_of(f"/cards/{text}.svg"),
    "address told by a proxy": client_network,
    "last event in a header": lambda text: last_seen(asked({b"last-event-id": text.encode()})),
    "last event in a query": lambda text: last_seen(asked(query=f"after={text}".encode())),
    "query": lambda text: asked(query=text.encode()).query_params.get("palette"),
    "many headers": lambda text: held(cookie(text), TABLE),
    "form": lambda text: finished(read_form(asked(body=text.encode()))),
    "body": lambda text: finished(parse_body(asked(body=text.encode()), NewTable)),
    "name": clean_name,
}


@pytest.mark.parametrize("name", PARSERS)
def test_twice_the_input_is_at_most_twice_the_work(name: str) -> None:
    parse = PARSERS[name]
    slow = {unit: times for unit in UNITS if (times := growth(parse, unit)) > 2.3}
    assert not slow


def test_a_quadratic_parser_is_found() -> None:
    def shortened(text: str) -> None:
        while text:
            text = text.rpartition("-")[0]

    assert growth(shortened, "a-") > 3


def test_a_name_is_measured_before_anything_else_looks_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's normalization is quadratic for marks in the wrong order, and runs where no work can be counted."""
    looked_at: list[int] = []
    normalize = unicodedata.normalize

    def noted(form: Literal["NFC"], text: str) -> str:
        looked_at.append(len(text))
        return normalize(form, text)

    monkeypatch.setattr(unicodedata, "normalize", noted)
    for name in ("\u0315\u0300" * 4000, "Ann", "e\u0302\u0323" * 24):
        try:
            clean_name(name)
        except Refused:
            continue
    assert max(looked_at) == 72 <= MAX_CODE_POINTS

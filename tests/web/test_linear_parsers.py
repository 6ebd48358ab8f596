"""Every parser that sees a guest's bytes does work in proportion to their length, whatever they are.

Work is counted, not timed: one for every line that runs, and the length of every text or list that a line binds. So a
loop that copies what is left of its input counts as what it is, quadratic.
"""

import asyncio
import sys
import unicodedata
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, Literal

import pytest
from starlette.requests import Request

from illusion.languages import languages, negotiate
from illusion.tables import Refused
from illusion.tables.model.commands import MAX_CODE_POINTS, clean_name
from illusion.web.bodies import NewTable, parse_body, read_form
from illusion.web.limits import client_network, target_of
from illusion.web.live.events import last_seen
from illusion.web.problems import Problem
from illusion.web.reader import own_name, settings
from illusion.web.security import Hosts, csrf_decision
from illusion.web.tokens import cookies_in, held, parse_tokens, read_cookie

TABLE = "abcdefgh"
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


def asked(name: str = "", value: str = "", *, query: str = "", body: str = "") -> Request:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body.encode(), "more_body": False}

    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/api/tables/{TABLE}",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode())] if name else [],
    }
    return Request(scope, receive)


LOOP = asyncio.new_event_loop()


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
    "settings": lambda text: settings(asked("cookie", f"settings={text}")),
    "own name": lambda text: own_name(asked("cookie", f"name={text}")),
    "origin": lambda text: csrf_decision("POST", "http", "host", text),
    "host": Hosts(["illusion.example"]).accept,
    "path": lambda text: target_of("/" + text),
    "table": lambda text: target_of(f"/table/{text}"),
    "card's address": lambda text: target_of(f"/cards/{text}.svg"),
    "address told by a proxy": client_network,
    "last event in a header": lambda text: last_seen(asked("last-event-id", text)),
    "last event in a query": lambda text: last_seen(asked(query=f"after={text}")),
    "query": lambda text: asked(query=text).query_params.get("palette"),
    "many headers": lambda text: held(asked("cookie", text), TABLE),
    "form": lambda text: finished(read_form(asked(body=text))),
    "body": lambda text: finished(parse_body(asked(body=text), NewTable)),
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
    assert looked_at == [3, 72]
    assert max(looked_at) <= MAX_CODE_POINTS

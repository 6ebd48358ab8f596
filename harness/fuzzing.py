"""Sends malformed and random requests to a real server; its metrics count the requests and their statuses."""

import http.client
import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote_from_bytes, urlencode

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from harness.servers import Server, opened
from harness.sockets.frames import UPGRADE, frame
from illusion.web import urls
from illusion.web.app import ROUTES


class Asked(NamedTuple):
    method: str
    path: str
    headers: dict[str, bytes]
    body: bytes


def answered(server: Server) -> dict[str, int]:
    """The number of answered requests, by class of status."""
    counts: dict[str, int] = {}
    for family in text_string_to_metric_families(server.client().get("/metrics").text):
        for sample in family.samples:
            if sample.name == "illusion_requests_total":
                kind = sample.labels["status"][0]
                counts[kind] = counts.get(kind, 0) + int(sample.value)
    return counts


def by_description(server: Server, folder: Path, examples: int, number: int) -> None:
    """Requests inside and outside the API's description, by schemathesis, except for streams, which do not end."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/api/openapi.json", "--no-color"]
    command += ["--max-examples", str(examples), "--seed", str(number), "--exclude-path-regex", "/events$"]
    command += ["--workers", "1", "--suppress-health-check", "all", "--request-timeout", "20", "--checks"]
    command += ["not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
_sign = st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="\x7f")
_header = st.text(_sign, max_size=40).map(lambda text: text.strip().encode("latin-1"))


_number = st.integers(-2, 30) | st.integers() | st.floats() | st.text(max_size=4)
_name = st.sampled_from(["Ana", "Bob", "\u202e", "n" * 25]) | st.text(max_size=30)
_move = st.fixed_dictionaries(
    {"move": st.sampled_from(["place", "doubt", "Place", None]), "seq": st.integers(1, 12) | _number},
    optional={"gap": st.integers(0, 3) | _number | st.none(), "extra": json_values},
)
_table = st.fixed_dictionaries(
    {"name": _name | json_values},
    optional={
        "seats": st.integers(2, 5) | _number,
        "variant": st.sampled_from(["twelve-rounds", "x"]) | json_values,
        "bots": st.lists(st.sampled_from(["keen", "casual"]), max_size=5) | json_values,
        "clock": st.sampled_from([None, 20, 45]) | json_values,
    },
)
_sitter = st.fixed_dictionaries({"name": _name | json_values})
_bot = st.fixed_dictionaries({"level": st.sampled_from(["keen", "x"]) | json_values})
_held = st.fixed_dictionaries(
    {}, optional={"code": st.just("e1") | st.text() | json_values, "seats": st.just([["abcdefgh", 1]]) | json_values}
)
_arranged = st.fixed_dictionaries(
    {"variant": st.just("twelve-rounds") | json_values, "clock": st.just(45) | json_values}
)


def _as_json(body: st.SearchStrategy[Any]) -> st.SearchStrategy[bytes]:
    """Mostly valid bodies, sometimes any JSON, sometimes any bytes."""
    return st.one_of(body, body, body, json_values).map(lambda body: json.dumps(body).encode()) | st.binary(
        max_size=200
    )


def _form(tables: list[str]) -> st.SearchStrategy[bytes]:
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
    named = st.tuples(st.just("name"), _name.filter(lambda name: name.isprintable()))
    code = st.tuples(st.just("code"), st.sampled_from(tables) | text)
    other = st.tuples(st.sampled_from(["seats", "clock", "variant", "x"]), st.sampled_from(["2", "20", "4"]) | text)
    fields = st.lists(named | code | other, max_size=25)
    return fields.map(lambda fields: urlencode(fields).encode()) | st.binary(max_size=200)


_JSON = {"/api/tables": _table, "/seats": _sitter, "/bots": _bot, "/moves": _move, "/eyes": _held}
"""Bodies of POSTs by the end of their addresses; a form anywhere else, and what is arranged for every PUT."""


def _doors(tables: list[str]) -> list[st.SearchStrategy[tuple[str, str, bytes]]]:
    """Each route with its method and nearly the body it expects; and arbitrary requests."""
    anything = st.binary(max_size=20).map(quote_from_bytes)
    parts = {
        "table": st.sampled_from([*tables, *tables, *tables, "nowhere2"]) | anything,
        "number": st.integers(0, 4) | st.integers(),
    }
    doors = []
    for path, method in sorted((route.path, method) for route in ROUTES for method in route.methods or ()):
        json_body = next((body for end, body in _JSON.items() if path.startswith("/api") and path.endswith(end)), None)
        body = _form(tables) if json_body is None else _as_json(json_body)
        sent = {"POST": body, "PUT": _as_json(_arranged)}.get(method, st.just(b""))
        names = re.findall(r"{(?:\w+:)?(\w+)}", path)
        pattern = re.sub("{[^}]*}", "{}", path)
        where = st.builds(pattern.format, *(parts.get(name, anything) for name in names))
        doors.append(st.tuples(st.just(method), where, sent))
    queries = st.sampled_from(["/watch?code=", "/?code=", urls.SAMPLE_DECK + "/2.svg?palette=", "/healthz?"])
    doors.append(st.tuples(st.just("GET"), st.builds(str.__add__, queries, parts["table"]), st.just(b"")))
    methods = st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
    doors.append(st.tuples(methods, anything.map("/{}".format), st.binary()))
    return doors


def _requests(own: bytes, tables: list[str], tokens: list[str]) -> st.SearchStrategy[Asked]:
    bearer = st.sampled_from([*tokens, *tokens, "x", ""]).map(lambda token: f"Bearer {token}".encode())
    cookie = st.builds(
        lambda name, token: f"seat-{name}={token}; name=%ff".encode(), st.sampled_from(tables), st.sampled_from(tokens)
    )
    headers: st.SearchStrategy[dict[str, bytes]] = st.fixed_dictionaries(
        {"authorization": st.one_of(bearer, bearer, bearer, _header)},
        optional={
            "cookie": cookie | _header,
            "last-event-id": st.integers(-5, 10**20).map(lambda number: str(number).encode()) | _header,
            "origin": st.sampled_from([own] * 20 + [b"null", b"http://[", b"\xff"]),
            "host": st.just(own.removeprefix(b"http://")) | _header,
            "x-forwarded-for": _header,
            "accept-language": _header,
            "accept-encoding": st.sampled_from([b"gzip", b"br", b""]) | _header,
        },
    )
    return st.builds(
        lambda door, headers: Asked(door[0], door[1], headers, door[2]), st.one_of(_doors(tables)), headers
    )


def by_nobody_in_particular(server: Server, count: int, number: int) -> None:
    """Every route with random paths, cookies, tokens, numbers, forms and bodies, by Hypothesis over one connection."""
    seats = opened(server, 2)
    seats[0].post("start")
    waiting = opened(server, 3)
    tables, tokens = [seats[0].table, waiting[0].table], [seat.token for seat in (*seats, *waiting)]
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)

    @seed(number)
    @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(_requests(server.url.encode(), tables, tokens))
    def ask(asked: Asked) -> None:
        line.request(asked.method, asked.path, asked.body, dict[str, Any](asked.headers))
        answer = line.getresponse()
        if answer.getheader("content-type", "").startswith("text/event-stream"):  # it does not end by itself
            line.close()
            return
        told = answer.read()
        assert answer.status < 500, (asked, told)

    try:
        ask()
    finally:
        line.close()


_opcodes = st.sampled_from([1] * 10 + [2, 0, 8, 9, 10, 5])
_frames = st.builds(
    lambda opcode, payload, last, masked: frame(opcode, payload, last=last, masked=masked),
    _opcodes,
    _as_json(_move) | st.binary(max_size=200),
    st.sampled_from([True] * 9 + [False]),
    st.sampled_from([True] * 9 + [False]),
)
_sent = st.lists(_frames | st.binary(max_size=20), max_size=8).map(b"".join)
_upgrade = st.sampled_from([UPGRADE] * 20 + [{**UPGRADE, name: value} for name in UPGRADE for value in ("", "x")])


def by_sockets(server: Server, count: int, number: int) -> None:
    """Frames of all kinds on pages' WebSockets, each closed afterwards; the server must close as well."""
    seats = opened(server, 2)
    seats[0].post("start")
    table, tokens = seats[0].table, ".".join(seat.token for seat in seats)
    live = f"/table/{table}/live"
    path = st.sampled_from([live] * 8 + [f"{live}?after=2", "/table/x/live", "/", "/live"])
    cookie = st.sampled_from([f"seat-{table}={tokens}"] * 5 + ["", "seat-="])

    @seed(number)
    @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(path, cookie, _upgrade, _sent)
    def talk(path: str, cookie: str, upgrade: dict[str, str], sent: bytes) -> None:
        fields = {"host": f"127.0.0.1:{server.port}", "origin": server.url, "cookie": cookie, **upgrade}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
            told = line.recv(65536)
            assert told.startswith((b"HTTP/1.1 101 ", b"HTTP/1.1 4", b"HTTP/1.1 2")), (path, upgrade, told)
            try:
                line.sendall(sent)
                line.shutdown(socket.SHUT_WR)
                while line.recv(65536):
                    pass
            except TimeoutError:
                raise
            except OSError:  # a server that has had enough does not read the rest
                pass

    talk()

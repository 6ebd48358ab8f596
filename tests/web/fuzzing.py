"""Requests that no browser would send, thrown at a real server; its own figures say how many came and how they end."""

import http.client
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote_from_bytes, urlencode

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from tests.web.servers import Server, opened


class Asked(NamedTuple):
    method: str
    path: str
    headers: dict[str, bytes]
    body: bytes


def answered(server: Server) -> dict[str, int]:
    """How many requests the server has answered, by the hundreds of their status."""
    counts: dict[str, int] = {}
    for family in text_string_to_metric_families(server.client().get("/metrics").text):
        for sample in family.samples:
            if sample.name == "illusion_requests_total":
                kind = sample.labels["status"][0]
                counts[kind] = counts.get(kind, 0) + int(sample.value)
    return counts


def by_description(server: Server, folder: Path, examples: int, number: int) -> None:
    """What the API's description says and does not say, by schemathesis. Streams do not end, so not those."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/api/openapi.json", "--no-color"]
    command += ["--max-examples", str(examples), "--seed", str(number), "--exclude-path-regex", "/events$"]
    command += ["--workers", "1", "--suppress-health-check", "all", "--request-timeout", "20", "--checks"]
    command += ["not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
_sign = st.characters(min_codepoint=0x20, max_codepoint=0xFF, exclude_characters="\x7f")
_header = st.text(_sign, max_size=40).map(lambda text: text.strip().encode("latin-1"))


def _bodies() -> st.SearchStrategy[bytes]:
    """Moves and the like that are nearly right, any JSON, forms, and bytes."""
    number = st.integers(-2, 8) | st.integers() | st.floats() | st.text(max_size=4)
    move = st.fixed_dictionaries(
        {"move": st.sampled_from(["place", "doubt", "Place", "", None])},
        optional={"seq": number, "gap": number | st.none(), "extra": _json},
    )
    table = st.fixed_dictionaries(
        {"name": st.text(max_size=30) | _json},
        optional={
            "seats": number,
            "variant": st.sampled_from(["twelve-rounds", "x"]) | _json,
            "bots": _json,
            "clock": _json,
        },
    )
    forms = st.lists(
        st.tuples(
            st.sampled_from(["name", "code", "seats", "clock", "variant", "x"]),
            st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
        ),
        max_size=25,
    )
    as_json = (move | table | _json).map(lambda body: json.dumps(body, ensure_ascii=True).encode())
    return as_json | forms.map(lambda fields: urlencode(fields).encode()) | st.binary(max_size=200)


def _requests(own: bytes, tables: list[str], tokens: list[str]) -> st.SearchStrategy[Asked]:
    table = st.sampled_from(tables) | st.binary(max_size=12).map(quote_from_bytes)
    under = ["", "/seats", "/seats/me", "/bots", "/bots/1", "/bots/99999999999999999999", "/start", "/moves"]
    under += ["/rematch", "/record", "/events", "/x"]
    at_table = st.builds(lambda name, rest: f"/api/tables/{name}{rest}", table, st.sampled_from(under))
    at_page = st.builds(lambda name, rest: f"/table/{name}{rest}", table, st.sampled_from(["", "/join", "/live", "/x"]))
    doors = [
        "/",
        "/play-now",
        "/invite",
        "/pass-and-play",
        "/join",
        "/watch",
        "/api/tables",
        "/healthz",
        "/how-to-play",
    ]
    query = st.just("") | st.binary(max_size=20).map(lambda said: "?code=" + quote_from_bytes(said))
    odd = st.binary(max_size=30).map(lambda said: "/" + quote_from_bytes(said))
    files = st.binary(max_size=20).map(quote_from_bytes)
    pictures = files.map(lambda name: f"/cards/{name}.svg") | files.map(lambda name: f"/static/a/{name}")
    samples = st.integers().map(lambda number: f"/sample/{number}.svg?palette=texture")
    paths = at_table | at_page | st.sampled_from(doors) | odd | pictures | samples
    bearer = st.sampled_from([*tokens, "x", ""]).map(lambda token: f"Bearer {token}".encode())
    cookie = st.builds(
        lambda name, token: f"seat-{name}={token}; name=%ff".encode(), st.sampled_from(tables), st.sampled_from(tokens)
    )
    headers: st.SearchStrategy[dict[str, bytes]] = st.fixed_dictionaries(
        {},
        optional={
            "authorization": bearer | _header,
            "cookie": cookie | _header,
            "last-event-id": st.integers(-5, 10**20).map(lambda number: str(number).encode()) | _header,
            "origin": st.sampled_from([own, own, own, b"null"]) | _header,
            "x-forwarded-for": _header,
            "accept-language": _header,
            "accept-encoding": st.sampled_from([b"gzip", b"br", b""]) | _header,
        },
    )
    methods = st.sampled_from(["GET", "GET", "POST", "POST", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
    return st.builds(
        lambda method, path, asked, headers, body: Asked(method, path + asked, headers, body),
        methods,
        paths,
        query,
        headers,
        _bodies(),
    )


def by_nobody_in_particular(server: Server, count: int, number: int) -> None:
    """Every door with odd paths, cookies, tokens, numbers, forms and bodies, by Hypothesis over one connection."""
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

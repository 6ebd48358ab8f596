"""Logs, metrics and health: all that an operator and docs/monitoring need, and nothing about who plays."""

import asyncio
import json
import re
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from harness.answers import metric_samples, problem_code
from harness.servers import Seat, Server, opened, play_on
from harness.siege import connections
from harness.siege.guest import Guest
from harness.sockets.frames import TEXT, frame
from harness.sockets.page import Page, refusal
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed

from illusion import __version__
from illusion.tables import SqliteStore
from illusion.tables.model.commands import hashed
from illusion.web import create_app, telemetry
from illusion.web.app import CHECK_KEPT_S, StoreCheck

Serve = Callable[..., TestClient]
MONITORING = Path(__file__).parents[2] / "docs" / "monitoring"
ASKED = re.compile(r"\b((?:illusion|process)_\w+)(?:\{([^{}]*)\})?")
PROMETHEUS_ADDS = {"instance", "job"}


def whole_game(server: Server) -> list[Seat]:
    """Names that are nowhere else, every kind of request, refusals too, and a game to its end."""
    client = server.client()
    made = client.post("/api/tables", json={"name": "Zebulon Unmistakable", "seats": 3}).json()
    seats = [Seat(server, made["table"], made["token"])]
    sat = client.post(f"/api/tables/{made['table']}/seats", json={"name": "Quirinia Unheard-Of"}).json()
    seats.append(Seat(server, made["table"], sat["token"]))
    host, guest = seats
    client.post("/play-now", data={"name": "Yolanda Unmistakable"})
    client.post("/join", data={"name": "Quirinia Unheard-Of", "code": "nowhere2"})
    assert guest.post("start").status_code == 403
    assert client.get("/no/such/Unmistakable").status_code == 404
    assert client.post("/api/tables", headers={"origin": "http://unmistakable.example"}).status_code == 403
    assert refusal(server, "/table/nowhere2/live", "http://unmistakable.example") == (403, "foreign-origin")
    assert refusal(server, "/table/nowhere2/live") == (404, "no-such-table")
    assert refusal(server, "/Unmistakable/live")[0] == 403
    assert client.post("/api/tables", json={"name": "Unmistakable" * 9}).status_code == 400
    assert host.post("start").status_code == 200
    card = host.view()["next_card"]
    with host.client.stream("GET", f"/api/tables/{host.table}/events"), Page.of(server, guest) as page:
        view = play_on(seats, 1)
        by_page = {host.view()["you"]: host.place, guest.view()["you"]: page.place}[view["to_play"]]
        by_page(0, view["seq"])
        assert page.place(0, 1)["problem"]["code"] in ("stale", "not-your-turn")
        play_on(seats)
    for path in (f"/table/{host.table}", f"/cards/{card}.svg", f"/api/tables/{host.table}/record"):
        assert guest.client.get(path).status_code == 200
    return seats


def test_a_whole_game_is_logged_and_counted_and_no_token_name_or_table_is_told(tmp_path: Path) -> None:
    server = Server(tmp_path, "--log", "requests")
    try:
        before = metric_samples(server.client().get("/metrics").text)
        seats = whole_game(server)
        log = seats[0].view()["seq"]
        with socket.create_connection(("127.0.0.1", server.port)) as line:  # what the HTTP parser itself refuses
            line.sendall(b"Unmistakable nonsense\r\n\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 400")
        with seats[0].client.stream("GET", f"/api/tables/{seats[0].table}/events"):
            figures = server.client().get("/metrics").text
    finally:
        server.stop()
    text = figures + "".join(server.said)
    secrets = ["nmistakable", "Unheard", "nowhere2", seats[0].table]
    for seat in seats:
        secrets += [seat.token, hashed(seat.token)]
    assert [secret for secret in secrets if secret in text] == []
    assert before["illusion_tables_unfinished",] == 0
    check_figures(metric_samples(figures), log)
    check_lines([json.loads(line) for line in server.said])


def check_lines(lines: list[dict[str, Any]]) -> None:
    assert all({"at", "level", "event"} <= set(line) for line in lines)
    requests = [line for line in lines if line["event"] == "request"]
    moves = [line for line in requests if line["route"] == "/api/tables/{table}/moves" and line["status"] == 200]
    assert len(moves) > 10
    assert len({move["table"] for move in moves}) == 1  # one table's lines belong together
    assert re.fullmatch(r"[0-9a-f]{8}", moves[0]["table"])
    assert {line["code"] for line in requests if "code" in line} >= {"not-host", "foreign-origin", "bad-name"}
    sockets = {line["status"] for line in requests if line["route"] == "/table/{table}/live"}
    assert sockets == {101, 404}
    by_page = {line["code"] for line in requests if line["route"] == "a move" and line["status"] == 409}
    assert by_page <= {"stale", "not-your-turn"}
    assert by_page
    assert "other" in {line["route"] for line in requests}
    assert [line["event"] for line in lines if line["event"] in ("serving", "stopped")] == ["serving", "stopped"]
    (rude,) = (line for line in lines if line["event"] == "over-limit")
    assert (rude["code"], rude["address"], rude["level"]) == ("foreign-origin", "127.0.0.1", "warning")


def check_figures(told: dict[tuple[str, ...], float], log: int) -> None:
    """`log` is the number of the last entry at the table that was played at."""
    assert told["illusion_entries_total", "opened"] == 2
    assert told["illusion_entries_total", "sat-down"] == 6  # two people, and one against three bots
    assert told["illusion_entries_total", "placed"] + told["illusion_entries_total", "doubted"] >= log - 4
    assert told["illusion_requests_total", "POST", "/api/tables/{table}/start", "200"] == 1
    assert told["illusion_refusals_total", "not-host"] == 1
    assert told["illusion_request_seconds_count", "/api/tables/{table}/start"] == 2
    assert told["illusion_store_seconds_count",] > 10
    assert told["illusion_streams_open",] >= 1
    assert told["illusion_tables_unfinished",] == 1
    assert told["illusion_build_info", __version__] == 1
    assert told["process_resident_memory_bytes",] > 0


def test_metrics_are_for_this_machine_and_named_networks_and_never_go_through_a_proxy(
    serve: Serve, beside: Serve
) -> None:
    asked: list[tuple[str, dict[str, str]]] = [
        *((address, {}) for address in ("127.0.0.1", "::1", "198.51.100.7", "203.0.113.9", "192.168.1.4", "unix:")),
        *(("127.0.0.1", {"x-forwarded-for": told}) for told in ("203.0.113.9", "127.0.0.1", "198.51.100.7")),
        ("127.0.0.1", {"forwarded": "for=127.0.0.1"}),
    ]
    with serve(metrics_from=["198.51.100.0/24"]) as client:
        answers = [beside(client, address).get("/metrics", headers=headers) for address, headers in asked]
    assert [answer.status_code for answer in answers] == [200] * 3 + [404] * 7


def test_health_is_whether_the_store_takes_entries_and_errors_are_logged_without_their_text(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    with serve() as client:
        well = client.get("/healthz")
        store = client.app.state.context.service.store  # type: ignore[attr-defined]
    unwell = TestClient(create_app(store), "http://x")  # the store is closed and does not answer
    ill, broken, page = [unwell.get(path) for path in ("/healthz", "/api/tables/abcdefgh", "/table/abcdefgh")]
    assert (well.status_code, well.json()) == (200, {"status": "well", "version": __version__})
    assert problem_code(ill) == (503, "store-failed")  # type: ignore[arg-type]
    assert problem_code(broken) == (500, "broken")  # type: ignore[arg-type]
    assert page.status_code == 500
    assert "That was our fault" in page.text
    assert broken.headers["x-content-type-options"] == "nosniff"
    lines = [json.loads(telemetry.JsonLines().format(record)) for record in caplog.records]
    assert [line["event"] for line in lines] == ["store-failed", "broken", "broken"]
    assert lines[1]["error"] == "RuntimeError"
    assert any("tables/service.py" in place for place in lines[1]["where"])
    assert "shutdown" not in json.dumps(lines)
    assert "abcd" not in json.dumps(lines)


class CountingStore(SqliteStore):
    """Counts how often it is written to in order to see whether it can be."""

    checks = 0

    async def check_writable(self) -> None:
        self.checks += 1
        await super().check_writable()


async def test_many_who_ask_for_health_at_once_or_soon_share_an_answer(tmp_path: Path) -> None:
    """It is found out by storing something, but never more often than once a second."""
    store, now = CountingStore(tmp_path / "t.db"), 100.0
    await store.open()
    check = StoreCheck(store, lambda: now)
    impatient, *patient = (asyncio.create_task(check.is_writable()) for _ in range(50))
    await asyncio.sleep(0)
    impatient.cancel()  # which takes the answer from nobody
    assert await asyncio.gather(*patient) == [True] * 49
    now += CHECK_KEPT_S / 2
    assert await check.is_writable()
    assert store.checks == 1
    now += CHECK_KEPT_S
    assert await check.is_writable()
    assert store.checks == 2
    await store.close()
    assert await check.is_writable()  # the last answer still holds
    now += CHECK_KEPT_S
    assert [await check.is_writable() for _ in range(3)] == [False] * 3
    assert store.checks == 3


async def test_nonsense_and_refused_sockets_are_no_errors_of_ours_and_do_not_fill_the_log(tmp_path: Path) -> None:
    """L2: the operator reads that somebody is rude, not how often. uvicorn would write an error for each socket, the
    last one with a traceback; we say once who is over a limit."""
    server = Server(tmp_path, limited=True)
    try:
        (host,) = opened(server, 1, seats=2)
        for _ in range(15):
            assert refusal(server, "/table/nowhere2/live")[0] == 404
            assert refusal(server, f"/table/{host.table}/live", "http://unmistakable.example")[0] == 403
        for _ in range(3):
            with Page(server, host.table) as page, suppress(ConnectionClosed):
                page.socket.socket.sendall(frame(TEXT, b"\xff"))
                while True:
                    page.frame()
        guest = Guest(server.port, rounds=200)
        await connections.malformed(guest)
        await guest.leave()
    finally:
        server.stop()
    assert guest.answers["400"] == 200
    said = Counter(line.get("said", line["event"]) for line in map(json.loads, server.said))
    assert said.keys() == {"over-limit", "Invalid HTTP request received."}
    assert said["over-limit"] == 1
    assert said.total() <= 20


def queries(name: str) -> list[str]:
    text = (MONITORING / name).read_text("utf-8")
    if name.endswith(".json"):
        return [target["expr"] for panel in json.loads(text)["panels"] for target in panel["targets"]]
    return re.findall(r"^ +expr: (.+)$", text, re.MULTILINE)


def test_the_dashboard_and_the_alerts_ask_for_what_is_told_and_the_dashboard_shows_all_of_it(serve: Serve) -> None:
    """At a server at which somebody has opened a table, and somebody was refused."""
    known: dict[str, set[str]] = {}
    with serve(address="127.0.0.1") as client:
        assert client.post("/api/tables", json={"name": "Ana", "seats": 2}).status_code == 201
        assert client.get("/api/tables/nowhere2").status_code == 404
        for family in text_string_to_metric_families(client.get("/metrics").text):
            for sample in family.samples:
                known.setdefault(sample.name, set()).update(sample.labels)
    for name in ("dashboard.json", "alerts.yml"):
        asked = queries(name)
        assert len(asked) >= 7
        for query in asked:
            metrics = ASKED.findall(query)
            labels = set(re.findall(r"(\w+)=", "".join(chosen for _, chosen in metrics)))
            for sums in re.findall(r"by \(([^)]*)\)", query):
                labels |= set(re.split(r"[, ]+", sums))
            assert metrics or query.startswith("up{"), query
            assert {metric for metric, _ in metrics} <= known.keys(), query
            assert labels - PROMETHEUS_ADDS <= set().union(*(known[metric] for metric, _ in metrics)), query
    shown = "".join(queries("dashboard.json"))
    ours = {re.sub("_(bucket|count|sum|created)$", "", name) for name in known if name.startswith("illusion_")}
    assert len(ours) >= 8
    assert {name for name in ours if name not in shown and f"{name}_total" not in shown} == set()

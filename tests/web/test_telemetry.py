"""Logs, metrics and health of a real server: all that its operator needs, and nothing about who plays."""

import json
import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness.answers import metric_samples, problem_code
from harness.servers import Seat, Server, opened, play_on
from harness.sockets.frames import TEXT, frame
from harness.sockets.page import Page, refusal
from websockets.exceptions import ConnectionClosed

from illusion import __version__
from illusion.tables import SqliteStore
from illusion.tables.model.commands import hashed
from illusion.web import AppOptions, create_app, telemetry


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


async def ask_from(app: Any, address: str, path: str = "/metrics", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app, client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://illusion") as client:
        return await client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


async def test_metrics_are_for_this_machine_and_named_networks_and_never_go_through_a_proxy(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "t.db")
    await store.open()
    app = create_app(store, AppOptions(metrics_from=["198.51.100.0/24"]))
    addresses = ("127.0.0.1", "::1", "198.51.100.7", "203.0.113.9", "192.168.1.4", "unix:")
    answers = [await ask_from(app, address) for address in addresses]
    for forwarded in ("203.0.113.9", "127.0.0.1", "198.51.100.7"):
        answers.append(await ask_from(app, "127.0.0.1", x_forwarded_for=forwarded))
    answers.append(await ask_from(app, "127.0.0.1", forwarded="for=127.0.0.1"))
    await store.close()
    assert [answer.status_code for answer in answers] == [200] * 3 + [404] * 7


async def test_health_is_whether_the_store_takes_entries_and_errors_are_logged_without_their_text(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqliteStore(tmp_path / "t.db")
    await store.open()
    well = await ask_from(create_app(store), "127.0.0.1", "/healthz")
    await store.close()  # from now on it does not answer
    app = create_app(store)
    ill, broken, page = [
        await ask_from(app, "127.0.0.1", path) for path in ("/healthz", "/api/tables/abcdefgh", "/table/abcdefgh")
    ]
    assert (well.status_code, well.json()) == (200, {"status": "well", "version": __version__})
    assert problem_code(ill) == (503, "store-failed")
    assert problem_code(broken) == (500, "broken")
    assert page.status_code == 500
    assert "That was our fault" in page.text
    assert broken.headers["x-content-type-options"] == "nosniff"
    lines = [json.loads(telemetry.JsonLines().format(record)) for record in caplog.records]
    assert [line["event"] for line in lines] == ["store-failed", "broken", "broken"]
    assert lines[1]["error"] == "RuntimeError"
    assert any("tables/service.py" in place for place in lines[1]["where"])
    assert "shutdown" not in json.dumps(lines)
    assert "abcd" not in json.dumps(lines)


def test_refused_sockets_and_nonsense_on_others_are_no_errors_of_ours(tmp_path: Path) -> None:
    """uvicorn would write an error for each, the last one with a traceback; we say once who is over a limit."""
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
    finally:
        server.stop()
    assert [json.loads(line)["event"] for line in server.said] == ["over-limit"]

"""Clients that ask too much have to wait; a club behind one address notices nothing. Guesses: test_guesses."""

import contextlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness.answers import metric_samples, problem_code
from harness.asgi import Page, Stream, running_app, told
from harness.servers import Server, opened, play_on
from starlette.testclient import TestClient

from illusion.web import Limits, urls
from illusion.web.limits import MAX_KEYS, REMEMBERED_S, Gcra, UnfinishedTables
from illusion.web.problems import Problem

Serve = Callable[..., TestClient]
LIFTED = Limits.lifted()
OPEN_A_TABLE = {"name": ["Ana", "Bob"], "seats": "2"}


def refused(ask: Callable[[], Any], most: int) -> Any:
    """The first response that tells the client to wait."""
    for _ in range(most):
        answer = ask()
        if answer.status_code == 429:
            assert int(answer.headers["retry-after"]) >= 1
            return answer
    raise AssertionError("no request had to wait")


def test_too_many_requests_of_an_address_have_to_wait(serve: Serve) -> None:
    """Whether a program asks or a page."""
    with serve(limits=replace(LIFTED, requests=2)) as client:
        assert problem_code(refused(lambda: client.get("/api/openapi.json"), 200)) == (429, "too-many")
        page = refused(lambda: client.get("/rules"), 200)
        assert "Too many requests" in page.text
        assert page.headers["content-type"].startswith("text/html")


def test_too_many_tables_of_an_address_have_to_wait(serve: Serve) -> None:
    with serve(limits=replace(LIFTED, tables=2)) as client:
        client.follow_redirects = False
        pages = itertools.cycle(("/play-now", "/invite", "/pass-and-play"))
        assert "Too many requests" in refused(lambda: client.post(next(pages), data=OPEN_A_TABLE), 4).text
        assert problem_code(refused(lambda: client.post("/api/tables", json={"name": "Ana"}), 1)) == (429, "too-many")


def test_changes_by_request_and_moves_at_pages_count_together_while_looking_goes_on(serve: Serve) -> None:
    """On one socket or on several. A page waits for the answer to its own move, so a refusal has that one's number."""
    with serve(limits=replace(LIFTED, changes=1), address="127.0.0.1") as client:
        table = client.post("/api/tables", json={"name": "Ana", "seats": 2}).json()["table"]
        at, live = f"/api/tables/{table}", f"ws://x/table/{table}/live?after=1"
        with client.websocket_connect(live) as one, client.websocket_connect(live) as other:
            for id in range(100):
                page = (one, other)[id % 2]
                page.send_json({"id": id, "move": "doubt", "seq": 1})
                answer = next(each for each in told(page) if "problem" in each)
                assert answer["id"] == id
                if answer["problem"]["code"] == "too-many":
                    break
            assert 1 < id < 99
        refused(lambda: client.post(f"{at}/moves", json={"move": "doubt", "seq": 1}), 3)
        assert client.get(at).json()["phase"] == "waiting"
        assert metric_samples(client.get("/metrics").text)["illusion_refusals_total", "too-many"] >= 2


async def test_open_streams_of_an_address_are_counted(tmp_path: Path) -> None:
    """Of pages and programs together, until they leave. What is said is recorded in `tests/playthroughs`."""
    async with running_app(tmp_path, replace(LIFTED, streams=2)) as (app, context):
        table, _ = await context.service.open("Ana", 2)
        at = f"/api/tables/{table}/events"
        page, program = await Page(app, table).opened(), Stream(app, at)
        await program.until(lambda: bool(program.sent))
        for refused in (Stream(app, at), Page(app, table)):
            await refused.task
            assert refused.sent[0]["status"] == 429
        await page.hang_up()
        again = await Page(app, table).opened()
        await again.hang_up()
        await program.hang_up()


def test_a_club_of_forty_behind_one_address_is_never_asked_to_wait(serve: Serve) -> None:
    """They all arrive at once, faster than people can: pages, chairs, streams, pictures, a few moves each."""
    with contextlib.ExitStack() as open:
        client = open.enter_context(serve(limits=Limits()))
        for _ in range(8):
            made = client.post("/api/tables", json={"name": "Ana", "seats": 5}).json()
            at, tokens = f"/api/tables/{made['table']}", [made["token"]]
            for name in ("Bob", "Cleo", "Dora", "Eva"):
                client.cookies.clear()
                tokens.append(client.post(f"{at}/seats", json={"name": name}).json()["token"])
            by = [{"cookie": f"seat-{made['table']}={token}"} for token in tokens]
            for own in by:
                for path in ("/", "/rules", urls.sample_picture(2), f"/table/{made['table']}", at):
                    assert client.get(path, headers=own).status_code == 200
                open.enter_context(client.websocket_connect(f"ws://x/table/{made['table']}/live", headers=own))
            assert client.post(f"{at}/start", headers=by[0]).status_code == 200
            by.sort(key=lambda own: int(client.get(at, headers=own).json()["you"]))
            for _ in range(5):
                view = client.get(at).json()
                move = {"move": "place", "gap": 0, "seq": view["seq"]}
                assert client.post(f"{at}/moves", json=move, headers=by[view["to_play"]]).status_code == 200
                for _ in by:
                    assert client.get(f"/cards/{view['next_card']}.svg").status_code == 200


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """A server with no limits but those named."""
    running: list[Server] = []

    def start(*options: str) -> Server:
        running.append(Server(tmp_path, *options))
        return running[-1]

    yield start
    for server in running:
        server.stop()


def test_what_a_guest_claims_about_being_forwarded_is_not_believed(limited: Callable[..., Server]) -> None:
    server = limited("--limit", "tables=2")
    numbers = itertools.count(1)

    def ask() -> httpx.Response:
        claims = {"x-forwarded-for": f"10.0.0.{next(numbers)}", "x-forwarded-proto": "https"}
        answer = server.client().post("/api/tables", json={"name": "Ana"}, headers=claims)
        assert "Secure" not in answer.headers.get("set-cookie", "")
        return answer

    refused(ask, 4)


def test_a_trusted_proxy_is_believed_about_who_asks_but_guests_behind_it_are_not(
    limited: Callable[..., Server],
) -> None:
    server = limited("--limit", "tables=2", "--trusted-proxy", "127.0.0.0/8")

    def ask(claimed: str) -> httpx.Response:
        told = {"x-forwarded-for": claimed, "x-forwarded-proto": "https"}
        return server.client().post("/api/tables", json={"name": "Ana"}, headers=told)

    for number in range(3):
        assert "; Secure" in ask(f"198.51.100.{number}").headers["set-cookie"]
    numbers = itertools.count(1)
    refused(lambda: ask(f"203.0.113.{next(numbers)}, 198.51.100.77"), 4)  # only the proxy's own word counts: the last
    assert ask("198.51.100.88").status_code == 201
    refused(lambda: ask(f"2001:db8:1:2::{next(numbers)}"), 4)  # a household has a whole network


def test_too_many_unfinished_tables_of_an_address_are_refused(limited: Callable[..., Server]) -> None:
    server = limited("--limit", "unfinished=3")
    seats = opened(server, 2)
    client = server.client()
    for path in ("/invite", "/play-now"):
        assert client.post(path, data=OPEN_A_TABLE).status_code == 303
    assert "unfinished" in client.post("/invite", data=OPEN_A_TABLE).text
    assert problem_code(client.post("/api/tables", json={"name": "Ana"})) == (429, "too-many-tables")
    seats[0].post("start")
    play_on(seats)
    assert seats[0].post("rematch").status_code == 200  # one has ended, so one may be opened
    assert problem_code(client.post("/api/tables", json={"name": "Ana"})) == (429, "too-many-tables")
    assert seats[1].post("rematch").status_code == 200  # which is the same


def test_tables_that_ended_elsewhere_are_forgotten_in_the_end() -> None:
    now = 0.0
    tables = UnfinishedTables(2, lambda: now)
    tables.open("192.0.2.1", "a")
    tables.open("192.0.2.1", "b")
    with pytest.raises(Problem):
        tables.enforce("192.0.2.1")
    tables.enforce("192.0.2.2")
    now = REMEMBERED_S + 1
    tables.enforce("192.0.2.1")
    assert len(tables) == 0


def test_a_rate_recovers_with_time_and_a_rate_of_zero_is_no_limit() -> None:
    now = 100.0
    rate = Gcra(2, 1, burst=3, now=lambda: now)
    assert [rate.try_charge("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert rate.try_charge("b") == 0
    now += 0.5
    assert [rate.try_charge("a") for _ in range(2)] == [0, 0.5]
    lifted = Gcra(0, 1)
    assert not any(lifted.try_charge("a") for _ in range(1000))


def test_a_rate_remembers_a_bounded_number_of_keys_and_forgets_the_lightest_first() -> None:
    rate = Gcra(2, 1, burst=1, now=lambda: 100.0)
    for _ in range(10):
        rate.charge("heavy")
    for key in range(MAX_KEYS):
        rate.charge(key)
    remembered = sum(rate.wait(key) > 0 for key in range(MAX_KEYS))
    assert 0 < remembered < MAX_KEYS
    assert rate.wait("heavy") == 5

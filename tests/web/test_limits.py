"""Clients that ask Too many requests have to wait; a club behind one address notices nothing."""

import contextlib
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from harness.answers import metric_samples, problem_code
from harness.servers import Server, opened, play_on, until
from harness.sockets.page import Page, refusal

from illusion.web import urls
from illusion.web.app import ROUTES
from illusion.web.limits import MAX_KEYS, REMEMBERED_S, Gcra, UnfinishedTables
from illusion.web.problems import Problem


@pytest.fixture
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """A server with no limits but those named."""
    running: list[Server] = []

    def start(*options: str, limited: bool = False) -> Server:
        running.append(Server(tmp_path_factory.mktemp("limited"), *options, limited=limited))
        return running[-1]

    yield start
    for server in running:
        server.stop()


def refused(ask: Callable[[], httpx.Response], most: int = 500) -> httpx.Response:
    """The first response that tells the client to wait."""
    for _ in range(most):
        answer = ask()
        if answer.status_code == 429:
            assert int(answer.headers["retry-after"]) >= 1
            return answer
    raise AssertionError("no request had to wait")


def test_too_many_requests_and_tables_of_an_address_have_to_wait(limited: Callable[..., Server]) -> None:
    """Whether a program asks or a page."""
    client = limited("--limit", "requests=2").client()
    assert problem_code(refused(lambda: client.get("/api/openapi.json"))) == (429, "too-many")
    page = refused(lambda: client.get("/rules"))
    assert "Too many requests" in page.text
    assert page.headers["content-type"].startswith("text/html")
    client = limited("--limit", "tables=2").client()
    pages = itertools.cycle(("/play-now", "/invite", "/pass-and-play"))
    form = {"name": ["Ana", "Bob"], "seats": "2"}
    assert "Too many requests" in refused(lambda: client.post(next(pages), data=form), 4).text
    assert problem_code(client.post("/api/tables", json={"name": "Ana"})) == (429, "too-many")


def test_changes_by_request_and_moves_at_pages_count_together_while_looking_goes_on(
    limited: Callable[..., Server],
) -> None:
    """On one socket or on several. A page waits for the answer to its own move, so a refusal has that one's number."""
    server = limited("--limit", "changes=1")
    host, guest = opened(server, 2)
    with Page.of(server, host) as page, Page.of(server, guest) as other:
        told = (each.send({"id": id, "move": "doubt", "seq": 1}) for id, each in enumerate((page, other) * 50))
        refusals = ((number, each["id"], each["problem"]["code"]) for number, each in enumerate(told))
        number, id, _ = next(refusal for refusal in refusals if refusal[2] == "too-many")
        assert id == number > 0
        refused(lambda: host.doubt(1), 3)
    assert host.view()["phase"] == "waiting"
    assert metric_samples(server.client().get("/metrics").text)["illusion_refusals_total", "too-many"] >= 2


GUESSES = sorted(
    {
        ("GET", "/watch?code=aaaaaaa{}"),
        ("POST", "/join"),
        *(
            (
                method,
                re.sub(r"{(seat|number):number}", "1", re.sub(r"{(table|address|evening)}", "aaaaaaa{}", route.path)),
            )
            for route in ROUTES
            for method in route.methods or ()
            if ("{evening}" in route.path and method == "GET")
            or ("{evening}" not in route.path and ("{table}" in route.path or "{address}" in route.path))
        ),
    }
)
"""Every request that names a table, and those that look at an evening."""


BODIES: dict[str, dict[str, Any]] = {
    "/join": {"data": {"code": "aaaaaaa9", "name": "Eve"}},
    "/seats": {"json": {"name": "Eve"}},
    "/bots": {"json": {"level": "keen"}},
    "/moves": {"json": {"move": "doubt", "seq": 1}},
    "/reactions": {"json": {"reaction": "wow"}},
    "/waiting": {"json": {"name": "Eve"}},
    "/lock": {"json": {"locked": True}},
    "/tables/aaaaaaa{}": {"json": {"variant": "first-to-three", "clock": None}},
}


@pytest.fixture(scope="module")
def guessed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where clients can say which address they come from."""
    running = Server(tmp_path_factory.mktemp("proxy"), "--limit", "misses=5", "--trusted-proxy", "127.0.0.1")
    yield running
    running.stop()


@pytest.mark.parametrize(("method", "guess"), GUESSES)
def test_guessing_at_tables_is_limited_while_seated_players_play_on(guessed: Server, method: str, guess: str) -> None:
    host, guest = opened(guessed, 2)
    client, numbers = guessed.client(), itertools.count()
    for each in (host.client, guest.client, client):  # all of them behind one address
        each.headers["x-forwarded-for"] = f"192.0.2.{GUESSES.index((method, guess)) + 1}"
    body = next((body for end, body in BODIES.items() if guess.endswith(end)), {})
    refused(lambda: client.request(method, guess.format(next(numbers) % 10), **body), 7)
    at = f"/api/tables/{host.table}"
    assert client.get(at).status_code == 429  # a table that is there looks like one that is not
    assert client.get(at, headers={"authorization": "Bearer not-a-token"}).status_code == 429
    assert client.get(f"/watch?code={host.table}").status_code == 429
    assert client.post("/join", data={"code": host.table, "name": "Eve"}).status_code == 429
    assert client.get("/").status_code == 200
    assert host.post("start").status_code == 200
    assert guest.view()["phase"] == "playing"


def test_guessing_at_tables_by_sockets_is_limited_as_well(guessed: Server) -> None:
    host, guest = opened(guessed, 2)
    here = {"x-forwarded-for": "192.0.2.200"}
    guesses = [refusal(guessed, f"/table/aaaaaaa{number}/live", headers=here) for number in range(7)]
    assert guesses[0] == (404, "no-such-table")
    assert guesses[-1] == (429, "too-many")
    assert refusal(guessed, f"/table/{host.table}/live", headers=here) == (429, "too-many")
    with Page(guessed, guest.table, [guest.token], after=0, headers=here) as page:  # a player need not guess
        assert page.message()["view"]["table"] == guest.table


def test_open_streams_of_an_address_are_counted(limited: Callable[..., Server]) -> None:
    server = limited("--limit", "streams=2")
    host, _ = opened(server, 2)
    at = f"/api/tables/{host.table}/events"
    with host.client.stream("GET", at) as stream, Page(server, host.table):
        assert stream.status_code == 200
        assert problem_code(server.client().get(at)) == (429, "too-many-streams")
        assert refusal(server, f"/table/{host.table}/live") == (429, "too-many-streams")
    until(lambda: can_listen(host.client, at))


def can_listen(client: httpx.Client, at: str) -> bool:
    with client.stream("GET", at) as stream:
        return stream.status_code == 200


def test_a_club_of_forty_behind_one_address_is_never_asked_to_wait(limited: Callable[..., Server]) -> None:
    """They all arrive at once, faster than people can: pages, chairs, streams, pictures, a few moves each."""
    server = limited(limited=True)
    with contextlib.ExitStack() as streams:
        for _ in range(8):
            seats = opened(server, 5)
            for seat in seats:
                own = f"/table/{seat.table}", f"/api/tables/{seat.table}"
                for path in ("/", "/rules", urls.sample_picture(2), *own):
                    assert seat.client.get(path).status_code == 200
                streams.enter_context(Page.of(server, seat))
            assert seats[0].post("start").status_code == 200
            for _ in range(5):
                view = seats[0].view()
                assert seats[view["to_play"]].place(0, view["seq"]).status_code == 200
                for seat in seats:
                    assert seat.client.get(f"/cards/{view['next_card']}.svg").status_code == 200


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
        return server.client().post("/api/tables", json={"name": "Ana"}, headers={"x-forwarded-for": claimed})

    for number in range(3):
        assert ask(f"198.51.100.{number}").status_code == 201
    numbers = itertools.count(1)
    refused(lambda: ask(f"203.0.113.{next(numbers)}, 198.51.100.77"), 4)  # only the proxy's own word counts: the last
    assert ask("198.51.100.88").status_code == 201
    numbers = itertools.count(1)
    refused(lambda: ask(f"2001:db8:1:2::{next(numbers)}"), 4)  # a household has a whole network


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


def test_too_many_unfinished_tables_of_an_address_are_refused(limited: Callable[..., Server]) -> None:
    server = limited("--limit", "unfinished=3")
    seats = opened(server, 2)
    client = server.client()
    for path in ("/invite", "/play-now"):
        assert client.post(path, data={"name": "Ana", "seats": "2"}).status_code == 303
    assert "unfinished" in client.post("/invite", data={"name": "Ana", "seats": "2"}).text
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

"""There is one limit on guesses at tables and evenings, by a path, a form, a cookie or a list of seats."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from illusion.web import Limits
from illusion.web.app import ROUTES
from illusion.web.limits import MAX_DEBT_S

Serve = Callable[..., TestClient]
MISSES = 4
NO_TABLE = "nwhere22"
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


@pytest.fixture
def client(serve: Serve) -> Iterator[TestClient]:
    """It may miss four times."""
    with serve(limits=replace(Limits.lifted(), misses=MISSES)) as client:
        yield client


@pytest.fixture
def seat(serve: Serve) -> tuple[str, str]:
    """A table that no server has in memory, and the token of somebody there."""
    with serve() as before:
        made = before.post("/api/tables", json={"name": "Ana"}).json()
    return made["table"], made["token"]


def by(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def asked(client: TestClient, method: str, path: str, **sent: Any) -> int:
    """The status of an answer, also to a page that would open its socket."""
    if method != "SOCKET":
        return client.request(method, path, **sent).status_code
    try:
        with client.websocket_connect(f"ws://x{path}", **sent):
            return 101
    except WebSocketDisconnect as refused:
        status: int = refused.status_code  # type: ignore[attr-defined]
        return status


def test_guessing_is_limited_while_players_play_on(client: TestClient, beside: Serve) -> None:
    """By every request, and by a page's socket; all of them are behind one address."""
    made = client.post("/api/tables", json={"name": "Ana", "seats": 2}).json()
    table, token = made["table"], made["token"]
    evening = client.post("/api/evenings", json={"name": "Tuesday"}).json()
    person = client.post(f"/api/evenings/{evening['evening']}/people", json={"name": "Zoe"}).json()
    at, live, party = f"/api/tables/{table}", f"/table/{table}/live", f"/evening/{evening['evening']}"
    for place, (method, guess) in enumerate([*GUESSES, ("SOCKET", "/table/aaaaaaa{}/live")]):
        rude = beside(client, f"198.51.100.{place}")
        body = next((body for end, body in BODIES.items() if guess.endswith(end)), {})
        statuses = [asked(rude, method, guess.format(number % 10), **body) for number in range(MISSES + 2)]
        assert statuses[0] in (303, 404), (method, guess)
        assert statuses[-1] == 429, (method, guess)
        for looked in (at, party, f"/watch?code={table}"):  # what is there looks like what is not
            assert rude.get(looked).status_code == rude.get(looked, headers=by("x" * 43)).status_code == 429
        assert rude.post("/join", data={"code": table, "name": "Eve"}).status_code == 429
        assert asked(rude, "SOCKET", live) == 429
        assert rude.get("/").status_code == 200
        assert rude.get(at, headers=by(token)).json()["you"] == 0
        assert asked(rude, "SOCKET", live, headers=by(token)) == 101
        for known in (evening["token"], person["token"]):
            assert rude.get(f"/api{party.replace('evening', 'evenings')}", headers=by(known)).status_code == 200


def test_a_form_to_remember_a_seat_is_a_guess(client: TestClient, seat: tuple[str, str]) -> None:
    table, _ = seat
    statuses = [client.post("/eyes", data={"table": NO_TABLE}).status_code for _ in range(3 * MISSES)]
    assert set(statuses) == {404, 429}
    assert statuses.count(404) <= MISSES + 1
    assert client.post("/eyes", data={"table": table}).status_code == 429
    assert client.get("/eyes").status_code == 200
    assert client.get(f"/api/tables/{table}").status_code == 429


def test_the_cookies_of_the_home_page_are_guesses(client: TestClient, seat: tuple[str, str]) -> None:
    table, token = seat
    back = f'href="/table/{table}"'
    held = {"cookie": f"seat-{table}={token}"}
    for _ in range(2 * MISSES):
        assert back in client.get("/", headers=held).text  # what exists is no guess
    guesses = {"cookie": "; ".join(f"seat-{NO_TABLE[:-1]}{end}=x" for end in "345")}
    for _ in range(MISSES):
        assert client.get("/", headers=guesses).status_code == 200
    assert client.get(f"/api/tables/{table}").status_code == 429
    assert back not in client.get("/", headers=held).text  # nothing is looked up


def test_a_table_loaded_for_the_home_page_counts_as_a_request(serve: Serve) -> None:
    """Eight that were not in memory took ten times as long as the page."""
    with serve() as before:
        ids = [before.post("/api/tables", json={"name": "Ana"}).json()["table"] for _ in range(8)]
    with serve(limits=replace(Limits.lifted(), requests=1)) as client:
        cookies = {"cookie": "; ".join(f"seat-{table}=x" for table in ids)}
        assert [client.get("/", headers=cookies).status_code for _ in range(3)] == [200, 200, 429]


def test_who_guesses_too_much_has_nothing_loaded_by_any_token(client: TestClient, seat: tuple[str, str]) -> None:
    """Else the time of the answer would tell which tables there are. A player's table is in memory."""
    table, token = seat
    statuses = [client.get(f"/api/tables/{NO_TABLE}").status_code for _ in range(MISSES + 1)]
    assert statuses[-1] == 429
    for at in (f"/api/tables/{NO_TABLE}", f"/api/tables/{table}"):
        assert {client.get(at, headers=by(sent)).status_code for sent in ("x", token)} == {429}
    assert client.app.state.context.service.in_memory(table) is None  # type: ignore[attr-defined]


def test_a_list_of_seats_is_charged_before_it_is_looked_up_and_what_exists_is_given_back(
    client: TestClient, seat: tuple[str, str]
) -> None:
    table, _ = seat
    for _ in range(3):
        known = client.post("/api/eyes", json={"seats": [[table, seat] for seat in range(5)]})
        assert known.status_code in (200, 202)
    unknown = {"seats": [[f"nwhere2{end}", 0] for end in "23456789"]}
    statuses = [client.post("/api/eyes", json=unknown).status_code for _ in range(5)]
    assert statuses[2:] == [429] * 3


def test_no_debt_locks_an_address_out_for_long(client: TestClient) -> None:
    many = {"seats": [[f"nwher{a}{b}{c}", 0] for a in "23456789" for b in "23456789" for c in "23456"]}
    client.post("/api/eyes", json=many)
    refused = client.get(f"/api/tables/{NO_TABLE}")
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) <= MAX_DEBT_S + 1

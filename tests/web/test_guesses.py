"""There is one limit on guesses at tables, whatever names them: a path, a form, a cookie or a list of seats."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from illusion.tables import Pace, SqliteStore
from illusion.web import AppOptions, Limits, create_app
from illusion.web.limits import MAX_DEBT_S

MISSES = 10
NO_TABLE = "nwhere22"

Opened = Callable[[Limits], TestClient]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """A client of a new application, which is its own origin, and forgets the cookies it gets."""
    with ExitStack() as clients:

        def make(limits: Limits) -> TestClient:
            app = create_app(SqliteStore(tmp_path / "tables.db"), AppOptions(Pace(bot_s=1e6), limits))
            return clients.enter_context(TestClient(app, "http://x", headers={"origin": "http://x"}))

        yield make


def guessing(client: TestClient, misses: int) -> int:
    """The status of one more look, after so many at tables that are not there."""
    for _ in range(misses):
        client.get(f"/api/tables/{NO_TABLE}")
    return client.get(f"/api/tables/{NO_TABLE}").status_code


def table_with_seat(client: TestClient) -> tuple[str, str]:
    made = client.post("/api/tables", json={"name": "Ana"}).json()
    client.cookies.clear()
    return made["table"], made["token"]


def test_a_form_to_remember_a_seat_is_a_guess(opened: Opened) -> None:
    client = opened(Limits(misses=MISSES))
    table, _ = table_with_seat(client)
    statuses = [client.post("/eyes", data={"table": NO_TABLE}).status_code for _ in range(3 * MISSES)]
    assert set(statuses) == {404, 429}
    assert statuses.count(404) <= MISSES + 1
    assert client.post("/eyes", data={"table": table}).status_code == 429
    assert client.get("/eyes").status_code == 200
    assert client.get(f"/api/tables/{table}").status_code == 429


def test_the_cookies_of_the_home_page_are_guesses(opened: Opened) -> None:
    client = opened(Limits(misses=MISSES))
    table, token = table_with_seat(client)
    back = f'href="/table/{table}"'
    held = {"cookie": f"seat-{table}={token}"}
    for _ in range(2 * MISSES):
        assert back in client.get("/", headers=held).text  # what exists is no guess
    guesses = {"cookie": "; ".join(f"seat-{NO_TABLE[:-1]}{end}=x" for end in "345")}
    for _ in range(MISSES):
        assert client.get("/", headers=guesses).status_code == 200
    assert client.get(f"/api/tables/{table}").status_code == 429
    assert back not in client.get("/", headers=held).text  # nothing is looked up


def test_who_guesses_too_much_has_nothing_loaded_by_any_token(opened: Opened) -> None:
    """Else the time of the answer would tell which tables there are. A player's table is in memory."""
    before = opened(Limits.lifted())
    table, token = table_with_seat(before)
    client = opened(Limits(misses=MISSES))
    assert guessing(client, MISSES) == 429
    for sent in ("x", token):
        headers = {"authorization": f"Bearer {sent}"}
        assert client.get(f"/api/tables/{NO_TABLE}", headers=headers).status_code == 429
        assert client.get(f"/api/tables/{table}", headers=headers).status_code == 429
    assert client.app.state.context.service.in_memory(table) is None  # type: ignore[attr-defined]


def test_who_guesses_too_much_plays_on(opened: Opened) -> None:
    client = opened(Limits(misses=MISSES))
    table, token = table_with_seat(client)
    assert guessing(client, MISSES) == 429
    assert client.get(f"/api/tables/{table}", headers={"authorization": f"Bearer {token}"}).status_code == 200


def test_a_list_of_seats_is_charged_before_it_is_looked_up_and_what_exists_is_given_back(opened: Opened) -> None:
    client = opened(Limits(misses=MISSES))
    table, _ = table_with_seat(client)
    for _ in range(3):
        known = client.post("/api/eyes", json={"seats": [[table, seat] for seat in range(5)]})
        assert known.status_code in (200, 202)
    unknown = {"seats": [[f"nwhere2{end}", 0] for end in "23456789"]}
    statuses = [client.post("/api/eyes", json=unknown).status_code for _ in range(5)]
    assert statuses[2:] == [429] * 3


def test_no_debt_locks_an_address_out_for_long(opened: Opened) -> None:
    client = opened(Limits(misses=MISSES))
    many = {"seats": [[f"nwher{a}{b}{c}", 0] for a in "23456789" for b in "23456789" for c in "23456"]}
    client.post("/api/eyes", json=many)
    refused = client.get(f"/api/tables/{NO_TABLE}")
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) <= MAX_DEBT_S + 1

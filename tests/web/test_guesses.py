"""There is one limit on guesses at tables, whatever names them: a path, a form, a cookie or a list of seats."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from illusion.tables import Pace, SqliteStore
from illusion.tables.worker import Where
from illusion.web import AppOptions, Limits, create_app
from illusion.web.limits import MAX_DEBT_S

MISSES = 10
NO_TABLE = "nwhere22"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """It may miss ten times."""
    app = create_app(
        SqliteStore(tmp_path / "tables.db"), AppOptions(Pace(bot_s=1e6), Limits(misses=MISSES), drawing=Where.THREAD)
    )
    with TestClient(app, "http://x", headers={"origin": "http://x"}) as client:
        yield client


@pytest.fixture
def seat(tmp_path: Path) -> tuple[str, str]:
    """A table that no server has in memory, and the token of somebody there."""
    app = create_app(SqliteStore(tmp_path / "tables.db"), AppOptions(Pace(bot_s=1e6)))
    with TestClient(app, "http://x") as before:
        made = before.post("/api/tables", json={"name": "Ana"}).json()
    return made["table"], made["token"]


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


def test_a_table_loaded_for_the_home_page_counts_as_a_request(tmp_path: Path) -> None:
    """Eight that were not in memory took ten times as long as the page."""
    ids = list[str]()
    for limits in (Limits.lifted(), Limits(requests=1)):  # the second one has loaded none
        app = create_app(SqliteStore(tmp_path / "tables.db"), AppOptions(Pace(bot_s=1e6), limits))
        with TestClient(app, "http://x") as client:
            if not ids:
                ids = [client.post("/api/tables", json={"name": "Ana"}).json()["table"] for _ in range(8)]
                continue
            cookies = {"cookie": "; ".join(f"seat-{table}=x" for table in ids)}
            assert [client.get("/", headers=cookies).status_code for _ in range(3)] == [200, 200, 429]


def test_who_guesses_too_much_has_nothing_loaded_by_any_token(client: TestClient, seat: tuple[str, str]) -> None:
    """Else the time of the answer would tell which tables there are. A player's table is in memory."""
    table, token = seat
    statuses = [client.get(f"/api/tables/{NO_TABLE}").status_code for _ in range(MISSES + 1)]
    assert statuses[-1] == 429
    for sent in ("x", token):
        headers = {"authorization": f"Bearer {sent}"}
        assert client.get(f"/api/tables/{NO_TABLE}", headers=headers).status_code == 429
        assert client.get(f"/api/tables/{table}", headers=headers).status_code == 429
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

"""Where somebody gives an address for notices: in the settings of their table's page, if the host allows it."""

import re
from collections.abc import Callable, Iterator

import pytest
from starlette.testclient import TestClient

from illusion.web import Limits

ADDRESS = "json://127.0.0.1:9/here"
FIELD = re.compile(r'<input form="notices" name="address" value="([^"]*)"')


@pytest.fixture
def telling(serve: Callable[..., TestClient], monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """An application that sends notices, also to this machine."""
    monkeypatch.setattr("illusion.tables.notices.TIMEOUT_S", 600.0)  # on a busy machine a process starts late
    with serve(notify=True, notify_private=True) as it:
        it.follow_redirects = False
        yield it


def opened(client: TestClient, name: str = "Ana") -> str:
    return client.post("/invite", data={"name": name, "seats": "2"}).headers["location"].rpartition("/")[2]


def asked(client: TestClient, table: str, address: str) -> tuple[int, str]:
    answer = client.post(f"/table/{table}/notices", data={"address": address})
    return answer.status_code, answer.headers.get("location", "")


def test_an_address_is_kept_shown_to_its_owner_alone_and_taken_back(telling: TestClient) -> None:
    table = opened(telling)
    at = f"/table/{table}"
    assert FIELD.findall(telling.get(at).text) == [""]
    assert asked(telling, table, f" {ADDRESS} ") == (303, at)
    assert FIELD.findall(telling.get(at).text) == [ADDRESS]
    tokens = dict(telling.cookies)
    telling.cookies.clear()
    for what in (at, f"/watch/{table}", f"/api/tables/{table}", f"/table/{table}/invitation"):
        assert ADDRESS not in telling.get(what).text
    assert FIELD.findall(telling.get(at).text) == []
    telling.post(f"{at}/join", data={"name": "Bob"})
    assert FIELD.findall(telling.get(at).text) == [""]
    telling.cookies.clear()
    telling.cookies.update(tokens)
    assert asked(telling, table, "") == (303, at)
    assert FIELD.findall(telling.get(at).text) == [""]


def test_what_is_no_address_gets_a_sentence(telling: TestClient) -> None:
    """Which is tried in a process of its own; that there is no other kind: `tests/tables/test_notices.py`."""
    table = opened(telling)
    for address in ("exec://rm", 'json://"><script>', "x" * 501):
        answer = telling.post(f"/table/{table}/notices", data={"address": address})
        assert answer.status_code == 400
        assert "no notice can be sent to this address" in answer.text
        assert "<script>" not in answer.text.replace('<script type="module"', "")


def test_only_who_holds_a_seat_gives_an_address(telling: TestClient) -> None:
    table = opened(telling)
    telling.cookies.clear()
    assert asked(telling, table, ADDRESS)[0] == 401
    token = telling.post("/api/tables", json={"name": "Eve"}).json()["token"]
    telling.cookies.clear()
    telling.cookies.set(f"seat-{table}", token)
    assert asked(telling, table, ADDRESS)[0] == 403
    assert asked(telling, "nonenone", ADDRESS)[0] == 404


def test_it_is_off_unless_the_host_switches_it_on(client: TestClient) -> None:
    client.follow_redirects = False
    table = opened(client)
    assert FIELD.findall(client.get(f"/table/{table}").text) == []
    assert client.post(f"/table/{table}/notices", data={"address": ADDRESS}).status_code == 404


def test_only_so_many_addresses_a_minute_are_looked_at(serve: Callable[..., TestClient]) -> None:
    with serve(notify=True, limits=Limits()) as it:
        it.follow_redirects = False
        table = opened(it)
        assert [asked(it, table, "exec://x")[0] for _ in range(8)] == [400] * 6 + [429] * 2

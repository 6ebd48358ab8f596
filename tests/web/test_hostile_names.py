"""Paths with control characters, and cookies with names that are none of ours: nothing breaks, and no seat is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from illusion.tables import Pace, SqliteStore
from illusion.tables.public.seats_code import HeldSeat, seats_code
from illusion.web import AppOptions, Limits, create_app


@pytest.fixture
def app(tmp_path: Path) -> Starlette:
    return create_app(SqliteStore(tmp_path / "tables.db"), AppOptions(Pace(bot_s=1e6), Limits.lifted()))


@pytest.fixture
def client(app: Starlette) -> Iterator[TestClient]:
    with TestClient(app, "http://x", headers={"origin": "http://x"}) as client:
        yield client


@pytest.fixture
def by_tls(app: Starlette) -> Iterator[TestClient]:
    with TestClient(app, "https://x", headers={"origin": "https://x"}) as client:
        yield client


@pytest.fixture
def table(client: TestClient) -> str:
    made: str = client.post("/api/tables", json={"name": "Ana", "seats": 5}).json()["table"]
    client.cookies.clear()
    return made


@pytest.mark.parametrize("control", ["%0A", "%0D", "%00", "%09", "%1f", "%7F"])
@pytest.mark.parametrize(
    "path", ["/api/tables/{table}/events", "/api/tables/{table}", "/table/{table}", "/metrics", "/"]
)
def test_there_is_nothing_at_a_path_with_a_control_character(
    client: TestClient, table: str, path: str, control: str
) -> None:
    assert client.head(path.format(table=table) + control).status_code == 404  # without the end of a stream


def test_no_socket_is_opened_there(client: TestClient, table: str) -> None:
    with pytest.raises(WebSocketDisconnect) as refused, client.websocket_connect(f"ws://x/table/{table}/live%0A"):
        pass
    assert refused.value.status_code == 404  # type: ignore[attr-defined]


NEIGHBOURS = "; ".join(f"seat-x {number}=y" for number in range(25))
"""A neighbouring subdomain can set such cookies for us."""


@pytest.mark.parametrize("way", ["/api/tables", "/play-now", "/join", "/table/{table}/join"])
def test_whoever_has_cookies_of_no_table_gets_a_seat(client: TestClient, table: str, way: str) -> None:
    form = {"name": "Bob", "code": table}
    answer = client.post(
        way.format(table=table),
        headers={"cookie": NEIGHBOURS},
        follow_redirects=False,
        **({"json": {"name": "Bob"}} if way.startswith("/api") else {"data": form}),  # type: ignore[arg-type]
    )
    assert answer.status_code in (201, 303)
    told = answer.headers.get_list("set-cookie")
    assert sum("seat-" in cookie for cookie in told) == 1


def test_under_tls_a_neighbour_cannot_say_whose_seat_it_is(by_tls: TestClient) -> None:
    """A subdomain beside ours can set a cookie for us, but none whose name begins with `__Host-`."""
    made = by_tls.post("/api/tables", json={"name": "Ana", "seats": 2}).json()
    own = by_tls.cookies[f"__Host-seat-{made['table']}"]
    at = f"/api/tables/{made['table']}"
    by_tls.cookies.clear()
    other = by_tls.post(f"{at}/seats", json={"name": "Bob"}).json()["token"]
    by_tls.cookies.clear()
    planted = f"seat-{made['table']}={other}"
    ours = f"__Host-seat-{made['table']}={own}"
    assert own == made["token"]
    assert "you" not in by_tls.get(at, headers={"cookie": planted}).json()
    assert by_tls.get(at, headers={"cookie": f"{planted}; {ours}"}).json()["you"] == 0
    assert by_tls.post(f"{at}/start", headers={"cookie": planted}).json()["code"] == "no-token"
    assert by_tls.post(f"{at}/start", headers={"cookie": f"{planted}; {ours}"}).status_code == 200
    view = by_tls.get(at).json()
    holder = {0: made["token"], 1: other}[view["to_play"]]
    sent = {"cookie": f"seat-{made['table']}=x; __Host-seat-{made['table']}={holder}"}
    with by_tls.websocket_connect(f"wss://x/table/{made['table']}/live?after={view['seq']}", headers=sent) as page:
        page.send_json({"move": "place", "gap": 0, "seq": view["seq"], "id": 1})
        assert {"id": 1, "answer": {"seq": view["seq"] + 1}} in [page.receive_json(), page.receive_json()]


def test_the_cookie_that_remembers_seats_is_guarded_as_well(by_tls: TestClient) -> None:
    table = by_tls.post("/api/tables", json={"name": "Ana", "seats": 2}).json()["table"]
    code = seats_code([HeldSeat(table, 0)])
    kept = by_tls.post("/eyes", data={"code": code}, follow_redirects=False)
    assert kept.cookies["__Host-eyes"] == code
    by_tls.cookies.clear()
    assert code not in by_tls.get("/eyes", headers={"cookie": f"eyes={code}"}).text
    assert code in by_tls.get("/eyes", headers={"cookie": f"__Host-eyes={code}"}).text
    forgotten = by_tls.post("/eyes", data={"forget": "all"}, follow_redirects=False)
    assert forgotten.headers["set-cookie"].startswith('__Host-eyes=""')
    assert "Secure" in forgotten.headers["set-cookie"]

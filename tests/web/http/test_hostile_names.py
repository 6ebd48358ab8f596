"""Paths with control characters, and cookies with names that are none of ours: nothing breaks, and no seat is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from illusion.tables import SqliteStore
from illusion.web import AppOptions, Limits, create_app


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(SqliteStore(tmp_path / "tables.db"), AppOptions(limits=Limits.lifted()))
    with TestClient(app, "http://x", headers={"origin": "http://x"}) as client:
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

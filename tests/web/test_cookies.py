"""Cookies that others have set for us, or that come too late: no seat is lost, and nobody acts for somebody else."""

from collections.abc import Iterator
from functools import partial

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import Message

from illusion.tables.eyes import HeldSeat, seats_code

NEIGHBOURS = "; ".join(f"seat-x {number}=y" for number in range(25))
"""A neighbouring subdomain can set such cookies for us."""


@pytest.fixture
def by_tls(app: Starlette) -> Iterator[TestClient]:
    with TestClient(app, "https://x", headers={"origin": "https://x"}) as client:
        yield client


@pytest.mark.parametrize("way", ["/api/tables", "/play-now", "/join", "/table/{table}/join"])
def test_whoever_has_cookies_of_no_table_gets_a_seat(client: TestClient, way: str) -> None:
    """N9"""
    table = client.post("/api/tables", json={"name": "Ana", "seats": 5}).json()["table"]
    client.cookies.clear()
    form = {"name": "Bob", "code": table}
    answer = client.post(
        way.format(table=table),
        headers={"cookie": NEIGHBOURS},
        follow_redirects=False,
        **({"json": {"name": "Bob"}} if way.startswith("/api") else {"data": form}),
    )
    assert answer.status_code in (201, 303)
    assert sum("seat-" in cookie for cookie in answer.headers.get_list("set-cookie")) == 1


def test_under_tls_a_neighbour_cannot_say_whose_seat_it_is(by_tls: TestClient) -> None:
    """L5: a subdomain beside ours can set a cookie for us, but none whose name begins with `__Host-`."""
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
    code = seats_code([HeldSeat("abcd2345", 0)])
    kept = by_tls.post("/eyes", data={"code": code}, follow_redirects=False)
    assert kept.cookies["__Host-eyes"] == code
    by_tls.cookies.clear()
    assert code not in by_tls.get("/eyes", headers={"cookie": f"eyes={code}"}).text
    assert code in by_tls.get("/eyes", headers={"cookie": f"__Host-eyes={code}"}).text
    forgotten = by_tls.post("/eyes", data={"forget": "all"}, follow_redirects=False)
    assert forgotten.headers["set-cookie"].startswith('__Host-eyes=""')
    assert "Secure" in forgotten.headers["set-cookie"]


def test_what_a_server_adds_to_the_headers_later_counts_for_nothing(client: TestClient) -> None:
    """L1: trailers come with the body's end, when it has been decided that there was no cookie."""
    late, sent = seats_code([HeldSeat("abcd2345", 0)]), seats_code([HeldSeat("abcd2346", 0)])
    headers = [(b"host", b"x")]
    scope = {"type": "http", "method": "POST", "scheme": "http", "path": "/eyes", "query_string": b""}
    answered: list[Message] = []

    async def receive() -> Message:
        headers.append((b"cookie", f"eyes={late}".encode()))
        return {"type": "http.request", "body": f"code={sent}".encode()}

    async def send(message: Message) -> None:
        answered.append(message)

    assert client.portal is not None
    client.portal.call(partial(client.app, {**scope, "headers": headers}, receive, send))
    cookies = [value for name, value in answered[0]["headers"] if name == b"set-cookie"]
    assert [value.partition(b";")[0] for value in cookies] == [f"eyes={sent}".encode()]


def test_a_page_that_repeats_what_a_link_named_is_not_compressed(client: TestClient) -> None:
    """L7: beside the ids of somebody's tables, its length would tell one letter after another (BREACH)."""
    zipped = {"accept-encoding": "gzip"}
    assert client.get("/", headers=zipped).headers["content-encoding"] == "gzip"
    assert client.get("/rules?code=abcd", headers=zipped).headers["content-encoding"] == "gzip"
    for path in ("/?code=abcd", "/?c%6Fde=abcd", "/watch?code=abcd", "/eyes?abcd"):
        answer = client.get(path, headers=zipped)
        assert "abcd" in answer.text
        assert "content-encoding" not in answer.headers

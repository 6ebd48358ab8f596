"""What every answer says of itself: which methods an address has, and whether it may be kept."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from harness.tables.services import until_over
from starlette.testclient import TestClient
from starlette.types import Message

from illusion.tables import Pace, SqliteStore
from illusion.tables.public.seats_code import HeldSeat, seats_code
from illusion.web import AppOptions, Limits, create_app


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    options = AppOptions(Pace(bot_s=0), Limits.lifted())
    with TestClient(create_app(SqliteStore(tmp_path / "tables.db"), options), "http://x") as client:
        client.headers["origin"] = "http://x"
        yield client


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/api/tables", "POST"),
        ("/api/tables/abcdefgh", "GET, HEAD, PUT"),
        ("/api/tables/abcdefgh/seats/me", "DELETE, PUT"),
        ("/eyes", "GET, HEAD, POST"),
        ("/join", "POST"),
    ],
)
@pytest.mark.parametrize("method", ["PATCH", "OPTIONS"])
def test_a_method_that_an_address_does_not_have_is_answered_with_those_that_it_has(
    client: TestClient, method: str, path: str, methods: str
) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, methods)


def test_whatever_is_looked_at_says_whether_it_may_be_kept(client: TestClient) -> None:
    made = client.post("/api/tables", json={"name": "Ana", "seats": 2, "bots": ["keen"]}).json()
    at = f"/api/tables/{made['table']}"
    client.post(f"{at}/start")
    assert client.portal is not None
    service = client.app.state.context.service  # type: ignore[attr-defined]
    client.portal.call(partial(until_over, service, made["table"]))
    paths = [f"{at}/{what}" for what in ("record", "replay", "review", "believed", "saw/1")]
    for path in [at, *paths, "/api/openapi.json"]:
        answer = client.get(path)
        assert answer.status_code in (200, 202), path
        assert answer.headers["cache-control"] == "no-store"


def test_a_page_that_repeats_what_a_link_named_is_not_compressed(client: TestClient) -> None:
    """Beside the ids of somebody's tables, its length would tell one letter after another (BREACH)."""
    zipped = {"accept-encoding": "gzip"}
    assert client.get("/", headers=zipped).headers["content-encoding"] == "gzip"
    assert client.get("/rules?code=abcd", headers=zipped).headers["content-encoding"] == "gzip"
    for path in ("/?code=abcd", "/?c%6Fde=abcd", "/watch?code=abcd", "/eyes?abcd"):
        answer = client.get(path, headers=zipped)
        assert "abcd" in answer.text
        assert "content-encoding" not in answer.headers


def test_what_a_server_adds_to_the_headers_later_counts_for_nothing(client: TestClient) -> None:
    """Trailers come with the body's end, when it has been decided that there was no cookie."""
    late, sent = seats_code([HeldSeat("abcd2345", 0)]), seats_code([HeldSeat("abcd2346", 0)])
    headers = [(b"host", b"x")]
    scope = {"type": "http", "method": "POST", "path": "/eyes", "query_string": b"", "headers": headers}
    answered: list[Message] = []

    async def receive() -> Message:
        headers.append((b"cookie", f"eyes={late}".encode()))
        return {"type": "http.request", "body": f"code={sent}".encode()}

    async def send(message: Message) -> None:
        answered.append(message)

    assert client.portal is not None
    client.portal.call(partial(client.app, {**scope, "scheme": "http"}, receive, send))
    cookies = [value for name, value in answered[0]["headers"] if name == b"set-cookie"]
    assert [value.partition(b";")[0] for value in cookies] == [f"eyes={sent}".encode()]

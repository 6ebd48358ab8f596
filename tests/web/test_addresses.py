"""Addresses with what nothing has: long numbers, strange names, control characters, ids that are none."""

import re
from collections.abc import Callable
from urllib.parse import urlencode

import httpx
import pytest
from harness.answers import problem_code
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from illusion.bots import LEVEL_NAMES, face_svg
from illusion.bots.characters import CHARACTERS, named
from illusion.web import urls
from illusion.web.app import ROUTES

LOOKS = sorted((method, route.path) for route in ROUTES for method in (route.methods or set()) - {"HEAD"})
NUMBERED = [(method, path) for method, path in LOOKS if re.search(r"\{\w+:(?!path)\w+\}", path)]
NAMING_A_TABLE = [
    (method, re.sub(r"\{(?!table)[^}]*\}", "0", path)) for method, path in LOOKS if re.search("^[^{]*{table}", path)
]
BODIES = {
    "moves": {"move": "doubt", "seq": 1},
    "bots": {"level": "keen"},
    "seats": {"name": "Bob"},
    "waiting": {"name": "Bob"},
    "lock": {"locked": False},
    "reactions": {"reaction": "wow"},
}


@pytest.mark.parametrize(("method", "path"), NUMBERED)
def test_a_number_that_nothing_has_is_not_found(client: TestClient, method: str, path: str) -> None:
    table = client.post("/api/tables", json={"name": "Ana", "seats": 2}).json()["table"]
    for number in ("9" * 5, "9" * 500, "9" * 5000, "0" * 5000 + "1", "-1", "1.0", "\uff11"):
        at = re.sub(r"\{\w+:\w+\}", number, path).replace("{table}", table)
        answer = client.request(method, at)
        assert problem_code(answer) == (404, "not-found"), number  # type: ignore[arg-type]


def test_numbers_that_something_has_are_found(client: TestClient) -> None:
    assert len({path for _, path in NUMBERED}) == 8
    table = client.post("/api/tables", json={"name": "Ana", "seats": 3, "bots": ["keen"]}).json()["table"]
    assert client.get(urls.sample_picture(1)).status_code == 200
    assert client.delete(f"/api/tables/{table}/bots/1").status_code == 200


def test_every_name_has_a_face_and_a_portrait_is_for_its_level_alone(client: TestClient) -> None:
    """A name without one gets a face of its level, on which nothing of the name is."""
    for character in CHARACTERS:
        assert client.get(f"/faces/{character.level}/{character.name}.svg").text == face_svg(character)
    for name in ("Pip 2", "Łukasz 🦉", "<script>", "{skin}", "Iris", "x" * 24):
        for level in LEVEL_NAMES:
            face = client.get(f"/faces/{level}/{name}.svg").text
            assert face == face_svg(named(name, level))
            assert name not in face
    for path in ("keen/Iris.png", "keen", "keen/a/b.svg", f"keen/{'x' * 25}.svg"):
        assert client.get(f"/faces/{path}").json()["code"] == "not-found"


@pytest.mark.parametrize("control", ["%0A", "%0D", "%00", "%09", "%1f", "%7F"])
def test_there_is_nothing_at_a_path_with_a_control_character(client: TestClient, control: str) -> None:
    """N9: neither a stream nor a socket."""
    table = client.post("/api/tables", json={"name": "Ana", "seats": 5}).json()["table"]
    for path in (f"/api/tables/{table}/events", f"/api/tables/{table}", f"/table/{table}", "/metrics", "/"):
        assert client.head(path + control).status_code == 404
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect(f"ws://x/table/{table}/live{control}"),
    ):
        pass
    assert refused.value.status_code == 404  # type: ignore[attr-defined]


def test_what_can_be_no_id_is_no_table_and_others_read_on(
    serve: Callable[..., TestClient], postgres: str, caplog: pytest.LogCaptureFixture
) -> None:
    """N4: PostgreSQL refuses a NUL in a text; 27 % of other people's pages were answered with 503."""
    with serve(database=postgres) as client:
        client.headers["authorization"] = "Bearer x"
        table = client.post("/api/tables", json={"name": "Ana"}).json()["table"]
        for no_id in ("%00", "abcdefg%00", "abcdefgh%00", "%00bcdefgh", "%ED%A0%80"):
            for method, path in NAMING_A_TABLE:
                arranged = {"variant": "twelve-rounds", "clock": None} if method == "PUT" else None
                sent = {"json": BODIES.get(path.rpartition("/")[2], arranged)}
                sent = {"data": {"name": "Bob"}} if path.endswith("/join") else sent
                answer = client.request(method, path.replace("{table}", no_id), **sent)  # type: ignore[arg-type]
                assert answer.status_code == 404, (method, path, no_id)
            code = httpx.QueryParams(f"code={no_id}")["code"]
            for path in (f"/watch?{urlencode({'code': code})}", f"/cards/{no_id}abcdefgh.svg"):
                assert client.get(path).status_code == 404, path
            assert client.post("/join", data={"name": "Bob", "code": code}).status_code == 404
            assert client.get(f"/api/tables/{table}").status_code == 200
    assert caplog.records == []  # no store has failed

"""Addresses with what nothing has: long numbers, strange names, control characters, ids that are none."""

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import httpx
import pytest
from harness.answers import problem_code
from harness.servers import Server, opened
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from illusion.bots import CHARACTERS, LEVEL_NAMES, face_svg
from illusion.bots.characters import named
from illusion.web import urls
from illusion.web.app import ROUTES

LOOKS = sorted((method, route.path) for route in ROUTES for method in (route.methods or set()) - {"HEAD"})
NUMBERED = [(method, path) for method, path in LOOKS if re.search(r"\{\w+:(?!path)\w+\}", path)]
NAMING_A_TABLE = [
    (method, re.sub(r"\{(?!table)[^}]*\}", "0", path)) for method, path in LOOKS if re.search("^[^{]*{table}", path)
]
NO_IDS = ("%00", "abcdefg%00", "abcdefgh%00", "%00bcdefgh", "%ED%A0%80")
BODIES = {
    "moves": {"move": "doubt", "seq": 1},
    "bots": {"level": "keen"},
    "seats": {"name": "Bob"},
    "waiting": {"name": "Bob"},
    "lock": {"locked": False},
    "reactions": {"reaction": "wow"},
}


@pytest.mark.parametrize(("method", "path"), NUMBERED)
@pytest.mark.parametrize(
    "number",
    ["9" * 5, "9" * 500, "9" * 5000, "0" * 5000 + "1", "-1", "1.0", "\uff11"],
    ids=lambda number: f"{number[:9]!a} of {len(number)}",
)
def test_a_number_that_nothing_has_is_not_found(server: Server, method: str, path: str, number: str) -> None:
    host, _ = opened(server, 2)
    at = re.sub(r"\{\w+:\w+\}", number, path).replace("{table}", host.table)
    assert problem_code(host.client.request(method, at)) == (404, "not-found")


def test_there_are_numbers_and_those_that_something_has_are_found(server: Server) -> None:
    assert len({path for _, path in NUMBERED}) == 8
    host, _ = opened(server, 3, bots=["keen"])
    assert host.client.get(urls.sample_picture(1)).status_code == 200
    assert host.client.delete(f"/api/tables/{host.table}/bots/1").status_code == 200


@pytest.mark.parametrize("name", ["Pip 2", "Łukasz 🦉", "<script>", "{skin}", "Iris", "x" * 24])
def test_a_name_without_a_portrait_gets_a_generated_face_of_its_level(server: Server, name: str) -> None:
    with server.client() as client:
        for level in LEVEL_NAMES:
            answer = client.get(f"/faces/{level}/{name}.svg")
            assert answer.status_code == 200
            assert answer.text == face_svg(named(name, level))
            assert name not in answer.text
        for character in CHARACTERS:
            assert client.get(f"/faces/{character.level}/{character.name}.svg").text == face_svg(character)


@pytest.mark.parametrize("path", ["keen/Iris.png", "keen", "keen/a/b.svg", f"keen/{'x' * 25}.svg"])
def test_there_are_no_other_faces(server: Server, path: str) -> None:
    assert problem_code(server.client().get(f"/faces/{path}")) == (404, "not-found")


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


def asks_for(client: httpx.Client, no_id: str) -> list[httpx.Response]:
    """At every address that names a table."""
    answers = []
    for method, path in NAMING_A_TABLE:
        arranged = {"variant": "twelve-rounds", "clock": None} if method == "PUT" else None
        body = BODIES.get(path.rpartition("/")[2], arranged)
        sent = {"data": {"name": "Bob"}} if path.endswith("/join") else {"json": body}
        headers = {"authorization": "Bearer x"}
        answers.append(client.request(method, path.replace("{table}", no_id), headers=headers, **sent))
    code = httpx.QueryParams(f"code={no_id}")["code"]
    answers += [client.get(f"/watch?{urlencode({'code': code})}"), client.get(f"/cards/{no_id}abcdefgh.svg")]
    return [*answers, client.post("/join", data={"name": "Bob", "code": code})]


def test_what_can_be_no_id_is_no_table_and_others_read_on(postgres: str) -> None:
    """N4: PostgreSQL refuses a NUL in a text; 27 % of other people's pages were answered with 503."""
    server = Server(postgres)
    tables = [opened(server, 2)[0].table for _ in range(3)]
    with ThreadPoolExecutor(2) as at_once, server.client() as rude, server.client() as others:
        asked = [at_once.submit(asks_for, rude, no_id) for no_id in NO_IDS]
        looks = [others.get(f"/api/tables/{table}") for _ in range(40) for table in tables]
        told = [answer for each in asked for answer in each.result()]
    assert {look.status_code for look in looks} == {200}
    assert [answer for answer in told if answer.status_code != 404] == []
    assert server.stop() == 0
    assert server.said == []  # no store has failed

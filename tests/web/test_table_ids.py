"""What can be no table's id is no table: PostgreSQL refuses a NUL in a text, and with it all reads of that moment."""

import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import httpx
from harness.servers import Server, opened

from illusion.web.app import ROUTES

NO_IDS = ("%00", "abcdefg%00", "abcdefgh%00", "%00bcdefgh", "%ED%A0%80")
NAMING_A_TABLE = [
    (method, re.sub(r"\{(?!table)[^}]*\}", "0", route.path))
    for route in ROUTES
    for method in sorted((route.methods or set()) - {"HEAD"})
    if "{table}" in route.path
]
TOKEN = {"authorization": "Bearer x"}
BODIES = {
    "moves": {"move": "doubt", "seq": 1},
    "bots": {"level": "keen"},
    "seats": {"name": "Bob"},
    "reactions": {"reaction": "wow"},
}
ARRANGED = {"variant": "twelve-rounds", "clock": None}


def asks_for(client: httpx.Client, no_id: str) -> list[httpx.Response]:
    """At every address that names a table."""
    answers = []
    for method, path in NAMING_A_TABLE:
        body = BODIES.get(path.rpartition("/")[2], ARRANGED if method == "PUT" else None)
        sent = {"data": {"name": "Bob"}} if path.endswith("/join") else {"json": body}
        answers.append(client.request(method, path.replace("{table}", no_id), headers=TOKEN, **sent))
    code = httpx.QueryParams(f"code={no_id}")["code"]
    answers += [client.get(f"/watch?{urlencode({'code': code})}"), client.get(f"/cards/{no_id}abcdefgh.svg")]
    return [*answers, client.post("/join", data={"name": "Bob", "code": code})]


def test_no_id_is_a_table_and_others_read_on(postgres: str) -> None:
    """N4: 27 % of other people's pages were answered with 503."""
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


def test_asking_for_one_is_a_guess(postgres: str) -> None:
    server = Server(postgres, "--limit", "misses=10", limited=True)
    with server.client() as rude:
        statuses = [rude.get("/api/tables/%00").status_code for _ in range(30)]
    assert server.stop() == 0
    assert 10 <= statuses.count(404) < 20
    assert statuses[-1] == 429

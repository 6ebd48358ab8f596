"""Slow tables on pages: the home page says where it is my turn; a seat's cookie lives as long as the game."""

import re

from starlette.testclient import TestClient

from illusion.tables.model.commands import DAY_S

LISTED = re.compile(r'<p class="back-to( my-turn)?"><a [^>]*href="/table/(\w{8})"')


def by(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def opened(client: TestClient, clock: int | None = DAY_S) -> tuple[str, list[str]]:
    """A game of two that has begun, and their tokens: first of whose turn it is."""
    made = client.post("/api/tables", json={"name": "Ana", "seats": 2, "clock": clock}).json()
    client.cookies.clear()
    at = f"/api/tables/{made['table']}"
    tokens = [made["token"], client.post(f"{at}/seats", json={"name": "Bob"}).json()["token"]]
    client.cookies.clear()
    client.post(f"{at}/start", headers=by(tokens[0]))
    seats = {client.get(at, headers=by(token)).json()["you"]: token for token in tokens}
    turn = client.get(at).json()["to_play"]
    return made["table"], [seats[turn], seats[1 - turn]]


def home(client: TestClient, **tokens: str) -> list[tuple[str, str]]:
    client.cookies.clear()
    for table, token in tokens.items():
        client.cookies.set(f"seat-{table}", token)
    html = client.get("/").text
    turns = int(re.findall(r'data-turns="(\d+)"', html)[0])
    listed = LISTED.findall(html)
    assert turns == sum(bool(mine) for mine, _ in listed)
    return listed


def test_tables_where_it_is_my_turn_come_first_and_are_counted_until_i_move(client: TestClient) -> None:
    tables = dict(opened(client) for _ in range(4))
    first, *others = tables
    held = {table: tokens[table != first] for table, tokens in tables.items()}
    newest_first = [("", table) for table in reversed(others)]
    assert home(client, **held) == [(" my-turn", first), *newest_first]
    move = {"move": "place", "gap": 0, "seq": client.get(f"/api/tables/{first}").json()["seq"]}
    client.post(f"/api/tables/{first}/moves", json=move, headers=by(held[first]))
    assert home(client, **held) == [*newest_first, ("", first)]
    assert home(client, **{first: tables[first][1]}) == [(" my-turn", first)]


def test_the_page_of_a_slow_table_brings_its_cookie_anew(client: TestClient) -> None:
    for clock, is_renewed in ((None, False), (90, False), (DAY_S, True), (3 * DAY_S, True)):
        table, tokens = opened(client, clock)
        client.cookies.set(f"seat-{table}", tokens[0])
        sent = client.get(f"/table/{table}").headers.get("set-cookie", "")
        assert sent.startswith(f"seat-{table}={tokens[0]};") == is_renewed
        client.cookies.clear()
        assert "set-cookie" not in client.get(f"/table/{table}").headers  # whoever only watches has none

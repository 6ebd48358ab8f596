"""Slow tables on pages: the home page says where it is my turn; a seat's cookie lives as long as the game."""

import re

import pytest
from starlette.testclient import TestClient

from illusion.tables.model.commands import DAY_S

LISTED = re.compile(r'<p class="back-to( my-turn)?"><a [^>]*href="/table/(\w{8})"')


def opened(client: TestClient, *names: str, clock: int | None = DAY_S) -> tuple[str, list[str]]:
    """A game that has begun, and the tokens by seat."""
    client.cookies.clear()
    made = client.post("/api/tables", json={"name": names[0], "seats": len(names), "clock": clock}).json()
    at = f"/api/tables/{made['table']}"
    tokens = [made["token"], *(client.post(f"{at}/seats", json={"name": name}).json()["token"] for name in names[1:])]
    client.cookies.clear()
    client.post(f"{at}/start", headers={"authorization": f"Bearer {tokens[0]}"})
    seats = {client.get(at, headers={"authorization": f"Bearer {token}"}).json()["you"]: token for token in tokens}
    return made["table"], [seats[seat] for seat in sorted(seats)]


def to_play(client: TestClient, table: str) -> int:
    seat: int = client.get(f"/api/tables/{table}").json()["to_play"]
    return seat


def home(client: TestClient, **tokens: str) -> list[tuple[str, str]]:
    client.cookies.clear()
    for table, token in tokens.items():
        client.cookies.set(f"seat-{table}", token)
    html = client.get("/").text
    turns = int(re.findall(r'data-turns="(\d+)"', html)[0])
    listed = LISTED.findall(html)
    assert turns == sum(bool(mine) for mine, _ in listed)
    return listed


def test_tables_where_it_is_my_turn_come_first_and_are_counted(client: TestClient) -> None:
    tables = {}
    for _ in range(4):
        table, tokens = opened(client, "Ana", "Bob")
        tables[table] = tokens
    plays = {table: to_play(client, table) for table in tables}
    mine, others = list(tables)[:1], list(tables)[1:]
    held = {table: tokens[plays[table] if table in mine else 1 - plays[table]] for table, tokens in tables.items()}
    assert home(client, **held) == [(" my-turn", mine[0]), *(("", table) for table in reversed(others))]


def test_the_home_page_moves_on_with_the_turn(client: TestClient) -> None:
    table, tokens = opened(client, "Ana", "Bob")
    seat = to_play(client, table)
    assert home(client, **{table: tokens[seat]}) == [(" my-turn", table)]
    assert home(client, **{table: tokens[1 - seat]}) == [("", table)]
    move = {"move": "place", "gap": 0, "seq": client.get(f"/api/tables/{table}").json()["seq"]}
    client.post(f"/api/tables/{table}/moves", json=move, headers={"authorization": f"Bearer {tokens[seat]}"})
    assert home(client, **{table: tokens[seat]}) == [("", table)]
    assert home(client, **{table: tokens[1 - seat]}) == [(" my-turn", table)]


@pytest.mark.parametrize(("clock", "is_renewed"), [(None, False), (90, False), (DAY_S, True), (3 * DAY_S, True)])
def test_the_page_of_a_slow_table_brings_its_cookie_anew(
    client: TestClient, clock: int | None, *, is_renewed: bool
) -> None:
    table, tokens = opened(client, "Ana", "Bob", clock=clock)
    client.cookies.set(f"seat-{table}", tokens[0])
    sent = client.get(f"/table/{table}").headers.get("set-cookie", "")
    assert sent.startswith(f"seat-{table}={tokens[0]};") == is_renewed
    client.cookies.clear()
    assert "set-cookie" not in client.get(f"/table/{table}").headers  # whoever only watches has none

"""Home leads back to a game that goes on, the page of a full table says that it is full, and a form takes one seat."""

import re

import pytest
from harness.servers import Server, opened


def test_home_leads_back_to_the_tables_where_one_sits(server: Server) -> None:
    seats = opened(server)
    table = seats[0].table
    with server.client() as client:
        assert table not in client.get("/").text
        client.cookies.set(f"seat-{table}", seats[0].token)
        seats[0].post("start")
        home = client.get("/").text
    assert f'href="/table/{table}"' in home
    assert f"Back to your table {table[:4]} {table[4:]}" in home


def test_somebody_who_comes_to_a_full_table_is_told_so_and_can_watch(server: Server) -> None:
    seats = opened(server)
    with server.client() as client:
        page = client.get(f"/table/{seats[0].table}").text
    assert "All seats at this table are taken." in page
    assert "You can watch the game here." in page
    assert 'class="panel sit"' not in page


@pytest.mark.parametrize("page", ["/?code={table}", "/table/{table}"])
def test_a_form_that_is_sent_twice_takes_one_seat(server: Server, page: str) -> None:
    """The second tap comes without the cookie of the first one's answer, and gets the same seat."""
    with server.client() as client:
        table = client.post("/api/tables", json={"name": "Ana", "seats": 4}).json()["table"]
        client.cookies.clear()
        html = client.get(page.format(table=table)).text
    form = re.search(r'<form[^>]*action="([^"]*/join)".*?</form>', html, re.DOTALL)
    token = re.search(r'name="token" value="([^"]+)"', html)
    assert form is not None
    assert token is not None
    cookies = []
    for _ in range(2):
        with server.client() as client:
            answer = client.post(form[1], data={"code": table, "name": "Bob", "token": token[1]})
        assert answer.headers["location"] == f"/table/{table}"
        cookies.append(answer.cookies[f"seat-{table}"])
    assert len(set(cookies)) == 1
    view = server.client().get(f"/api/tables/{table}").json()
    assert [player["name"] for player in view["players"]] == ["Ana", "Bob"]


def test_every_form_has_a_token_of_its_own_and_what_is_no_token_is_not_used(server: Server) -> None:
    with server.client() as client:
        assert len({re.findall(r'name="token" value="([^"]+)"', client.get("/").text)[0] for _ in range(3)}) == 3
        table = client.post("/api/tables", json={"name": "Ana", "seats": 4}).json()["table"]
        client.cookies.clear()
        answer = client.post("/join", data={"code": table, "name": "Bob", "token": "a"})
    assert len(answer.cookies[f"seat-{table}"]) == 43

"""Home leads back to a game that goes on, the page of a full table says that it is full, and a form takes one seat."""

import re

import pytest
from harness.servers import Server


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


@pytest.mark.parametrize(("chosen", "expected"), [({}, True), ({"guesses": "on"}, True), ({"guesses": "off"}, False)])
def test_a_table_is_opened_with_or_without_guesses(server: Server, chosen: dict[str, str], *, expected: bool) -> None:
    with server.client() as client:
        table = client.post("/invite", data={"name": "Ana", **chosen}).headers["location"]
        assert client.get(f"/api/tables/{table.rsplit('/', 1)[1]}").json()["guesses"] is expected


@pytest.mark.parametrize("chosen", ["", "maybe", "true", "1", "ON", "off\0"])
def test_guesses_are_on_or_off(server: Server, chosen: str) -> None:
    with server.client() as client:
        assert client.post("/invite", data={"name": "Ana", "guesses": chosen}).status_code == 400
        for sent in (chosen, 1, None, [False]):
            assert client.post("/api/tables", json={"name": "Ana", "guesses": sent}).status_code == 400

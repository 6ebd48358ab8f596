"""Ways to a table: a form takes one seat, a page says that a phone has reached the game, and a card for the table."""

import re
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from illusion.languages import languages

LAN = "192.168.1.20"


@pytest.mark.parametrize("page", ["/?code={table}", "/table/{table}"])
def test_a_form_that_is_sent_twice_takes_one_seat(client: TestClient, page: str) -> None:
    """The second tap comes without the cookie of the first one's answer, and gets the same seat."""
    client.follow_redirects = False
    table = client.post("/api/tables", json={"name": "Ana", "seats": 4}).json()["table"]
    client.cookies.clear()
    html = client.get(page.format(table=table)).text
    form = re.search(r'<form[^>]*action="([^"]*/join)".*?</form>', html, re.DOTALL)
    token = re.search(r'name="token" value="([^"]+)"', html)
    assert form is not None
    assert token is not None
    cookies = []
    for _ in range(2):
        client.cookies.clear()
        answer = client.post(form[1], data={"code": table, "name": "Bob", "token": token[1]})
        assert answer.headers["location"] == f"/table/{table}"
        cookies.append(answer.cookies[f"seat-{table}"])
    assert cookies[0] == cookies[1]
    view = client.get(f"/api/tables/{table}").json()
    assert [player["name"] for player in view["players"]] == ["Ana", "Bob"]


def test_every_form_has_a_token_of_its_own_and_what_is_no_token_is_not_used(client: TestClient) -> None:
    client.follow_redirects = False
    assert len({re.findall(r'name="token" value="([^"]+)"', client.get("/").text)[0] for _ in range(3)}) == 3
    table = client.post("/api/tables", json={"name": "Ana", "seats": 4}).json()["table"]
    client.cookies.clear()
    answer = client.post("/join", data={"code": table, "name": "Bob", "token": "a"})
    assert len(answer.cookies[f"seat-{table}"]) == 43


def test_a_table_is_opened_with_or_without_guesses(client: TestClient) -> None:
    client.follow_redirects = False
    for chosen, expected in (({}, True), ({"guesses": "on"}, True), ({"guesses": "off"}, False)):
        table = client.post("/invite", data={"name": "Ana", **chosen}).headers["location"]
        assert client.get(f"/api/tables/{table.rsplit('/', 1)[1]}").json()["guesses"] is expected
    for wrong in ("", "maybe", "true", "1", "ON", "off\0"):
        assert client.post("/invite", data={"name": "Ana", "guesses": wrong}).status_code == 400
    for sent in ("off", 1, None, [False]):
        assert client.post("/api/tables", json={"name": "Ana", "guesses": sent}).status_code == 400


def test_hello_is_tiny_and_speaks_the_reader_s_language(client: TestClient) -> None:
    for code, language in languages().items():
        answer = client.get("/hello", headers={"accept-language": code})
        assert answer.status_code == 200
        assert f'<html lang="{code}"' in answer.text
        assert f"<h1>{language.gettext('You have reached the game')}</h1>" in answer.text
        assert "<script" not in answer.text
        assert 'href="/"' in answer.text
        assert len(answer.content) < 1500


def test_the_waiting_room_leads_to_a_card_for_the_table(serve: Callable[..., TestClient]) -> None:
    """With the address that phones can open, and what to look at if they cannot."""
    with serve("http://127.0.0.1:8000", lan=LAN, address="127.0.0.1") as client:
        table = client.post("/api/tables", json={"name": "Ana", "seats": 3}).json()["table"]
        room = client.get(f"/table/{table}").text
        card = client.get(f"/table/{table}/invitation").text
    assert f'href="/table/{table}/invitation"' in room
    assert f"http://{LAN}:8000/table/{table}" in card
    assert '<svg class="qr"' in card or "qr-line" in card
    assert f"{table[:4]} {table[4:]}" in card
    assert f"See whether http://{LAN}:8000/hello does." in card
    assert "same Wi-Fi" in card
    assert 'data-do="print"' in card


def test_a_server_for_everybody_says_nothing_of_a_wi_fi(client: TestClient) -> None:
    table = client.post("/api/tables", json={"name": "Ana", "seats": 3}).json()["table"]
    card = client.get(f"/table/{table}/invitation", headers={"host": "club.example"}).text
    assert f"http://club.example/table/{table}" in card
    assert "Wi-Fi" not in card
    assert client.get("/table/nowhere2/invitation").status_code == 404

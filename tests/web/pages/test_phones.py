"""What brings a phone to a table: a page that says that it has reached the game, and a card to print for the table."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from illusion.languages import languages
from illusion.tables import SqliteStore
from illusion.tables.worker import Where
from illusion.web import AppOptions, create_app

LAN = "192.168.1.20"


def served(folder: Path, lan: str | None) -> TestClient:
    app = create_app(SqliteStore(folder / "tables.db"), AppOptions(lan=lan, drawing=Where.THREAD))
    return TestClient(app, base_url="http://127.0.0.1:8000", client=("127.0.0.1", 1))


@pytest.mark.parametrize("code", languages())
def test_hello_is_tiny_and_speaks_the_reader_s_language(code: str, tmp_path: Path) -> None:
    with served(tmp_path, LAN) as client:
        answer = client.get("/hello", headers={"accept-language": code})
    assert answer.status_code == 200
    assert f'<html lang="{code}"' in answer.text
    assert f"<h1>{languages()[code].gettext('You have reached the game')}</h1>" in answer.text
    assert "<script" not in answer.text
    assert 'href="/"' in answer.text
    assert len(answer.content) < 1500


def test_the_waiting_room_leads_to_a_card_for_the_table(tmp_path: Path) -> None:
    """With the address that phones can open, and what to look at if they cannot."""
    with served(tmp_path, LAN) as client:
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


def test_a_server_for_everybody_says_nothing_of_a_wi_fi(tmp_path: Path) -> None:
    with served(tmp_path, None) as client:
        table = client.post("/api/tables", json={"name": "Ana", "seats": 3}).json()["table"]
        card = client.get(f"/table/{table}/invitation", headers={"host": "club.example"}).text
        assert client.get("/table/nowhere2/invitation").status_code == 404
    assert f"http://club.example/table/{table}" in card
    assert "Wi-Fi" not in card

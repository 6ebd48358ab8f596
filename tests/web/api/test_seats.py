"""Late comers, promised seats and a host's tools by the API, and what a rude guest tries against them."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness.asgi import running_app, told
from starlette.testclient import TestClient

from illusion.tables.model.commands import hashed


class Guest:
    """Somebody with the tokens that they were given: a program, or a browser with its cookies."""

    def __init__(self, client: TestClient, table: str, token: str = "", *, browser: bool = False) -> None:
        self.client, self.table, self.token = client, table, token
        self.browser = browser
        self.kept: dict[str, str] = {}

    def asks(self, method: str, what: str = "", body: object = None) -> Any:
        headers = {"authorization": f"Bearer {self.token}"} if self.token and not self.browser else {}
        if self.browser and self.kept:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.kept.items())
        answer = self.client.request(method, f"/api/tables/{self.table}{what}", json=body, headers=headers)
        self.kept |= dict(answer.cookies)
        self.client.cookies.clear()
        if answer.status_code == 201 and "token" in answer.json():
            self.token = answer.json()["token"]
        return answer

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.asks("GET").json()
        return view

    def moves(self) -> None:
        view = self.view()
        body = {"move": "doubt"} if len(view["row"]) > 2 else {"move": "place", "gap": 0}
        assert self.asks("POST", "/moves", {**body, "seq": view["seq"]}).status_code == 200


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.fixture
def ana(client: TestClient) -> Guest:
    """The host of a table for four, at which Bob sits and a bot."""
    opened = client.post("/api/tables", json={"name": "Ana", "seats": 4, "bots": ["keen"]}).json()
    client.cookies.clear()
    return Guest(client, opened["table"], opened["token"])


@pytest.fixture
def bob(ana: Guest) -> Guest:
    bob = Guest(ana.client, ana.table, browser=True)
    assert bob.asks("POST", "/seats", {"name": "Bob"}).status_code == 201
    return bob


def starts(ana: Guest) -> int:
    """The seat of the bot."""
    assert ana.asks("POST", "/start").status_code == 200
    return next(int(player["seat"]) for player in ana.view()["players"] if player["level"])


def seat_of(view: dict[str, Any], name: str) -> int:
    return next(int(player["seat"]) for player in view["players"] if player["name"] == name)


def test_who_was_sent_away_does_not_come_back(ana: Guest, bob: Guest) -> None:
    """With the old token, by the page, or by what their browser has kept. A browser without anything kept is somebody
    new to us: against that the host locks the table."""
    starts(ana)
    bobs = seat_of(ana.view(), "Bob")
    assert ana.asks("DELETE", f"/people/{bobs}").status_code == 200
    view = ana.view()
    assert bobs in view["open_seats"]
    seq, token = view["seq"], bob.token
    program = Guest(ana.client, ana.table, token)
    for guest in (bob, program):
        assert refused(guest.asks("POST", "/seats", {"name": "Bob", "seat": bobs})) == (403, "sent-away")
        assert refused(guest.asks("POST", "/waiting", {"name": "Bob"})) == (403, "sent-away")
        for method, what, body in (
            ("PUT", "/seats/me", None),
            ("DELETE", "/seats/me", None),
            ("POST", "/reactions", {"reaction": "wow"}),
            ("POST", "/moves", {"move": "place", "gap": 0, "seq": seq}),
            ("POST", "/rematch", None),
        ):
            assert refused(guest.asks(method, what, body)) == (403, "not-seated")
    cookies = "; ".join(f"{name}={value}" for name, value in bob.kept.items())
    form = {"name": "Nice", "seat": str(bobs), "token": "A" * 43}
    at = f"/table/{ana.table}"
    page = ana.client.post(f"{at}/join", data=form, headers={"cookie": cookies}, follow_redirects=False)
    assert page.status_code == 403
    ana.client.cookies.clear()
    shown = ana.client.get(at, headers={"cookie": cookies}).text
    assert ana.view()["seq"] == seq
    assert token not in shown
    assert hashed(token) not in shown
    assert ana.asks("PUT", "/lock", {"locked": True}).status_code == 200
    fresh = Guest(ana.client, ana.table)
    assert refused(fresh.asks("POST", "/seats", {"name": "Nice", "seat": bobs})) == (409, "table-locked")
    assert refused(fresh.asks("POST", "/waiting", {"name": "Nice"})) == (409, "table-locked")


def test_a_host_who_shares_a_device_is_host_in_everybodys_turn(client: TestClient) -> None:
    client.post("/pass-and-play", data={"name": ["Ana", "Bob"]})
    table = next(name for name in client.cookies if name.startswith("seat-")).removeprefix("seat-")
    for locked in (True, False):
        assert client.put(f"/api/tables/{table}/lock", json={"locked": locked}).status_code == 200
        view = client.get(f"/api/tables/{table}").json()
        client.post(f"/api/tables/{table}/moves", json={"move": "place", "gap": 0, "seq": view["seq"]})


def test_nobody_waits_for_a_page_whose_seat_is_lost(ana: Guest, bob: Guest) -> None:
    """Who was sent away cannot hold up the table by never reading on."""
    seat = starts(ana)
    zoe = Guest(ana.client, ana.table)
    zoe.asks("POST", "/seats", {"name": "Zoe", "seat": seat})
    people = {"Ana": ana, "Bob": bob, "Zoe": zoe}
    cookies = "; ".join(f"{name}={value}" for name, value in bob.kept.items())
    with ana.client.websocket_connect(f"ws://x/table/{ana.table}/live?after=0", headers={"cookie": cookies}) as page:
        while not (view := ana.view())["last_doubt"]:
            people[view["players"][view["to_play"]]["name"]].moves()
        service = ana.client.app.state.context.service  # type: ignore[attr-defined]
        assert service.reveal(ana.table).are_reading
        assert ana.asks("DELETE", f"/people/{seat_of(view, 'Bob')}").status_code == 200
        heard = told(page)
        assert any(each.get("event", {}).get("entry") == "sent-away" for each in heard)
        assert next(each["reading"] for each in heard if "reading" in each) == []
        assert not service.reveal(ana.table).are_reading


def test_what_cannot_be_read_is_refused(ana: Guest) -> None:
    for method, what, body in (
        ("POST", "/seats", {"name": "Zoe", "seat": "1"}),
        ("POST", "/seats", {"name": "Zoe", "seat": 1.5}),
        ("POST", "/waiting", {}),
        ("POST", "/waiting", {"name": "Zoe", "seat": 1}),
        ("PUT", "/lock", {"locked": 1}),
        ("PUT", "/lock", {}),
    ):
        assert refused(ana.asks(method, what, body)) == (400, "unparsable")


async def test_who_leaves_while_the_cards_are_dealt_leaves_alone(tmp_path: Path) -> None:
    """A request acts for the seat that its token holds when it is executed. Dealing seats the bots between the people,
    so a player's seat may have another number afterwards."""
    moved = 0
    async with (
        running_app(tmp_path) as (app, _),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client,
    ):
        for _ in range(12):
            asked = {"name": "Ana", "seats": 5, "bots": ["keen", "keen"]}
            opened = (await client.post("/api/tables", json=asked)).json()
            path = f"/api/tables/{opened['table']}"
            host = {"authorization": f"Bearer {opened['token']}"}
            client.cookies.clear()
            bob = (await client.post(f"{path}/seats", json={"name": "Bob"})).json()
            client.cookies.clear()
            answers = await asyncio.gather(
                client.post(f"{path}/start", headers=host),
                client.delete(f"{path}/seats/me", headers={"authorization": f"Bearer {bob['token']}"}),
            )
            assert [answer.status_code for answer in answers] == [200, 200]
            players = (await client.get(path)).json()["players"]
            assert {player["name"] for player in players if player["away"]} == {"Bob"}
            moved += next(player["seat"] for player in players if player["name"] == "Bob") != bob["seat"]
    assert moved

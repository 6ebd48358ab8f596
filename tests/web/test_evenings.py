"""A club evening over the web: what a host can do, and what a rude guest cannot."""

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from harness.answers import problem_code
from starlette.testclient import TestClient

from illusion.web import Limits
from illusion.web.limits import ARRIVALS

Headers = dict[str, str]
Serve = Callable[..., TestClient]
NOWHERE = "nwhere22"


def by(token: str) -> Headers:
    return {"authorization": f"Bearer {token}"}


def page_of(at: str) -> str:
    return at.replace("/api/evenings", "/evening")


def refusal(answer: Any) -> tuple[int, str]:
    """Starlette's client has responses of its own."""
    return problem_code(answer)


def opened(client: TestClient, people: int = 0) -> tuple[str, Headers, list[Headers]]:
    """An evening's address, its host and its people."""
    made = client.post("/api/evenings", json={"name": "Tuesday"}).json()
    at = f"/api/evenings/{made['evening']}"
    tokens = [client.post(f"{at}/people", json={"name": f"Guest {n}"}).json()["token"] for n in range(people)]
    return at, by(made["token"]), [by(token) for token in tokens]


@pytest.fixture
def phone(client: TestClient, beside: Serve) -> TestClient:
    return beside(client)


def test_an_evening_by_its_pages(client: TestClient, phone: TestClient) -> None:
    """No script is needed: everything is a form."""
    assert "/evening" in client.get("/").text
    made = client.post("/evening", data={"name": "Tuesday", "clock": "45"})
    page = made.url.path
    assert re.fullmatch(r"/evening/\w{8}", page)
    assert 'value="draw" disabled' in made.text
    assert 'value="draw"' not in phone.get(page).text
    assert "You are on the list" in phone.post(page, data={"do": "come", "name": "Zoë"}).text
    at = f"/api{page.replace('evening', 'evenings')}"
    for name in ("Ada", "Ben"):
        client.post(f"{at}/people", json={"name": name}, headers={"cookie": ""})
    assert "Your table" not in phone.get(page).text
    assert "Table 1" in client.post(page, data={"do": "draw", "round": "1"}).text
    assert "Your table: 1" in phone.get(page).text
    table = phone.post(page, data={"do": "sit"})
    view = client.get(f"/api{table.url.path.replace('table', 'tables')}").json()
    assert (view["phase"], view["clock"]) == ("playing", 45)
    assert {player["name"] for player in view["players"]} == {"Zoë", "Ada", "Ben"}
    mine = phone.get(f"/api/tables/{view['table']}").json()["you"]
    assert view["players"][mine]["name"] == "Zoë"
    assert page in table.text  # the way back
    with_host = client.get(f"/table/{view['table']}").text
    assert page in with_host  # who is no player, but of the evening
    wall = client.get(f"{page}/wall").text
    assert "<button" not in wall.partition("<main")[2].partition("</main>")[0]
    assert "Zoë" in wall


def test_coming_a_thousand_times_is_coming_once(client: TestClient, phone: TestClient) -> None:
    at, _, _ = opened(client)
    page = page_of(at)
    for n in range(3):
        phone.post(page, data={"do": "come", "name": f"Zoë {n}"})
    assert [each["name"] for each in client.get(at).json()["people"]] == ["Zoë 0"]
    token = "x" * 43
    for _ in range(3):  # the same form, sent again before the answer was there
        phone.cookies.clear()
        phone.post(page, data={"do": "come", "name": "Ada", "token": token})
    assert [each["name"] for each in client.get(at).json()["people"]] == ["Zoë 0", "Ada"]


def test_a_flood_of_names_ends_soon_and_the_host_clears_it(serve: Serve) -> None:
    with serve(limits=Limits()) as client:
        at, host, _ = opened(client)
        flood = [client.post(f"{at}/people", json={"name": "Flood"}).status_code for _ in range(ARRIVALS + 20)]
        assert flood.count(201) in (ARRIVALS, ARRIVALS + 1)
        assert {*flood} == {201, 429}
        assert client.get(at).status_code == 200
        assert client.put(f"{at}/door", json={"open": False}, headers=host).status_code == 200
        held = {"cookie": f"seat-evening-{at[-8:]}={host['authorization'].removeprefix('Bearer ')}"}
        numbers = [str(n) for n in range(flood.count(201))]
        answer = client.post(page_of(at), data={"do": "remove", "person": numbers}, headers=held)
        assert "Flood" not in answer.text
        assert {each["mark"] for each in client.get(at).json()["people"]} == {"removed"}


def test_a_name_is_text(client: TestClient) -> None:
    """Of the evening as of its people."""
    names = ("<script>alert()</script>", '"><img src=x>', "</title><b>", "{{ 7 * 7 }}")
    for name in names:
        page = client.post("/evening", data={"name": name}).url.path
        for person in names:
            client.post(
                f"/api{page.replace('evening', 'evenings')}/people", json={"name": person}, headers={"cookie": ""}
            )
        client.post(page, data={"do": "draw", "round": "1"})
        for looked in (page, f"{page}/wall"):
            text = client.get(looked).text
            shown = unescape(text)
            assert not re.search("<script>alert|<img src=x|</title><b>", text)
            assert [person for person in names if person not in shown] == []


def test_only_the_host_has_tools(client: TestClient, phone: TestClient) -> None:
    at, _, guests = opened(client, 4)
    table = NOWHERE
    for headers, expected in (
        ({}, (401, "no-token")),
        (guests[0], (403, "not-host")),
        (by("x" * 43), (403, "not-host")),
    ):
        for method, path, body in (
            ("POST", "rounds", {"round": 1}),
            ("PUT", "door", {"open": False}),
            ("PUT", "people/1", {"mark": "away"}),
            ("PUT", "people/1", {"mark": "removed"}),
            ("PUT", "people/0/host", None),
            ("PUT", f"tables/{table}", {"counts": False}),
        ):
            assert refusal(client.request(method, f"{at}/{path}", json=body, headers=headers)) == expected
    page = page_of(at)
    for data in (
        {"do": "draw", "round": "1"},
        {"do": "close"},
        {"do": "remove", "person": "1"},
        {"do": "away", "person": "0"},
    ):
        assert phone.post(page, data=data).status_code == 403
    assert client.get(at).json()["seq"] == 5
    assert client.put(f"{at}/people/0", json={"mark": "away"}, headers=guests[0]).status_code == 200
    assert refusal(client.put(f"{at}/people/9", json={"mark": "away"}, headers=guests[0])) == (
        404,
        "no-such-person",
    )


def test_the_host_s_phone_hosts_too(client: TestClient, phone: TestClient) -> None:
    page = client.post("/evening", data={"name": "Tuesday"}).url.path
    phone.post(page, data={"do": "come", "name": "Zoë"})
    assert 'value="draw"' not in phone.get(page).text
    client.post(page, data={"do": "host", "person": "0"})
    assert 'value="draw"' in phone.get(page).text
    assert phone.post(page, data={"do": "close"}).status_code == 200


def test_a_round_is_drawn_once_and_nobody_sits_twice(client: TestClient) -> None:
    at, host, guests = opened(client, 7)
    assert client.post(f"{at}/rounds", json={"round": 1}, headers=host).status_code == 201
    assert refusal(client.post(f"{at}/rounds", json={"round": 1}, headers=host)) == (409, "round-drawn")
    assert refusal(client.post(f"{at}/rounds", json={"round": 2}, headers=host)) == (409, "round-not-over")
    assert refusal(client.post(f"{at}/rounds", json={"round": 0}, headers=host)) == (409, "round-drawn")
    evening = client.get(at, headers=guests[0]).json()
    seated = [each["person"] for table in evening["rounds"][0] for each in table["people"]]
    assert sorted(seated) == list(range(7))
    assert (evening["you"], evening["host"]) == (0, False)
    mine, other = sorted(evening["rounds"][0], key=lambda t: 0 not in [each["person"] for each in t["people"]])
    assert "you" in client.get(f"/api/tables/{mine['table']}", headers=guests[0]).json()
    assert client.get(f"/api/tables/{other['table']}", headers=guests[0]).json()["you"] is None
    full = client.post(f"/api/tables/{other['table']}/seats", json={"name": "Guest 0"}, headers=guests[0])
    assert refusal(full)[0] == 409


def test_a_table_of_elsewhere_has_no_result_here(client: TestClient) -> None:
    at, host, _ = opened(client, 3)
    foreign = client.post("/api/tables", json={"name": "Ada", "seats": 3}).json()["table"]
    for table in (foreign, NOWHERE, "x"):
        answer = client.put(f"{at}/tables/{table}", json={"counts": True}, headers=host)
        assert answer.status_code == 404
    assert client.get(at).json()["standings"] == []


def test_what_cannot_be_read_is_refused(client: TestClient) -> None:
    too_long = client.post("/evening", data={"name": "x" * 25})
    assert (too_long.status_code, "24" in too_long.text) == (400, True)
    page = client.post("/evening", data={"name": "Tuesday"}).url.path
    for body in ({}, {"name": 1}, {"name": "A", "terms": {"clock": 7}}, {"name": "A", "host": "me"}):
        assert client.post("/api/evenings", json=body).status_code == 400
    for data in ({}, {"do": "dance"}, {"do": "draw"}, {"do": "draw", "round": "x"}, {"do": "host", "person": "x"}):
        assert client.post(page, data=data).status_code == 400


def test_a_token_of_one_s_own_making_is_none(client: TestClient) -> None:
    """A program gets its token from us, so that nobody plays under "a"."""
    at, _, _ = opened(client)
    for token in ("a", "x" * 42, "x" * 44, "x" * 63):
        assert client.post(f"{at}/people", json={"name": "Ada"}, headers=by(token)).json()["token"] != token


def test_files_for_a_spreadsheet(client: TestClient) -> None:
    at, _, _ = opened(client, 3)
    for name in ("results", "standings"):
        answer = client.get(f"{at}/{name}.csv")
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}-{at[-8:]}.csv"'
        assert answer.content.startswith(b"\xef\xbb\xbf")


def test_nobody_at_a_drawn_table_is_its_host_and_no_stranger_sits_down(client: TestClient) -> None:
    at, host, guests = opened(client, 4)
    client.post(f"{at}/rounds", json={"round": 1}, headers=host)
    (table,) = client.get(at).json()["rounds"][0]
    seats = f"/api/tables/{table['table']}"
    assert client.get(seats).json()["host"] is None
    client.put(f"{at}/people/3", json={"mark": "away"}, headers=guests[3])  # a seat that could be taken elsewhere
    assert client.post(f"{seats}/seats", json={"name": "Stranger", "seat": 3}).status_code == 409
    before = client.get(seats).json()
    for guest in (*guests[:3], host):
        for who in range(4):
            assert client.delete(f"{seats}/people/{who}", headers=guest).status_code in (403, 409)
            assert client.delete(f"{seats}/seats/{who}", headers=guest).status_code in (403, 409)
        assert client.put(f"{seats}/lock", json={"locked": False}, headers=guest).status_code == 403
    assert client.get(seats).json() == before


def test_a_host_opens_no_more_tables_than_anybody_else(serve: Serve) -> None:
    """Who draws and leaves out, and draws again, with guests of their own making."""
    with serve(limits=replace(Limits.lifted(), unfinished=5)) as client:
        at, host, _ = opened(client, 7)
        for number in (1, 2, 3):
            assert client.post(f"{at}/rounds", json={"round": number}, headers=host).status_code == 201
            for table in client.get(at).json()["rounds"][-1]:
                client.put(f"{at}/tables/{table['table']}", json={"counts": False}, headers=host)
        assert refusal(client.post(f"{at}/rounds", json={"round": 4}, headers=host)) == (429, "too-many-tables")
        assert refusal(client.post("/api/tables", json={"name": "Ada"})) == (429, "too-many-tables")


def test_the_way_back_from_the_home_page(client: TestClient, phone: TestClient) -> None:
    """For the host and for who is on the list, for a day after something last happened there."""
    made = client.post("/evening", data={"name": "Tuesday"}, follow_redirects=False).headers["location"]
    back = f'href="{made}">Back to your evening</a>'
    assert back in client.get("/").text
    assert back not in phone.get("/").text
    phone.post(made, data={"do": "come", "name": "Zoë"})
    assert back in phone.get("/").text
    client.post(made, data={"do": "remove", "person": "0"})
    assert back not in phone.get("/").text
    clock = client.app.state.context.service  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as later:
        later.setattr(clock, "now", lambda now=clock.now: now() + 24 * 3600)
        assert back not in client.get("/").text
    assert back in client.get("/").text

"""The JSON API of a really running server."""

import contextlib
import json
import sqlite3
import time

import pytest
from harness.answers import problem_code
from harness.servers import Server, opened, play_on

from illusion.deck import PALETTES


def test_a_whole_game_over_the_api(server: Server) -> None:
    seats = opened(server, 3)
    waiting = seats[1].view()
    assert (waiting["phase"], waiting["you"], waiting["seats"]) == ("waiting", 1, 3)
    assert [player["name"] for player in waiting["players"]] == ["Ana", "Bob", "Cleo"]
    assert seats[0].post("start").json() == {"seq": waiting["seq"] + 1}
    view = seats[2].view()
    assert view["phase"] == "playing"
    assert len(view["commitment"]) == 64
    assert view["secret"] is None
    assert (view["round"], len(view["row"]), view["cards_left"], view["over"]) == (1, 1, 97, False)
    end = play_on(seats)
    assert end["over"]
    assert len(end["winners"]) == 1
    assert len(end["arrows_won"][end["winners"][0]]) == 3
    assert set(end["secret"]) == {"seed", "nonce", "generator"}


def test_bots_play_along(server: Server) -> None:
    (seat,) = opened(server, 3, bots=["keen", "eagle-eye"])
    seat.post("start")
    view = seat.view()
    for _ in range(3000):
        if view["over"]:
            break
        if view["to_play"] == 0:
            answer = seat.doubt(view["seq"]) if len(view["row"]) > 3 else seat.place(0, view["seq"])
            assert answer.status_code in (200, 409)
        view = seat.view()
    assert view["over"]


def test_opening_a_table_gives_a_seat_and_an_address(server: Server) -> None:
    with server.client() as client:
        answer = client.post("/api/tables", json={"name": "Ana", "seats": 2, "clock": 45, "variant": "twelve-rounds"})
        assert answer.status_code == 201
        body = answer.json()
        assert body["seat"] == 0
        assert body["url"] == f"{server.url}/table/{body['table']}"
        assert len(body["token"]) >= 22
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        view = client.get(f"/api/tables/{body['table']}").json()  # the cookie alone is enough
        assert (view["you"], view["clock"], view["variant"]) == (0, 45, "twelve-rounds")
    assert "you" not in server.client().get(f"/api/tables/{body['table']}").json()


def test_every_refusal_has_its_status_and_code(server: Server) -> None:
    host, guest = opened(server, 2)
    with server.client() as nobody, server.client("not-a-token") as stranger:
        at = f"/api/tables/{host.table}"
        assert problem_code(nobody.post("/api/tables", content=b"{")) == (400, "unparsable")
        assert problem_code(nobody.post("/api/tables", content=b'{"bots":' + b"[" * 9000)) == (400, "unparsable")
        assert problem_code(nobody.post("/api/tables", json={"name": "A", "colour": "pink"})) == (400, "unparsable")
        assert problem_code(nobody.post("/api/tables", json={"name": "", "seats": 2})) == (400, "bad-name")
        assert problem_code(nobody.post("/api/tables", json={"name": "A", "seats": 9})) == (400, "bad-seats")
        assert problem_code(nobody.post("/api/tables", json={"name": "A", "clock": 7})) == (400, "bad-clock")
        assert problem_code(nobody.post("/api/tables", json={"name": "A", "bots": ["genius"]})) == (
            400,
            "unknown-level",
        )
        assert problem_code(nobody.post("/api/tables", content=b" " * 20_000)) == (413, "too-large")
        assert problem_code(nobody.get("/api/tables/nowhere1")) == (404, "no-such-table")
        assert problem_code(nobody.get("/api/nothing")) == (404, "not-found")
        assert problem_code(nobody.put("/api/tables")) == (405, "method-not-allowed")
        assert problem_code(nobody.post(f"{at}/start")) == (401, "no-token")
        assert problem_code(stranger.post(f"{at}/start")) == (403, "not-seated")
        assert problem_code(guest.post("start")) == (403, "not-host")
        assert problem_code(nobody.post(f"{at}/seats", json={"name": "Eve"})) == (409, "table-full")
        assert problem_code(host.place(0, host.view()["seq"])) == (409, "not-playing")
        assert problem_code(host.post("rematch")) == (409, "not-over")
        assert problem_code(nobody.get(f"{at}/record")) == (409, "not-over")
        assert problem_code(nobody.get(f"{at}/review")) == (409, "not-over")
        assert problem_code(nobody.get("/api/tables/nowhere1/review")) == (404, "no-such-table")
        assert problem_code(host.client.delete(f"{at}/bots/1")) == (409, "no-bot-there")
        assert problem_code(nobody.get(f"{at}/events", headers={"last-event-id": "x"})) == (400, "unparsable")
        foreign = nobody.post(f"{at}/start", headers={"origin": "http://elsewhere.example"})
        assert problem_code(foreign) == (403, "foreign-origin")

        host.post("start")
        view = host.view()
        first, other = (host, guest) if view["to_play"] == 0 else (guest, host)
        assert problem_code(nobody.post(f"{at}/seats", json={"name": "Eve"})) == (409, "already-started")
        assert problem_code(other.place(0, view["seq"])) == (409, "not-your-turn")
        assert problem_code(first.doubt(view["seq"])) == (409, "nothing-to-doubt")
        assert problem_code(first.place(7, view["seq"])) == (409, "gap-out-of-range")
        assert problem_code(first.place(0, view["seq"] - 1)) == (409, "stale")
        assert problem_code(first.post("moves", {"move": "place", "seq": view["seq"]})) == (400, "unparsable")
        assert problem_code(first.post("moves", {"move": "dance", "seq": view["seq"]})) == (400, "unparsable")
        assert host.view() == view  # nothing was lost or changed by all this


def test_an_empty_deck_leaves_only_the_doubt(server: Server) -> None:
    seats = opened(server, 2)
    seq = seats[0].post("start").json()["seq"]
    to_play = seats[0].view()["to_play"]
    for turn in range(97):
        seq = seats[(to_play + turn) % 2].place(0, seq).json()["seq"]
    assert problem_code(seats[(to_play + 97) % 2].place(0, seq)) == (409, "deck-empty")
    end = seats[(to_play + 97) % 2].doubt(seq)
    assert end.status_code == 200
    assert seats[0].view()["phase"] == "over"


def test_a_forgotten_table_is_closed_and_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    impatient = Server(tmp_path_factory.mktemp("impatient"), "--idle-hours", "0.0005")
    try:
        (host, _) = opened(impatient, 2)
        for _ in range(300):
            if host.view()["phase"] == "closed":
                break
            time.sleep(0.1)
        assert problem_code(host.post("start")) == (409, "table-closed")
        assert host.client.get(f"/table/{host.table}").status_code == 200
    finally:
        impatient.stop()


def test_a_table_for_one_is_not_dealt(server: Server) -> None:
    host, guest = opened(server, 2)
    guest.client.delete(f"/api/tables/{host.table}/seats/me")
    assert problem_code(host.post("start")) == (409, "too-few-players")


def test_too_many_tables_from_one_address_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    strict = Server(tmp_path_factory.mktemp("strict"), "--tables-a-minute", "3")
    try:
        with strict.client() as client:
            made = [client.post("/api/tables", json={"name": "A", "seats": 2}) for _ in range(4)]
        assert [answer.status_code for answer in made] == [201, 201, 201, 429]
        assert problem_code(made[-1]) == (429, "too-many")
    finally:
        strict.stop()


def test_the_stream_gives_every_event_its_number_and_goes_on_from_the_last_one_seen(server: Server) -> None:
    seats = opened(server, 2)
    seats[0].post("start")
    end = play_on(seats)

    def numbers(after: str) -> list[int]:
        heard: list[int] = []
        headers = {"last-event-id": after}
        with seats[0].client.stream("GET", f"/api/tables/{seats[0].table}/events", headers=headers) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            for line in stream.iter_lines():
                if line.startswith("id: "):
                    heard.append(int(line[4:]))
                elif line.startswith("data: "):
                    assert json.loads(line[6:])["seq"] == heard[-1]
                    if heard[-1] == end["seq"]:
                        return heard
        raise AssertionError("the stream ended early")

    assert numbers("0") == list(range(1, end["seq"] + 1))
    assert numbers("5") == list(range(6, end["seq"] + 1))


def test_pictures_are_served_once_visible_and_cached_for_ever(server: Server) -> None:
    seats = opened(server, 2)
    seats[0].post("start")
    view = seats[0].view()
    with server.client() as client:
        for address in (view["row"][0], view["next_card"]):
            answer = client.get(f"/cards/{address}.svg")
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("image/svg+xml")
            assert "immutable" in answer.headers["cache-control"]
        for palette in PALETTES:
            assert client.get(f"/cards/{view['next_card']}.svg?palette={palette}").status_code == 200
        assert problem_code(client.get(f"/cards/{view['next_card']}.svg?palette=pink")) == (400, "unparsable")
        assert problem_code(client.get(f"/cards/{seats[0].table}{'0' * 32}.svg")) == (404, "not-found")
        assert problem_code(client.get("/cards/nowhere1.svg")) == (404, "not-found")


def test_a_rematch_takes_everybody_along(server: Server) -> None:
    seats = opened(server, 2)
    seats[0].post("start")
    play_on(seats)
    again = seats[1].post("rematch").json()["table"]
    assert seats[0].view()["rematch"] == again
    assert seats[0].post("rematch").json()["table"] == again
    view = seats[0].client.get(f"/api/tables/{again}").json()
    assert (view["you"], view["phase"], len(view["players"])) == (0, "waiting", 2)


def test_responses_have_security_headers(server: Server) -> None:
    headers = server.client().get("/api/openapi.json").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_a_failed_write_is_a_clear_error_and_loses_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Somebody else holds the database for longer than the writer waits."""
    hindered = Server(tmp_path_factory.mktemp("hindered"))
    try:
        host, _ = opened(hindered, 2)
        before = host.view()
        with contextlib.closing(sqlite3.connect(hindered.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert problem_code(host.post("start")) == (503, "store-failed")
            other.execute("ROLLBACK")
        assert host.view() == before
        assert host.post("start").status_code == 200
    finally:
        hindered.stop()

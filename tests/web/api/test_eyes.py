"""My eyes over the API: what a device sends is all there is, and nothing else about anybody is kept."""

import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness.answers import problem_code
from harness.servers import Seat, Server, opened, play_on
from harness.siege.inside import serving

from illusion.review.own_eyes import NEEDED
from illusion.tables.public.seats_code import HeldSeat, read_seats_code, seats_code
from illusion.web import Limits


def over(server: Server) -> Seat:
    seats = opened(server, 2)
    seats[0].post("start")
    play_on(seats)
    return seats[0]


def until_reckoned(client: httpx.Client, body: dict[str, Any]) -> dict[str, Any]:
    """Ask as the answer says, and look at every progress."""
    before = 0
    while (answer := client.post("/api/eyes", json=body)).status_code == 202:
        told = answer.json()
        assert answer.headers["retry-after"] == "1"
        assert told["eyes"] is None
        assert before <= told["progress"]["done"] < told["progress"]["of"]
        before = told["progress"]["done"]
        time.sleep(0.05)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    assert found["progress"] is None
    return found


def test_the_eyes_of_somebody_who_played_several_games(server: Server) -> None:
    tables = [over(server).table for _ in range(8)]
    with server.client() as client:
        few = until_reckoned(client, {"seats": [[tables[0], 0]]})
        assert few["eyes"]["needed"] == NEEDED - few["eyes"]["placements"] > 0
        assert few["eyes"]["w"] is None
        assert read_seats_code(few["code"]) == [HeldSeat(tables[0], 0)]
        others = [[table, 0] for table in tables[1:]]
        all_of_it = until_reckoned(client, {"code": few["code"], "seats": [*others, *others, [tables[0], 0]]})
        eyes = all_of_it["eyes"]
        assert eyes["games"] == 8  # none is counted twice
        assert eyes["placements"] >= NEEDED
        assert eyes["w"]["low"] <= eyes["w"]["figure"] <= eyes["w"]["high"]
        assert eyes["w"]["figure"] > 0.3  # who always places at the left is as good as blind
        assert until_reckoned(client, {"code": all_of_it["code"].upper()}) == all_of_it
        assert until_reckoned(client, {"code": all_of_it["code"], "seats": [[tables[3], 0]]}) == all_of_it
        assert until_reckoned(client, {"code": few["code"]}) == few


def test_what_does_not_count_is_named(server: Server) -> None:
    done = over(server)
    running = opened(server, 2)
    running[0].post("start")
    (bots,) = opened(server, 2, bots=["keen"])
    asked = [[done.table, 1], [done.table, 4], [running[0].table, 0], ["nwhere22", 0], [bots.table, 0]]
    with server.client() as client:
        told = until_reckoned(client, {"seats": asked})
    assert read_seats_code(told["code"]) == [HeldSeat(done.table, 1)]
    why = {(left["table"], left["seat"]): left["why"] for left in told["left_out"]}
    assert why == {
        (done.table, 4): "not-seated",
        (running[0].table, 0): "not-over",
        ("nwhere22", 0): "no-such-table",
        (bots.table, 0): "not-over",
    }


WITHOUT_0_AND_1 = str.maketrans("01", "xy")
"""Tables' names have neither."""


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"code": "hello"}, "bad-code"),
        ({"code": seats_code([HeldSeat("abcdefgh", 0)])[:-1]}, "bad-code"),
        ({"seats": [["ABC", 0]]}, "bad-code"),
        ({"seats": [["abcdefgh", 5]]}, "bad-code"),
        ({"seats": [["abcdefgh", -1]]}, "bad-code"),
        ({"seats": [["abcdefgh"]]}, "unparsable"),
        ({"seats": "abcdefgh"}, "unparsable"),
        ({"eyes": 1}, "unparsable"),
        ({"seats": None}, "unparsable"),
        ({"code": 5}, "unparsable"),
        ({"seats": [["abcdefgh", 0.5]]}, "unparsable"),
        ({"seats": [["abcdefgh", True]]}, "unparsable"),
        ({"seats": [["abcdefgh", 10**30]]}, "bad-code"),
        ({"seats": [["\0bcdefgh", 0]]}, "bad-code"),
        ({"code": "e2" + seats_code([HeldSeat("abcdefgh", 0)])[2:]}, "bad-code"),
        ({"code": "e" + "\uff11"}, "bad-code"),
        ({"code": "e1" + "a" * 9000}, "bad-code"),
        ({"seats": [[f"abcde{number:03}".translate(WITHOUT_0_AND_1), 0] for number in range(1000)]}, "bad-code"),
    ],
)
def test_what_cannot_be_read_gets_one_sentence(server: Server, body: dict[str, Any], code: str) -> None:
    with server.client() as client:
        assert problem_code(client.post("/api/eyes", json=body)) == (400, code)


def test_two_who_ask_at_once_get_the_same_and_it_is_reckoned_once(server: Server) -> None:
    table = over(server).table
    with server.client() as one, server.client() as other:
        body = {"seats": [[table, 0]]}
        assert one.post("/api/eyes", json=body).status_code == 202
        assert other.post("/api/eyes", json=body).status_code == 202
        assert until_reckoned(one, body) == until_reckoned(other, body)


def test_no_seats_have_no_figures(server: Server) -> None:
    with server.client() as client:
        told = until_reckoned(client, {})
    assert (told["eyes"]["games"], told["eyes"]["needed"], told["left_out"]) == (0, NEEDED, [])
    assert read_seats_code(told["code"]) == []


async def test_tables_cannot_be_guessed_at_by_the_hundred(tmp_path: Path) -> None:
    """M1"""
    async with serving(tmp_path, Limits(misses=10)) as inside:
        guest = inside.guest(rounds=0)
        body = {"seats": [[f"nwhere2{number}", 0] for number in range(2, 10)]}
        answers = [await guest.ask("POST", "/api/eyes", body=body) for _ in range(10)]
        await guest.leave()
    statuses = [answer.status for answer in answers]
    assert set(statuses[:1]) <= {200, 202}
    assert statuses[3:] == [429] * 7

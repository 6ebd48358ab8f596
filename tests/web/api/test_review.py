"""The review of a finished game over the API: reckoned elsewhere, once, with progress until then."""

import time
from pathlib import Path

import httpx
from harness.servers import Seat, Server, opened, play_on


def over(server: Server) -> Seat:
    seats = opened(server, 3)
    seats[0].post("start")
    play_on(seats)
    return seats[0]


def until_reckoned(seat: Seat) -> httpx.Response:
    """Ask as the answer says, and look at every progress."""
    before = 0
    while (answer := seat.client.get(f"/api/tables/{seat.table}/review")).status_code == 202:
        progress = answer.json()
        assert answer.headers["retry-after"] == "1"
        assert before <= progress["done"] <= progress["of"]
        before = progress["done"]
        time.sleep(0.05)
    return answer


def test_a_finished_game_is_reviewed(server: Server) -> None:
    seat = over(server)
    first = seat.client.get(f"/api/tables/{seat.table}/review")
    assert first.status_code == 202
    answer = until_reckoned(seat)
    assert answer.status_code == 200
    found = answer.json()
    moves = [move["seat"] for move in seat.client.get(f"/api/tables/{seat.table}/record").json()["moves"]]
    assert [decision["seat"] for decision in found["decisions"]] == moves
    assert [seat["seat"] for seat in found["seats"]] == [0, 1, 2]
    for decision in found["decisions"]:
        assert (
            decision["eye"] + decision["judgement"] + decision["luck"] == decision["after"] - decision["before"]
        )  # exactly, in a reader's floating point too
    assert len(found["turning_points"]) <= 3
    assert until_reckoned(seat).content == answer.content
    assert server.client().get(f"/api/tables/{seat.table}/review").content == answer.content  # anybody may look


def test_after_a_restart_it_is_reckoned_again(tmp_path: Path) -> None:
    server = Server(tmp_path)
    seat = over(server)
    first = until_reckoned(seat).json()
    server.kill()
    server.start()
    again = Seat(server, seat.table, seat.token)
    assert until_reckoned(again).json() == first
    assert server.stop() == 0

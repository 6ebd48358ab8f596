"""The review of a finished game and one's own eyes over the API: reckoned elsewhere, once, with progress until then."""

import time
from typing import Any

import httpx
import pytest
from harness.answers import problem_code
from harness.servers import Seat, Server, opened, play_on

from illusion.review.own_eyes import NEEDED
from illusion.tables.eyes import HeldSeat, read_seats_code, seats_code


def over(server: Server) -> Seat:
    seats = opened(server, 2)
    seats[0].post("start")
    play_on(seats)
    return seats[0]


def reckoned(client: httpx.Client, path: str, body: object = None) -> dict[str, Any]:
    """Ask as the answer says, and look at every progress."""
    before = 0
    while (answer := client.request("GET" if body is None else "POST", path, json=body)).status_code == 202:
        progress = answer.json().get("progress", answer.json())
        assert answer.headers["retry-after"] == "1"
        assert before <= progress["done"] <= progress["of"]
        before = progress["done"]
        time.sleep(0.05)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_finished_game_is_reviewed(server: Server) -> None:
    seat = over(server)
    path = f"/api/tables/{seat.table}"
    assert seat.client.get(f"{path}/review").status_code == 202
    found = reckoned(seat.client, f"{path}/review")
    moves = [move["seat"] for move in seat.client.get(f"{path}/record").json()["moves"]]
    assert [decision["seat"] for decision in found["decisions"]] == moves
    for decision in found["decisions"]:
        assert (
            decision["eye"] + decision["judgement"] + decision["luck"] == decision["after"] - decision["before"]
        )  # exactly, in a reader's floating point too
    assert {**reckoned(server.client(), f"{path}/review"), "sentences": found["sentences"]} == found  # anybody may look
    for what in ("record", "replay", "review"):
        assert seat.client.get(f"{path}/{what}").headers["cache-control"] == "no-store"


def test_who_played_is_told_what_you_did_and_others_what_they_did(server: Server) -> None:
    seat = over(server)
    path, you = f"/api/tables/{seat.table}/review", seat.view()["you"]
    told, others = (reckoned(client, path) for client in (seat.client, server.client()))
    names = [player["name"] for player in seat.view()["players"]]
    for point, mine, theirs in zip(told["turning_points"], told["sentences"], others["sentences"], strict=True):
        assert theirs.startswith(f"{names[point['seat']]} ")
        assert mine == (f"You {theirs.split(' ', 1)[1]}" if point["seat"] == you else theirs)
    assert {**told, "sentences": []} == {**others, "sentences": []}


def eyes(server: Server, body: object) -> dict[str, Any]:
    return reckoned(server.client(), "/api/eyes", body)


def test_the_eyes_of_somebody_who_played_two_games(server: Server) -> None:
    one, other = (over(server).table for _ in range(2))
    few = eyes(server, {"seats": [[one, 0]]})
    assert few["progress"] is None
    assert few["eyes"]["needed"] == NEEDED - few["eyes"]["placements"] > 0
    assert few["eyes"]["w"] is None
    assert read_seats_code(few["code"]) == [HeldSeat(one, 0)]
    both = eyes(server, {"code": few["code"], "seats": [[other, 0], [other, 0], [one, 0]]})
    assert both["eyes"]["games"] == 2  # none is counted twice
    assert eyes(server, {"code": both["code"].upper(), "seats": [[one, 0]]}) == both
    assert eyes(server, {"code": few["code"]}) == few


def test_what_does_not_count_is_named(server: Server) -> None:
    done = over(server)
    running = opened(server, 2)
    running[0].post("start")
    told = eyes(server, {"seats": [[done.table, 1], [done.table, 4], [running[0].table, 0], ["nwhere22", 0]]})
    assert read_seats_code(told["code"]) == [HeldSeat(done.table, 1)]
    assert {(left["table"], left["seat"]): left["why"] for left in told["left_out"]} == {
        (done.table, 4): "not-seated",
        (running[0].table, 0): "not-over",
        ("nwhere22", 0): "no-such-table",
    }
    nothing = eyes(server, {})
    assert (nothing["eyes"]["games"], nothing["eyes"]["needed"], nothing["left_out"]) == (0, NEEDED, [])


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"code": "hello"}, "bad-code"),
        ({"code": seats_code([HeldSeat("abcdefgh", 0)])[:-1]}, "bad-code"),
        *(({"seats": [seat]}, "bad-code") for seat in (["ABC", 0], ["abcdefgh", 5], ["abcdefgh", -1])),
        *(({"seats": [seat]}, "bad-code") for seat in (["abcdefgh", 10**30], ["\0bcdefgh", 0])),
        *(({"seats": [seat]}, "unparsable") for seat in (["abcdefgh"], ["abcdefgh", 0.5], ["abcdefgh", True])),
        *(({"seats": seats}, "unparsable") for seats in ("abcdefgh", None)),
        ({"eyes": 1}, "unparsable"),
        ({"code": 5}, "unparsable"),
        ({"code": "e1" + "a" * 9000}, "bad-code"),
        ({"seats": [["".join("abcdefghjk"[int(digit)] for digit in f"{n:08}"), 0] for n in range(1000)]}, "bad-code"),
    ],
)
def test_what_cannot_be_read_gets_one_sentence(server: Server, body: dict[str, Any], code: str) -> None:
    assert problem_code(server.client().post("/api/eyes", json=body)) == (400, code)


def guessed_at(seat: Seat) -> list[tuple[str, int, int]]:
    """For every card that others of a finished game laid: its address, its share of the arrow's colour, our seat."""
    mine = seat.view()["you"]
    told = seat.client.get(f"/api/tables/{seat.table}/record").json()
    doubts = [each for move in told["moves"] for each in move["happened"] if each["event"] == "row-doubted"]
    turned = [(card, doubt["arrow"]) for doubt in doubts for card in doubt["row"]]
    return [
        (card["card"], card["shares"][arrow], mine) for card, arrow in turned if card["placed_by"] not in (None, mine)
    ]


def test_guesses_stand_beside_the_truth(server: Server) -> None:
    seat = over(server)
    cards = guessed_at(seat)
    guesses = [[card, mine, min(share + 3, 60)] for card, share, mine in cards]
    seats = [[seat.table, cards[0][2]]]
    told = eyes(server, {"seats": seats, "guesses": guesses})
    assert told["guesses"]["count"] == len(cards)
    assert told["guesses"]["off"] == 3.0
    assert told["eyes"] == eyes(server, {"seats": seats})["eyes"]  # the figure is that of the placements
    assert told["guesses"] == eyes(server, {"seats": seats, "guesses": [*guesses[:1], *guesses]})["guesses"]


def test_guesses_that_do_not_count(server: Server) -> None:
    """At one's own cards, for another's seat, at cards that there are not, at a game that is not over."""
    seat, running = over(server), opened(server, 2)
    running[0].post("start")
    others = guessed_at(seat)
    mine = others[0][2]
    own = [card for card in every_card(seat) if card not in {each[0] for each in others}]
    view = running[0].view()
    seats = [[seat.table, mine], [running[0].table, view["you"]]]
    wrong = [
        *([card, mine, 20] for card in own),
        *([card, 1 - mine, 20] for card, _, _ in others),
        *([each, view["you"], 20] for each in (*view["row"], view["next_card"])),
        *([seat.table + token, mine, 20] for token in ("", "nothing", "../../..", "x" * 9000)),
        ["", mine, 20],
        [others[0][0], -7, 20],
        [others[0][0], 10**12, 20],
    ]
    told = eyes(server, {"seats": seats, "guesses": wrong})
    assert told["guesses"] == {"count": 0, "off": None, "larger": None, "colours": []}
    assert [each["why"] for each in told["left_out"]] == ["not-over"]


def every_card(seat: Seat) -> list[str]:
    moments = seat.client.get(f"/api/tables/{seat.table}/replay").json()
    return list(moments["shares"])


def test_guesses_count_for_nothing_where_the_table_had_none(server: Server) -> None:
    seats = opened(server, 2, guesses=False)
    seats[0].post("start")
    play_on(seats)
    cards = guessed_at(seats[0])
    told = eyes(
        server, {"seats": [[seats[0].table, 0], [seats[0].table, 1]], "guesses": [list(each) for each in cards]}
    )
    assert told["guesses"]["count"] == 0


@pytest.mark.parametrize(
    "guesses",
    [
        '[["a",0,61]]',
        '[["a",0,-1]]',
        '[["a",0,1.5]]',
        '[["a",0,NaN]]',
        '[["a",0,"20"]]',
        '[["a",0]]',
        '[["a",0,20,20]]',
        "[[null,0,20]]",
        '{"a":20}',
        "[" + ",".join(['["a",0,20]'] * 201) + "]",
        "[" + ",".join(['["a",0,20]'] * 10_000) + "]",
    ],
    ids=lambda guesses: guesses[:20],
)
def test_guesses_that_cannot_be_are_refused(server: Server, guesses: str) -> None:
    headers = {"content-type": "application/json"}
    answer = server.client().post("/api/eyes", content=f'{{"guesses": {guesses}}}', headers=headers)
    assert answer.status_code in (400, 413)

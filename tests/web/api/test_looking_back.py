"""The review of a finished game and one's own eyes over the API: reckoned elsewhere, once, with progress until then."""

import time
from typing import Any

import msgspec
import pytest
from harness.answers import problem_code
from harness.servers import Seat, Server, opened, play_on

from illusion.review.own_eyes import NEEDED
from illusion.tables.eyes import HeldSeat, read_seats_code, seats_code


def over(server: Server, **options: object) -> Seat:
    seats = opened(server, 2, **options)
    seats[0].post("start")
    play_on(seats)
    return seats[0]


@pytest.fixture(scope="module")
def ended(server: Server) -> Seat:
    return over(server)


@pytest.fixture
def done(server: Server, ended: Seat) -> Seat:
    """A player of a game that is over."""
    return Seat(server, ended.table, ended.token)


@pytest.fixture
def running(server: Server) -> Seat:
    seats = opened(server, 2)
    seats[0].post("start")
    return seats[0]


def reckoned(server: Server, path: str, body: object = None, *, token: str | None = None) -> dict[str, Any]:
    """Ask as the answer says, and look at every progress."""
    before, client = 0, server.client(token)
    while (answer := client.request("GET" if body is None else "POST", path, json=body)).status_code == 202:
        progress = answer.json().get("progress", answer.json())
        assert answer.headers["retry-after"] == "1"
        assert before <= progress["done"] <= progress["of"]
        before = progress["done"]
        time.sleep(0.05)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def eyes(server: Server, **body: object) -> dict[str, Any]:
    return reckoned(server, "/api/eyes", body)


def test_a_finished_game_is_reviewed_for_anybody_and_who_played_is_told_what_you_did(server: Server) -> None:
    seat = over(server)
    path, view = f"/api/tables/{seat.table}", seat.view()
    assert seat.client.get(f"{path}/review").status_code == 202
    mine, others = (reckoned(server, f"{path}/review", token=token) for token in (seat.token, None))
    moves = [move["seat"] for move in seat.client.get(f"{path}/record").json()["moves"]]
    assert [decision["seat"] for decision in mine["decisions"]] == moves
    for each in mine["decisions"]:  # exactly, in a reader's floating point too
        assert each["eye"] + each["judgement"] + each["luck"] == each["after"] - each["before"]
    for what in ("record", "replay", "review"):
        assert seat.client.get(f"{path}/{what}").headers["cache-control"] == "no-store"
    for point, to_me, to_them in zip(mine["turning_points"], mine["sentences"], others["sentences"], strict=True):
        assert to_them.startswith(f"{view['players'][point['seat']]['name']} ")
        assert to_me == (f"You {to_them.split(' ', 1)[1]}" if point["seat"] == view["you"] else to_them)
    assert {**mine, "sentences": []} == {**others, "sentences": []}


def test_the_eyes_of_somebody_who_played_two_games(server: Server, done: Seat) -> None:
    one, other = done.table, over(server).table
    few = eyes(server, seats=[[one, 0]])
    assert few["progress"] is None
    assert few["eyes"]["needed"] == NEEDED - few["eyes"]["placements"] > 0
    assert few["eyes"]["w"] is None
    assert read_seats_code(few["code"]) == [HeldSeat(one, 0)]
    both = eyes(server, code=few["code"], seats=[[other, 0], [other, 0], [one, 0]])
    assert both["eyes"]["games"] == 2  # none is counted twice
    assert eyes(server, code=both["code"].upper(), seats=[[one, 0]]) == both
    assert eyes(server, code=few["code"]) == few


def test_what_does_not_count_is_named(server: Server, done: Seat, running: Seat) -> None:
    told = eyes(server, seats=[[done.table, 1], [done.table, 4], [running.table, 0], ["nwhere22", 0]])
    assert read_seats_code(told["code"]) == [HeldSeat(done.table, 1)]
    assert {(left["table"], left["seat"]): left["why"] for left in told["left_out"]} == {
        (done.table, 4): "not-seated",
        (running.table, 0): "not-over",
        ("nwhere22", 0): "no-such-table",
    }
    nothing = eyes(server)
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
        *(({"guesses": [["a", 0, share]]}, "unparsable") for share in (61, -1, 1.5, msgspec.Raw(b"NaN"), "20")),
        *(({"guesses": guesses}, "unparsable") for guesses in ([["a", 0]], [["a", 0, 20, 20]], {"a": 20})),
        ({"guesses": [[None, 0, 20]]}, "unparsable"),
        ({"guesses": [["a", 0, 20]] * 201}, "unparsable"),
        ({"guesses": [["a", 0, 20]] * 10_000}, "too-large"),
    ],
)
def test_what_cannot_be_read_gets_one_sentence(server: Server, body: dict[str, Any], code: str) -> None:
    answer = server.client().post("/api/eyes", content=msgspec.json.encode(body))
    assert problem_code(answer) == (413 if code == "too-large" else 400, code)


def guessed_at(seat: Seat) -> list[tuple[str, int, int]]:
    """For every card that others of a finished game laid: its address, our seat, its share of the arrow's colour."""
    mine = seat.view()["you"]
    told = seat.client.get(f"/api/tables/{seat.table}/record").json()
    doubts = [each for move in told["moves"] for each in move["happened"] if each["event"] == "row-doubted"]
    turned = [(card, doubt["arrow"]) for doubt in doubts for card in doubt["row"]]
    return [
        (card["card"], mine, card["shares"][arrow]) for card, arrow in turned if card["placed_by"] not in (None, mine)
    ]


def test_guesses_stand_beside_the_truth(server: Server, done: Seat) -> None:
    guesses = [[card, mine, min(share + 3, 60)] for card, mine, share in guessed_at(done)]
    seats = [[done.table, guesses[0][1]]]
    told = eyes(server, seats=seats, guesses=guesses)
    assert told["guesses"]["count"] == len(guesses)
    assert told["guesses"]["off"] == 3.0
    assert told["eyes"] == eyes(server, seats=seats)["eyes"]  # the figure is that of the placements
    assert told["guesses"] == eyes(server, seats=seats, guesses=[*guesses[:1], *guesses])["guesses"]


def test_guesses_that_do_not_count(server: Server, done: Seat, running: Seat) -> None:
    """At one's own cards, for another's seat, at cards that there are not, at a game that is not over or had none."""
    others, view = guessed_at(done), running.view()
    mine = others[0][1]
    every_card = done.client.get(f"/api/tables/{done.table}/replay").json()["shares"]
    without = over(server, guesses=False)
    wrong = [
        *([card, mine, 20] for card in every_card if card not in {each[0] for each in others}),
        *([card, 1 - mine, 20] for card, _, _ in others),
        *([each, view["you"], 20] for each in (*view["row"], view["next_card"])),
        *([done.table + token, mine, 20] for token in ("", "nothing", "../../..", "x" * 9000)),
        ["", mine, 20],
        [others[0][0], -7, 20],
        [others[0][0], 10**12, 20],
        *guessed_at(without),
    ]
    seats = [[done.table, mine], [running.table, view["you"]], [without.table, 0], [without.table, 1]]
    told = eyes(server, seats=seats, guesses=wrong)
    assert told["guesses"] == {"count": 0, "off": None, "larger": None, "colours": []}
    assert [each["why"] for each in told["left_out"]] == ["not-over"]

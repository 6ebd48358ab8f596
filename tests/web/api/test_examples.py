"""`examples/my_bot.py` and `examples/club_evening.py` at real servers; evenings on one that is killed, or on two."""

import re
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness.servers import Seat, Server, opened, play_on, until
from harness.sweeps import sweep

EXAMPLES = Path(__file__).parents[3] / "examples"


def my_bot(server: Server, table: str, name: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(EXAMPLES / "my_bot.py"), f"{server.url}/table/{table}", name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("variant", sweep(["first-to-three"], ["first-to-three", "twelve-rounds"]))
def test_it_plays_whole_games_among_bots(server: Server, variant: str) -> None:
    """The host deals and goes: there is no clock, so the game ends only if my bots make all their moves."""
    asked = {"name": "Ana", "seats": 4, "bots": ["keen"], "variant": variant}
    made = server.client().post("/api/tables", json=asked).json()
    host = Seat(server, made["table"], made["token"])
    names = ["Ada", "Bea"]
    processes = [my_bot(server, host.table, name) for name in names]
    try:
        until(lambda: len(host.view()["players"]) == 4)
        assert host.post("start").status_code == 200
        assert host.client.delete(f"/api/tables/{host.table}/seats/me").status_code == 200
        told = [process.communicate(timeout=240) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    assert [errors for _, errors in told] == ["", ""]
    end = host.view()
    assert end["over"]
    winners = [player["name"] for player in end["players"] if player["seat"] in end["winners"]]
    assert [said for said, _ in told] == ["I won.\n" if name in winners else "I did not win.\n" for name in names]
    assert [player["away"] for player in end["players"] if player["name"] in names] == [False, False]


def test_it_says_why_it_cannot_play(server: Server) -> None:
    full = opened(server, 2)[0].table
    told = [my_bot(server, table, "Ada").communicate(timeout=120) for table in (full, "nowhere1")]
    assert told == [
        ("", "All seats at this table are taken.\n"),
        ("", "There is no such table. Check the code and try again.\n"),
    ]
    with subprocess.Popen([sys.executable, str(EXAMPLES / "my_bot.py")], stderr=subprocess.PIPE, text=True) as process:
        assert "http://127.0.0.1:8000/table/CODE" in process.communicate(timeout=120)[1]


def test_twenty_people_play_three_rounds(server: Server) -> None:
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / "club_evening.py"), server.url], capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    found = re.search(r"http\S+/evening/(\w{8})/wall", ran.stdout)
    assert found
    evening = server.client().get(f"/api/evenings/{found[1]}").json()
    assert len(evening["people"]) == 20
    assert [sorted(len(table["people"]) for table in round) for round in evening["rounds"]] == [
        [4, 5, 5, 5],
        [4, 4, 4, 4, 4],
        [4, 5, 5, 5],
    ]
    games = {each["person"]: each["games"] for each in evening["standings"]}
    assert games == {0: 2, **dict.fromkeys(range(1, 19), 3), 19: 2}  # one went early, one came late
    points = [each["points"] for each in evening["standings"]]
    assert points == sorted(points, reverse=True)
    assert sum(points) == 12 * (19 + 20 + 19)
    tables = [[each["person"] for each in table["people"]] for round in evening["rounds"] for table in round]
    met = Counter(pair for people in tables for pair in combinations(sorted(people), 2))
    assert sum(times > 1 for times in met.values()) < 15  # of a hundred pairs; by chance alone about thirty
    assert max(met.values()) == 2
    lines = [line.split() for line in ran.stdout.splitlines() if line.endswith("games")]
    assert [int(line[0]) for line in lines] == [each["place"] for each in evening["standings"]]


def test_an_evening_goes_on_after_its_server_was_killed(tmp_path: Path) -> None:
    server = Server(tmp_path)
    made = server.client().post("/api/evenings", json={"name": "Tuesday"}).json()
    at, host = f"/api/evenings/{made['evening']}", {"authorization": f"Bearer {made['token']}"}
    tokens = [server.client().post(f"{at}/people", json={"name": name}).json()["token"] for name in "ABCDEFG"]
    assert server.client().post(f"{at}/rounds", json={"round": 1}, headers=host).status_code == 201
    drawn = look(server, at)["rounds"][0]
    server.kill()
    server.start()
    for table in drawn:
        seats = [Seat(server, table["table"], tokens[each["person"]]) for each in table["people"]]
        assert [seat.view()["you"] for seat in seats] == list(range(len(seats)))
        play_on(seats)
    server.kill()
    server.start()
    evening = look(server, at)
    assert [table["ended"] for table in evening["rounds"][0]] == [True, True]
    assert sum(each["points"] for each in evening["standings"]) == 12 * 7
    assert server.client().post(f"{at}/rounds", json={"round": 2}, headers=host).status_code == 201
    server.stop()


def test_people_of_one_evening_are_on_two_servers(postgres: str) -> None:
    one, other = Server(postgres), Server(postgres)
    try:
        made = one.client().post("/api/evenings", json={"name": "Tuesday"}).json()
        at, host = f"/api/evenings/{made['evening']}", {"authorization": f"Bearer {made['token']}"}
        both = [one, other, one, other]
        tokens = [each.client().post(f"{at}/people", json={"name": "Zoë"}).json()["token"] for each in both]
        assert [each["name"] for each in look(one, at)["people"]] == ["Zoë", "Zoë 2", "Zoë 3", "Zoë 4"]
        assert other.client().post(f"{at}/rounds", json={"round": 1}, headers=host).status_code == 201
        (table,) = look(one, at)["rounds"][0]
        seats = [Seat(both[each["person"]], table["table"], tokens[each["person"]]) for each in table["people"]]
        play_on(seats)
        until(lambda: look(one, at)["standings"] == look(other, at)["standings"] != [])
        one.kill()
        assert other.client().post(f"{at}/rounds", json={"round": 2}, headers=host).status_code == 201
    finally:
        other.stop()


def look(server: Server, at: str) -> dict[str, Any]:
    answer: httpx.Response = server.client().get(at)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found

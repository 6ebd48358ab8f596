"""`examples/my_bot.py`, in a process of its own, plays whole games at a really running server."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from harness.servers import Seat, Server, opened
from harness.sweeps import sweep

MY_BOT = Path(__file__).parents[3] / "examples" / "my_bot.py"


def my_bot(server: Server, table: str, name: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(MY_BOT), f"{server.url}/table/{table}", name]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def everybody_is_there(host: Seat, players: int) -> bool:
    deadline = time.monotonic() + 120
    while len(host.view()["players"]) < players and time.monotonic() < deadline:
        time.sleep(0.05)
    return len(host.view()["players"]) == players


@pytest.mark.parametrize("variant", sweep(["first-to-three"], ["first-to-three", "twelve-rounds"]))
def test_it_plays_whole_games_among_bots(server: Server, variant: str) -> None:
    """The host deals and goes: there is no clock, so the game ends only if my bots make all their moves."""
    with server.client() as client:
        asked = {"name": "Ana", "seats": 4, "bots": ["keen"], "variant": variant}
        made = client.post("/api/tables", json=asked).json()
    host = Seat(server, made["table"], made["token"])
    names = ["Ada", "Bea"]
    processes = [my_bot(server, host.table, name) for name in names]
    try:
        assert everybody_is_there(host, 4)
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
    with subprocess.Popen([sys.executable, str(MY_BOT)], stderr=subprocess.PIPE, text=True) as process:
        assert "http://127.0.0.1:8000/table/CODE" in process.communicate(timeout=120)[1]

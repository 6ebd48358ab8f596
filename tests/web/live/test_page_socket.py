"""A page's socket at a real server: what it hears, how it moves, who may open one, and how it ends."""

from pathlib import Path
from typing import Any

import pytest
from harness.answers import problem_code
from harness.servers import Seat, Server, opened
from harness.sockets.page import Page, refusal
from websockets.exceptions import ConnectionClosed, InvalidStatus


@pytest.fixture
def seats(server: Server) -> list[Seat]:
    """Two people at a table that is being played, in the order of their turns."""
    both = opened(server, 2)
    assert both[0].post("start").status_code == 200
    both.sort(key=lambda seat: seat.view()["you"] != seat.view()["to_play"])
    return both


def test_a_binary_frame_can_be_a_move_too(server: Server, seats: list[Seat]) -> None:
    seq = seats[0].view()["seq"]
    with Page.of(server, seats[0], after=seq) as page:
        assert page.send(b'{"move":"place","gap":1,"seq":%d}' % seq) == {"answer": {"seq": seq + 1}}


@pytest.mark.parametrize("sent", [b"", b"\xff\xfe", b"\x00" * 100])
def test_what_is_no_json_is_refused_and_the_socket_stays(server: Server, seats: list[Seat], sent: bytes) -> None:
    seq = seats[0].view()["seq"]
    with Page.of(server, seats[0], after=seq) as page:
        problem = page.send(sent)["problem"]
        assert (problem["status"], problem["code"]) == (400, "unparsable")
        assert page.place(0, seq) == {"answer": {"seq": seq + 1}}


def code(told: dict[str, Any]) -> tuple[int, str]:
    return told["problem"]["status"], told["problem"]["code"]


def test_only_who_holds_a_seat_can_move(server: Server, seats: list[Seat]) -> None:
    move = {"move": "place", "gap": 0, "seq": seats[0].view()["seq"]}
    with Page(server, seats[0].table) as spectator:
        assert code(spectator.send(move)) == (401, "no-token")
    with Page(server, seats[0].table, ["x" * 43]) as stranger:
        assert code(stranger.send(move)) == (403, "not-seated")
    with Page.of(server, seats[1]) as other:
        assert code(other.send(move)) == (409, "not-your-turn")
    with Page(server, seats[0].table, [seat.token for seat in reversed(seats)]) as shared:  # one device, two seats
        assert shared.send(move) == {"answer": {"seq": move["seq"] + 1}}
        assert shared.send(move | {"seq": move["seq"] + 1}) == {"answer": {"seq": move["seq"] + 2}}


def test_cookies_count_for_our_own_pages_only(server: Server, seats: list[Seat]) -> None:
    table, token, seq = seats[0].table, seats[0].token, seats[0].view()["seq"]
    move = {"move": "place", "gap": 0, "seq": seq}
    for origin in ("http://evil.example", "null", f"{server.url}.evil.example", "http://127.0.0.1:1"):
        assert refusal(server, f"/table/{table}/live", origin) == (403, "foreign-origin")
    with Page(server, table, [token], origin=None) as program:
        assert code(program.send(move)) == (401, "no-token")
    with Page(server, table, origin=None, headers={"authorization": f"Bearer {token}"}) as program:
        assert program.send(move) == {"answer": {"seq": seq + 1}}


def test_what_cannot_be_followed_is_refused_before_the_upgrade(server: Server, seats: list[Seat]) -> None:
    table = seats[0].table
    assert refusal(server, "/table/nowhere1/live") == (404, "no-such-table")
    assert refusal(server, f"/table/{table}/live?after=-1") == (400, "unparsable")
    assert refusal(server, f"/table/{table}/live?after=" + "9" * 5000) == (400, "unparsable")
    assert refusal(server, f"/table/{table}/live", headers={"host": "a b"}) == (400, "unparsable")
    for path in ("/", f"/table/{table}", f"/api/tables/{table}/moves", f"/table/{table}/live/x", "/static/a/b.js"):
        assert refusal(server, path) == (403, "")
    plain = server.client().get(f"/api/tables/{table}/live")
    assert problem_code(plain) == (404, "not-found")


def test_a_silent_table_is_heard_every_few_seconds(server: Server, seats: list[Seat]) -> None:
    with Page.of(server, seats[0], after=seats[0].view()["seq"]) as page:
        assert [page.frame(), page.frame()] == ["{}", "{}"]


def test_a_server_that_stops_says_that_it_comes_back(tmp_path: Path) -> None:
    server = Server(tmp_path)
    seats = opened(server, 2)
    pages = [Page.of(server, seat, after=0) for seat in seats]
    for page in pages:
        page.message()
    assert server.stop() == 0
    for page in pages:
        with pytest.raises(ConnectionClosed) as closed:
            page.message()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        page.__exit__(None, None, None)
    assert server.said == []
    with pytest.raises((OSError, InvalidStatus)):
        Page.of(server, seats[0])

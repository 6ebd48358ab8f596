"""A page's socket at a real server, beside what `tests/playthroughs` records: who may open one, and how it ends."""

import json
from pathlib import Path

import pytest
from harness.servers import Seat, Server, opened
from harness.sockets.page import Page, refusal
from websockets.exceptions import ConnectionClosed, InvalidStatus


@pytest.fixture
def mover(server: Server) -> Seat:
    """Whose turn it is at a table that is being played."""
    both = opened(server, 2)
    assert both[0].post("start").status_code == 200
    return next(seat for seat in both if seat.view()["you"] == seat.view()["to_play"])


@pytest.mark.parametrize("sent", [b"", b"\xff\xfe", b"\x00" * 100])
def test_what_is_no_json_is_refused_and_the_socket_stays(server: Server, mover: Seat, sent: bytes) -> None:
    seq = mover.view()["seq"]
    with Page.of(server, mover, after=seq) as page:
        problem = page.send(sent)["problem"]
        assert (problem["status"], problem["code"]) == (400, "unparsable")
        assert page.send(b'{"move":"place","gap":1,"seq":%d}' % seq) == {"answer": {"seq": seq + 1}}  # a binary frame


def test_cookies_count_for_our_own_pages_only(server: Server, mover: Seat) -> None:
    seq = mover.view()["seq"]
    assert refusal(server, f"/table/{mover.table}/live", "http://127.0.0.1:1") == (403, "foreign-origin")
    with Page(server, mover.table, [mover.token], origin=None) as program:
        assert program.place(0, seq)["problem"]["code"] == "no-token"
    with Page(server, mover.table, origin=None, headers={"authorization": f"Bearer {mover.token}"}) as program:
        assert program.place(0, seq) == {"answer": {"seq": seq + 1}}


def test_what_cannot_be_followed_is_refused_before_the_upgrade(server: Server, mover: Seat) -> None:
    live = f"/table/{mover.table}/live"
    assert refusal(server, f"{live}?after=" + "9" * 5000) == (400, "unparsable")
    assert refusal(server, live, headers={"host": "a b"}) == (400, "unparsable")
    for path in ("/", f"/table/{mover.table}", f"/api/tables/{mover.table}/moves", f"{live}/x", "/static/a/b.js"):
        assert refusal(server, path) == (403, "")


def test_a_server_that_stops_says_that_it_comes_back(tmp_path: Path) -> None:
    server = Server(tmp_path)
    seats = opened(server, 2)
    pages = [Page.of(server, seat, after=0) for seat in seats]
    for page in pages:
        page.message()
    with seats[0].client.stream("GET", f"/api/tables/{seats[0].table}/events") as stream:
        assert server.stop() == 0
        stream.read()  # it ends
    for page in pages:
        with pytest.raises(ConnectionClosed) as closed:
            page.message()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        page.__exit__(None, None, None)
    assert server.said == []
    with pytest.raises((OSError, InvalidStatus)):
        Page.of(server, seats[0])


def test_pages_hear_who_looks_at_a_row_once_and_so_does_a_page_that_comes_later(server: Server) -> None:
    both = opened(server, 2)
    assert both[0].post("start").status_code == 200
    seq, me = both[0].view()["seq"], both[0].view()["to_play"]
    with Page.of(server, both[me], after=seq) as mine, Page.of(server, both[1 - me], after=seq) as other:
        mine.place(0, seq)
        other.doubt(seq + 1)
        assert mine.who_reads() == other.who_reads() == [0, 1]
        assert both[both[0].view()["to_play"]].place(0, seq + 2).status_code == 200
        with Page(server, both[0].table, after=seq + 3) as watcher:
            assert watcher.who_reads() == [0, 1]
            other.socket.send(json.dumps({"read": seq + 2}))
            assert mine.who_reads() == watcher.who_reads() == [me]  # and not [0, 1] again, when a card was laid

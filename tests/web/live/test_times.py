"""The times that leave the server: whole seconds wherever something happened, tenths for the page's clock."""

import json
import re
from collections.abc import Iterator
from time import sleep

import httpx
import pytest
from harness.servers import Seat, Server, opened, play_beside_bots
from harness.sockets.page import Page

TIME = re.compile(r"(?<![\w.])1[5-9]\d{8}\.\d+")
"""Seconds since 1970 with a fraction."""


@pytest.fixture
def seat(server: Server) -> Seat:
    """At a table with two bots that have moved until it is this seat's turn."""
    (seat,) = opened(server, 3, bots=["keen", "sharp"], clock=90)
    assert seat.post("start").status_code == 200
    while seat.view()["to_play"] != 0:
        sleep(0.01)
    return seat


def messages(answer: httpx.Response) -> Iterator[str]:
    return (line.removeprefix("data: ") for line in answer.iter_lines() if line.startswith("data: "))


def test_events_tell_whole_seconds(seat: Seat) -> None:
    play_beside_bots(seat, 10_000)
    events = []
    with seat.client.stream("GET", f"/api/tables/{seat.table}/events") as stream:
        for message in messages(stream):
            assert TIME.findall(message) == [f"{json.loads(message)['at']:.1f}"]
            events.append(json.loads(message))
            if "secret" in events[-1]:  # the game is over
                break
    assert sum(event["entry"] in ("placed", "doubted") for event in events) > 5
    assert all(event["at"] % 1 == 0 for event in events)


def test_the_view_tells_whole_seconds(seat: Seat) -> None:
    told = seat.client.get(f"/api/tables/{seat.table}").text
    assert TIME.findall(told) == [f"{json.loads(told)['turn_began']:.1f}"]
    assert json.loads(told)["turn_began"] % 1 == 0


@pytest.mark.parametrize("page", ["table", "watch"])
def test_pages_tell_whole_seconds_and_their_own_clock_in_tenths(seat: Seat, page: str) -> None:
    told = seat.client.get(f"/{page}/{seat.table}").text
    given = re.search(r'<script type="application/json" id="page">(.*?)</script>', told)
    assert given is not None
    page_data = json.loads(given[1])
    began, now = page_data["view"]["turn_began"], page_data["now"]
    assert set(TIME.findall(told)) == {f"{began:.1f}", str(now)}
    assert began % 1 == 0
    assert round(now, 1) == now


def test_what_a_page_hears_tells_whole_seconds(server: Server, seat: Seat) -> None:
    with Page.of(server, seat, after=0) as page:
        seq = seat.view()["seq"]
        assert page.message()["view"]["turn_began"] == seat.view()["turn_began"]
        assert seat.post("reactions", {"reaction": "wow"}).status_code == 200
        assert "reaction" in page.message()
        assert "answer" in page.place(0, seq)
        page.hear(seq + 1)
    for frame in page.frames:
        assert isinstance(frame, str)
        assert all(time.endswith(".0") for time in TIME.findall(frame))
    assert sum(bool(TIME.search(str(frame))) for frame in page.frames) >= 2

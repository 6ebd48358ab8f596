"""Clients that read slowly or never: nobody else waits for them, and the server's memory does not grow."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from harness.faults.serving import served
from harness.processes import resident
from harness.servers import Seat, Server, opened
from harness.sockets.page import Page
from websockets import ConnectionClosed, Origin
from websockets.sync.client import ClientConnection, connect

SLEEPERS = 20
EVENTS = 800


@contextmanager
def sleeper(server: Server, table: str) -> Iterator[ClientConnection]:
    """A page that opens its socket and then reads next to nothing; its own machine takes as little as it can."""
    asleep = socket.socket()
    asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    asleep.connect(("127.0.0.1", server.port))
    live = f"ws://127.0.0.1:{server.port}/table/{table}/live"
    options: dict[str, Any] = {"compression": None, "ping_interval": None, "max_queue": 1, "close_timeout": 0}
    with connect(live, sock=asleep, origin=Origin(server.url), **options) as page:
        yield page


def woken(asleep: ClientConnection) -> list[int]:
    """Read whatever is still to come until the server's end; the numbers of the events heard."""
    heard = list[int]()
    with suppress(ConnectionClosed):
        while True:
            told = map(json.loads, asleep.recv(30, decode=True).split("\n"))
            heard += [each["event"]["seq"] for each in told if "event" in each]
    assert asleep.close_code in (1012, 1006)  # it is to connect again; or it slept too long
    return heard


def churn(seat: Seat, events: int) -> None:
    """Much happens at a table: somebody whose turn it is not goes and comes back."""
    for _ in range(events // 2):
        assert seat.client.delete(f"/api/tables/{seat.table}/seats/me").status_code == 200
        assert seat.client.put(f"/api/tables/{seat.table}/seats/me").status_code == 200


def test_a_reader_that_never_reads_is_disconnected_and_costs_little_memory(tmp_path: Path) -> None:
    with served(tmp_path) as server, ExitStack() as pages:
        seats = opened(server, 5)
        assert seats[0].post("start").status_code == 200
        view = seats[0].view()
        waiting = next(seat for seat in seats if seat.view()["you"] != view["to_play"])
        churn(waiting, 100)
        first = view["seq"] + 101
        asleep = [pages.enter_context(sleeper(server, waiting.table)) for _ in range(SLEEPERS)]
        before = resident(server.process.pid)
        at = f"/api/tables/{waiting.table}/events"
        with server.client() as client, client.stream("GET", f"{at}?after={first - 1}") as stream:
            lines = stream.iter_lines()
            churn(waiting, EVENTS)
            heard = [int(line[4:]) for line in islice((line for line in lines if line.startswith("id: ")), EVENTS)]
        assert heard == list(range(first, first + EVENTS))  # a reader that keeps up has heard everything
        assert resident(server.process.pid) - before < 40
        for some in asleep[:5]:
            numbers = woken(some)
            assert numbers[0] >= first - 1  # first the state, then what happened since
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            assert numbers[-1] < first + EVENTS - 1  # disconnected; it comes back with the last number it saw
            with Page(server, waiting.table, after=numbers[-1]) as again:
                assert again.message()["seq"] == first + EVENTS - 1  # and has the table as it is

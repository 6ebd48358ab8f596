"""Whether bots slow people down: how long a person's move takes while nothing else happens, and beside bot tables."""

import statistics
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from harness.servers import Seat, Server, opened

TABLES = 100
MOVES = 150
OPTIONS = ("--bot-seconds", "1.5", "--drawing", "process")


def people(server: Server) -> Iterator[float]:
    """Two people place and doubt; how long each move took to be acknowledged, in milliseconds."""
    while True:
        seats = opened(server)
        seats[0].post("start")
        while not (view := seats[0].view())["over"]:
            began, seat = perf_counter(), seats[view["to_play"]]
            answer = seat.doubt(view["seq"]) if len(view["row"]) > 4 else seat.place(0, view["seq"])
            yield (perf_counter() - began) * 1000
            assert answer.status_code == 200, answer.text


def keep_playing(seats: Sequence[Seat], stop: threading.Event) -> None:
    """Make the moves of the people at all tables, so that their bots always have something to do."""
    while not stop.is_set():
        for seat in seats:
            view = seat.view()
            if view["to_play"] == view["you"]:
                seat.doubt(view["seq"]) if len(view["row"]) > 7 else seat.place(0, view["seq"])


def told(name: str, times: list[float]) -> None:
    worst = statistics.quantiles(times, n=100)[98]
    print(f"bots: a person's move takes {statistics.median(times):.1f} ms, 99 % within {worst:.1f} ms, {name}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), *OPTIONS)
        try:
            moves = people(server)
            told("alone", [next(moves) for _ in range(MOVES)])
            seats = [opened(server, 4, bots=["keen", "sharp", "eagle-eye"])[0] for _ in range(TABLES)]
            for seat in seats:
                seat.post("start")
            stop = threading.Event()
            playing = threading.Thread(target=keep_playing, args=(seats, stop))
            playing.start()
            told(f"beside {TABLES} tables where three bots play with a person", [next(moves) for _ in range(MOVES)])
            stop.set()
            playing.join()
        finally:
            server.stop()

"""Kill -9 in the middle of a load: every acknowledged move is in the log after the restart."""

import random
import threading
import time
from pathlib import Path

import httpx

from tests.web.servers import Seat, Server, opened

TABLES = 12
MOVES = 1000


def test_every_acknowledged_move_survives_a_kill(tmp_path: Path) -> None:
    server = Server(tmp_path)
    acknowledged: dict[str, list[int]] = {}
    made = threading.Semaphore(0)
    stop = threading.Event()

    def load(seats: list[Seat], seed: int) -> None:
        rng = random.Random(seed)
        try:
            while not stop.is_set():
                view = seats[0].view()
                if view["over"]:
                    return
                seat = seats[view["to_play"]]
                doubting = len(view["row"]) > 1 and rng.random() < 0.05
                answer = seat.doubt(view["seq"]) if doubting else seat.place(0, view["seq"])
                if answer.status_code == 200:
                    acknowledged[seats[0].table].append(answer.json()["seq"])
                    made.release()
        except httpx.TransportError:
            return  # the server is gone

    threads = []
    for number in range(TABLES):
        seats = opened(server, 2, variant="twelve-rounds")
        seats[0].post("start")
        acknowledged[seats[0].table] = []
        threads.append(threading.Thread(target=load, args=(seats, number)))
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 60
    count = 0
    while count < MOVES and time.monotonic() < deadline and made.acquire(timeout=5):
        count += 1
    server.kill()
    stop.set()
    for thread in threads:
        thread.join()

    server.start()
    try:
        with server.client() as client:
            for table, numbers in acknowledged.items():
                view = client.get(f"/api/tables/{table}").json()
                assert view["seq"] >= max(numbers, default=0)
        assert sum(map(len, acknowledged.values())) >= min(MOVES, 500)
    finally:
        server.stop()

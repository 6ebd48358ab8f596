"""My eyes: the device remembers the seats it held at finished tables, and nothing else."""

import httpx
import pytest
from harness.servers import Seat, Server, opened, play_on

from illusion.tables.eyes import HeldSeat, read_seats_code, seats_code


class Device:
    """A browser that keeps cookies."""

    def __init__(self, server: Server, *seats: Seat) -> None:
        self.client = server.client()
        self.client.headers["origin"] = server.url
        self.sits_at(*seats)

    def sits_at(self, *seats: Seat) -> None:
        tokens = ".".join(each.token for each in seats)
        self.client.cookies.set(f"seat-{seats[0].table}", tokens)

    def post(self, **form: str) -> httpx.Response:
        return self.client.post("/eyes", data=form)

    @property
    def remembered(self) -> list[HeldSeat]:
        code = self.client.cookies.get("eyes")
        return read_seats_code(code) if code else []


@pytest.fixture(scope="module")
def seats(server: Server) -> list[Seat]:
    """Two people at a table whose game is over."""
    seats = opened(server, 2)
    seats[0].post("start")
    play_on(seats)
    return seats


def test_the_seat_at_a_finished_table_is_remembered_once_and_forgotten(server: Server, seats: list[Seat]) -> None:
    """A code is taken in and merged; what is none gets one sentence and changes nothing."""
    device, mine, other = Device(server, seats[1]), HeldSeat(seats[1].table, 1), HeldSeat("abcdefgh", 3)
    for _ in range(2):
        assert device.post(table=seats[1].table).status_code == 204
    assert device.remembered == [mine]
    assert seats_code([mine]) in device.client.get("/eyes").text
    for _ in range(2):
        assert device.post(code=seats_code([other]).upper()).status_code == 303
    for code in ("", "rubbish", "e1", "e1abcdefgh2zzzz", "x" * 9000):
        assert device.post(code=code).status_code in (400, 413)
    assert device.remembered == sorted([mine, other])
    assert device.post(forget="all").status_code == 303
    assert device.remembered == []


def test_a_running_game_a_shared_device_and_a_spectator_are_not_remembered(server: Server, seats: list[Seat]) -> None:
    running = opened(server, 2)
    running[0].post("start")
    device = Device(server, *seats)
    device.sits_at(running[0])
    spectator = Device(server, running[1])
    for each, table in ((spectator, seats[0].table), (device, seats[0].table), (device, running[0].table)):
        assert each.post(table=table).status_code == 204
        assert each.remembered == []


def test_the_code_as_a_qr_code_is_a_picture_of_its_own(server: Server) -> None:
    client = server.client()
    assert client.get("/eyes/code.svg").status_code == 404
    client.cookies.set("eyes", "e1rubbish")  # counts as nothing
    assert client.get("/eyes").status_code == 200
    client.cookies.set("eyes", seats_code([HeldSeat("abcdefgh", 3)]))
    assert 'src="/eyes/code.svg"' in client.get("/eyes").text
    picture = client.get("/eyes/code.svg")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
    assert picture.headers["cache-control"] == "no-store"
    assert picture.text.startswith("<svg xmlns=")

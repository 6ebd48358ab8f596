"""My eyes: the device remembers the seats it held at finished tables, and nothing else."""

import httpx
import pytest
from harness.servers import Seat, Server, opened, play_on

from illusion.tables.eyes import HeldSeat, read_seats_code, seats_code


class Device:
    """A browser that keeps cookies."""

    def __init__(self, server: Server) -> None:
        self.client = server.client()
        self.client.headers["origin"] = server.url

    def sits_at(self, seat: Seat, *others: Seat) -> None:
        tokens = ".".join(each.token for each in (seat, *others))
        self.client.cookies.set(f"seat-{seat.table}", tokens)

    def post(self, **form: str) -> httpx.Response:
        return self.client.post("/eyes", data=form)

    @property
    def remembered(self) -> list[HeldSeat]:
        code = self.client.cookies.get("eyes")
        return read_seats_code(code) if code else []


@pytest.fixture
def device(server: Server) -> Device:
    return Device(server)


@pytest.fixture
def seats(server: Server) -> list[Seat]:
    """Two people at a table whose game is over."""
    seats = opened(server, 2)
    seats[0].post("start")
    play_on(seats)
    return seats


def test_the_seat_at_a_finished_table_is_remembered_once(device: Device, seats: list[Seat]) -> None:
    device.sits_at(seats[1])
    for _ in range(2):
        assert device.post(table=seats[1].table).status_code == 204
    assert device.remembered == [HeldSeat(seats[1].table, 1)]
    assert seats_code(device.remembered) in device.client.get("/eyes").text


def test_a_running_game_a_shared_device_and_a_spectator_are_not_remembered(
    server: Server, device: Device, seats: list[Seat]
) -> None:
    assert device.post(table=seats[0].table).status_code == 204
    device.sits_at(*seats)
    assert device.post(table=seats[0].table).status_code == 204
    running = opened(server, 2)
    running[0].post("start")
    device.sits_at(running[0])
    assert device.post(table=running[0].table).status_code == 204
    assert device.remembered == []


def test_a_code_is_taken_in_and_merged_and_all_is_forgotten(device: Device, seats: list[Seat]) -> None:
    device.sits_at(seats[0])
    device.post(table=seats[0].table)
    other = HeldSeat("abcdefgh", 3)
    for _ in range(2):
        assert device.post(code=seats_code([other]).upper()).status_code == 303
    assert device.remembered == sorted([HeldSeat(seats[0].table, 0), other])
    assert device.post(forget="all").status_code == 303
    assert device.remembered == []


@pytest.mark.parametrize("code", ["", "rubbish", "e1", "e1abcdefgh2zzzz", "x" * 9000])
def test_a_broken_code_gets_one_sentence_and_changes_nothing(device: Device, seats: list[Seat], code: str) -> None:
    device.sits_at(seats[0])
    device.post(table=seats[0].table)
    answer = device.post(code=code)
    assert answer.status_code in (400, 413)
    assert device.remembered == [HeldSeat(seats[0].table, 0)]


def test_a_cookie_that_cannot_be_read_counts_as_nothing(device: Device) -> None:
    device.client.cookies.set("eyes", "e1rubbish")
    assert device.client.get("/eyes").status_code == 200


def test_the_code_as_a_qr_code_is_a_picture_of_its_own(device: Device) -> None:
    assert device.client.get("/eyes/code.svg").status_code == 404
    device.client.cookies.set("eyes", seats_code([HeldSeat("abcdefgh", 3)]))
    assert 'src="/eyes/code.svg"' in device.client.get("/eyes").text
    picture = device.client.get("/eyes/code.svg")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
    assert picture.headers["cache-control"] == "no-store"
    assert picture.text.startswith("<svg xmlns=")

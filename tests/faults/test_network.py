"""The network between the server and PostgreSQL is cut, or goes silent: no loss, a clear error, and back."""

from collections.abc import Callable, Iterator

import pytest
from harness.faults.serving import served
from harness.postgres import Cluster
from harness.servers import opened, play_on
from harness.wire import Wire, wire_to


@pytest.fixture
def wire(cluster: Cluster) -> Iterator[Wire]:
    with wire_to(cluster.port) as wire:
        yield wire


@pytest.fixture
def database(cluster: Cluster, wire: Wire) -> str:
    """By way of the wire."""
    return cluster.database().replace(f":{cluster.port}/", f":{wire.port}/")


@pytest.mark.parametrize("trouble", [Wire.cut, Wire.freeze])
def test_a_long_outage_is_a_clear_error_and_nothing_is_lost(
    wire: Wire, database: str, trouble: Callable[[Wire], None]
) -> None:
    with served(database) as server:
        seats = opened(server)
        seats[0].post("start")
        view = play_on(seats, 2)
        trouble(wire)
        seat = seats[view["to_play"]]
        answer = seat.place(0, view["seq"])
        assert (answer.status_code, answer.json()["code"]) == (503, "store-failed")
        wire.mend()
        again = seat.place(0, view["seq"])  # whether the first one arrived after all: it is made once
        assert again.status_code == 200 or again.json()["code"] == "stale"
        later = seats[0].view()
        assert later["seq"] == view["seq"] + 1
        assert len(later["row"]) == len(view["row"]) + 1
        play_on(seats, 2)

"""Servers that are measured in turns: each table makes so many moves a turn, and nothing happens between two turns."""

import time

from bench.load.measure import Clients
from bench.load.servers import ECHO, running
from bench.load.table import Task


def test_a_turn_is_so_many_moves_of_every_table() -> None:
    with running(ECHO) as (_, port), Clients(Task(ECHO.kind, port, tables=3)) as clients:
        for _ in range(2):
            assert len(clients.hear("turn 6").moves) == 18
            time.sleep(0.05)
        assert clients.hear("felt").moves == []

"""Servers that are measured in turns: each table makes so many moves a turn, and nothing happens between two turns."""

import time

from bench.load.drive import Task
from bench.load.measure import MOVES_A_TURN, opened
from bench.load.servers import PYTHON_PEERS


def test_a_turn_is_so_many_moves_of_every_table() -> None:
    (echo,) = PYTHON_PEERS
    with opened(echo, Task(echo.contender, 0, tables=3, seconds=30, paced=False, turn=MOVES_A_TURN), 1) as play:
        for _ in range(2):
            play.turn()
            time.sleep(0.05)
        assert [each.moves for figures in play.figures for each in figures] == [3 * MOVES_A_TURN] * 2
        assert all(len(each.delays) == each.moves for figures in play.figures for each in figures)
        assert play.measured().rate > 0

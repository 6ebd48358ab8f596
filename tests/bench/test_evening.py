"""An evening of pages at a real server: everybody hears every move and sees every card, and nothing goes wrong."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest
from bench.load.evening.drive import PAGES, Evening, Task
from bench.load.evening.measure import half_and_late
from bench.load.process import asleep, cpu, drawing, serving_cpu
from harness.servers import Server


@pytest.mark.parametrize("languages", [1, 4])
async def test_four_pages_a_table(tmp_path: Path, languages: int) -> None:
    server = Server(tmp_path)
    try:
        evening = Evening(Task(PAGES, server.port, tables=2, seconds=1.5, every=0.1, languages=languages))
        await evening.open()
        felt = await evening.play()
    finally:
        assert server.stop() == 0
    assert felt.trouble == []
    assert len(felt.moves) > 2
    assert felt.pictures  # a doubt that begins a round brings two cards, every other move one
    made = [number for kept in felt.kept for number in kept.acknowledged]
    assert len(felt.moves) - 2 <= len(made) <= len(felt.moves)  # the last answer of a table may come after the event


def test_whoever_draws_is_told_from_whoever_serves(tmp_path: Path) -> None:
    server = Server(tmp_path, "--drawing", "process")
    pid = server.process.pid
    try:
        assert server.client().get("/sample/50.svg").status_code == 200
        assert len(drawing(pid)) == 1
        assert 0 < serving_cpu(pid) < cpu(pid)
    finally:
        server.stop()


def test_a_process_at_rest_is_told_from_one_that_works_or_waits_for_a_core() -> None:
    assert not asleep(os.getpid())
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as resting:
        try:
            while not asleep(resting.pid):
                sleep(0.01)
            resting.send_signal(signal.SIGSTOP)
            while asleep(resting.pid):
                sleep(0.01)
        finally:
            resting.kill()


def test_half_and_ninety_nine_of_a_hundred() -> None:
    assert half_and_late([float(number) for number in range(200, 0, -1)]) == (101.0, 199.0)
    assert half_and_late([3.0]) == (3.0, 3.0)

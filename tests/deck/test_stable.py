"""Pictures never change: not in another process, and not with a later version of the program."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.picture_hashes import RECORDED, picture_hashes

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("seed", RECORDED)
def test_pictures_are_the_recorded_ones(seed: int) -> None:
    """Five decks, 490 cards. What changes them on purpose raises PICTURES_VERSION."""
    assert picture_hashes(seed) == RECORDED[seed].read_text()


def test_another_process_with_another_hash_seed_draws_the_same_bytes() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    command = [sys.executable, "tools/picture_hashes.py", "7"]
    printed = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    assert printed.stdout == RECORDED[7].read_text()

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
    drawn = picture_hashes(seed) if seed != 7 else drawn_in_another_process(seed)
    assert drawn == RECORDED[seed].read_text()


def drawn_in_another_process(seed: int) -> str:
    """With another hash seed."""
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    command = [sys.executable, "tools/picture_hashes.py", str(seed)]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout

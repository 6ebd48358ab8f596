"""Pictures never change: not in another process, and not with a later version of the program."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.picture_hashes import SEED, picture_hashes

from illusion.deck.generators import GENERATORS

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def recorded(version: int) -> str:
    """The hashes of one deck's fronts. There is a file for each generator; what is in it never changes."""
    return (HERE / f"pictures-of-seed-{SEED}-generator-{version}.sha256").read_text()


@pytest.mark.parametrize("version", GENERATORS)
def test_pictures_are_those_that_were_first_dealt(version: int) -> None:
    assert picture_hashes(version) == recorded(version)


@pytest.mark.parametrize("version", GENERATORS)
def test_another_process_with_another_hash_seed_draws_the_same_bytes(version: int) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    command = [sys.executable, "tools/picture_hashes.py", str(version)]
    printed = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    assert printed.stdout == recorded(version)

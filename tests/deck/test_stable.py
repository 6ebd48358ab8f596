"""Pictures never change: not in another process, and not with a later version of the program."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from illusion.deck import make_deck

SEED = 7
TABLE = Path(__file__).parent / f"pictures-of-seed-{SEED}-generator-1.sha256"
"""The hash of every front of one deck. It may grow by a file for each new generator; what is in it never changes."""

PRINT_HASHES = f"""
import hashlib
from illusion.deck import make_deck
for card in make_deck({SEED}, version=1):
    print(hashlib.sha256(card.svg().encode()).hexdigest(), f"front-{{card.number:02}}.svg")
"""


def test_pictures_are_those_that_were_first_dealt() -> None:
    drawn = "".join(
        f"{hashlib.sha256(card.svg().encode()).hexdigest()} front-{card.number:02}.svg\n"
        for card in make_deck(SEED, version=1)
    )
    assert drawn == TABLE.read_text()


def test_another_process_with_another_hash_seed_draws_the_same_bytes() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    printed = subprocess.run(
        [sys.executable, "-c", PRINT_HASHES], env=environment, check=True, capture_output=True, text=True
    )
    assert printed.stdout == TABLE.read_text()

"""Pictures never change: not in another process, and not with a later version of the program."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tools.picture_hashes import SEED, picture_hashes

from illusion.deck import STANDARD, make_deck
from illusion.deck.card import draw_together
from illusion.deck.generators import GENERATORS
from illusion.deck.picture import Undrawable
from illusion.deck.rendering import svg
from illusion.rules import Shares

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


RECORDED = [tuple(map(int, re.findall(r"\d+", path.stem))) for path in sorted(HERE.glob("pictures-of-seed-*.sha256"))]
"""Seed and generator: five decks of the newest one, 490 cards."""


def recorded(version: int, seed: int = SEED) -> str:
    """The hashes of one deck's fronts; what is in such a file never changes."""
    return (HERE / f"pictures-of-seed-{seed}-generator-{version}.sha256").read_text()


@pytest.mark.parametrize(("seed", "version"), RECORDED)
def test_pictures_are_those_that_were_first_dealt(seed: int, version: int) -> None:
    assert picture_hashes(version, seed) == recorded(version, seed)


@pytest.mark.parametrize("version", GENERATORS)
def test_another_process_with_another_hash_seed_draws_the_same_bytes(version: int) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    command = [sys.executable, "tools/picture_hashes.py", str(version)]
    printed = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    assert printed.stdout == recorded(version)


@pytest.mark.parametrize("at_once", [2, 8, 98])
def test_cards_that_are_drawn_together_are_those_drawn_alone(at_once: int) -> None:
    cards = list(make_deck(SEED))
    Random(at_once).shuffle(cards)
    hopeless = replace(cards[0], shares=Shares(25, 25, 25, 25), number=99)  # leaves no white
    cards.insert(5, hopeless)
    cards.insert(9, make_deck(SEED, 1)[0])
    for first in range(0, len(cards), at_once):
        some = cards[first : first + at_once]
        for card, picture in zip(some, draw_together(some), strict=True):
            if card is hopeless:
                assert isinstance(picture, Undrawable)
            else:
                assert not isinstance(picture, Undrawable)
                assert svg.front(picture, STANDARD) == card.svg()

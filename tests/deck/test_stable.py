"""Pictures never change: not in another process, and not with a later version of the program."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tools.picture_hashes import RECORDED, picture_hashes

from illusion.deck import STANDARD, make_deck, svg
from illusion.deck.deck import draw_together
from illusion.deck.picture import Undrawable
from illusion.rules import Shares

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


@pytest.mark.parametrize("at_once", [2, 8, 98])
def test_cards_that_are_drawn_together_are_those_drawn_alone(at_once: int) -> None:
    cards = list(make_deck(7))
    Random(at_once).shuffle(cards)
    hopeless = replace(cards[0], shares=Shares(25, 25, 25, 25), number=99)  # leaves no white
    cards.insert(5, hopeless)
    for first in range(0, len(cards), at_once):
        some = cards[first : first + at_once]
        for card, picture in zip(some, draw_together(some), strict=True):
            if card is hopeless:
                assert isinstance(picture, Undrawable)
            else:
                assert not isinstance(picture, Undrawable)
                assert svg.front(picture, STANDARD) == card.svg()

"""Print the hashes of one deck's pictures: python tools/picture_hashes.py GENERATOR [SEED].

`tests/deck/test_stable.py` compares them with those recorded when the generator was added.
"""

import hashlib
import sys

from illusion.deck import make_deck
from illusion.deck.generators import GENERATORS

SEED = 7


def picture_hashes(generator: int, seed: int = SEED) -> str:
    """A line for each front: its SHA-256 and its file name."""
    return "".join(
        f"{hashlib.sha256(card.svg().encode()).hexdigest()} front-{card.number:02}.svg\n"
        for card in make_deck(seed, generator)
    )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in map(str, GENERATORS):
        sys.exit(f"usage: picture_hashes.py GENERATOR [SEED]\ngenerators: {', '.join(map(str, GENERATORS))}")
    print(picture_hashes(*map(int, sys.argv[1:])), end="")

"""Print the hashes of one deck's pictures: python tools/picture_hashes.py GENERATOR.

`tests/deck/test_stable.py` compares them with those recorded when the generator was added.
"""

import hashlib
import sys

from illusion.deck import make_deck
from illusion.deck.generators import GENERATORS

SEED = 7


def picture_hashes(generator: int) -> str:
    """A line for each front: its SHA-256 and its file name."""
    return "".join(
        f"{hashlib.sha256(card.svg().encode()).hexdigest()} front-{card.number:02}.svg\n"
        for card in make_deck(SEED, generator)
    )


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in map(str, GENERATORS):
        sys.exit(f"usage: python tools/picture_hashes.py GENERATOR\ngenerators: {', '.join(map(str, GENERATORS))}")
    print(picture_hashes(int(sys.argv[1])), end="")

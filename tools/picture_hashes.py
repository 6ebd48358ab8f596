"""The hashes of a deck's pictures: python tools/picture_hashes.py SEED prints them, --record writes those of the tests.

`tests/deck/test_stable.py` compares all pictures with the recorded ones. Whoever changes pictures on purpose raises
`PICTURES_VERSION` and records them anew.
"""

import hashlib
import sys
from pathlib import Path

from illusion.deck import make_deck

RECORDED = {
    int(path.stem.removeprefix("pictures-of-seed-")): path
    for path in (Path(__file__).parents[1] / "tests" / "deck").glob("pictures-of-seed-*.sha256")
}
"""The file of each recorded deck by its seed."""


def picture_hashes(seed: int) -> str:
    """A line for each front: its SHA-256 and its file name."""
    return "".join(
        f"{hashlib.sha256(card.svg().encode()).hexdigest()} front-{card.number:02}.svg\n" for card in make_deck(seed)
    )


def main(arguments: list[str]) -> None:
    match arguments:
        case ["--record"]:
            for seed, path in RECORDED.items():
                path.write_text(picture_hashes(seed))
        case [seed] if seed.isdecimal():
            print(picture_hashes(int(seed)), end="")
        case _:
            sys.exit("usage: picture_hashes.py SEED | --record")


if __name__ == "__main__":
    main(sys.argv[1:])

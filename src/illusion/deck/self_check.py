"""Checks at start that this installation draws the same pictures as everyone else's.

Pictures depend on GEOS, the geometry library inside shapely: of 490 cards, 9 come out differently with GEOS 3.13.1 than
with 3.14.1. A server with another GEOS would show other pictures in stored games, at addresses that browsers keep
for a year.
"""

import hashlib
from typing import Final

import shapely

from illusion.deck.deck import make_deck

SEED: Final = 2018
GENERATOR: Final = 1
HASHES: Final = {
    21: "f0c1710ce28c1facac7c39399c9c495f6b74746df48fd7d9a4e9bea384c5e973",
    60: "a6aa287a9996158614700e0212e99e3551c7fcf46a0457c63d6792b7a0f06f78",
    62: "0b20e97279dd30894bf4c62348cf5928c0cec5236eb66c15bf73d1f16a2eca01",
    73: "5681a4c745e98b975682e3b1233b5c6ea32c9da784e9137df715ae641f3ae0b2",
    80: "06a122b717c8a938bb990aaa892235494dbcddfc3ea43996f6b09d78f02da3fc",
}
"""SHA-256 of the SVG fronts of some cards, by number. The first three differ between GEOS 3.13.1 and 3.14.1."""


class PicturesDiffer(RuntimeError):
    """This installation draws other pictures than those that were dealt; its text says so in one sentence."""


def check_pictures() -> None:
    """Draw five cards and compare them with their recorded hashes; takes about 0.1 s.

    :raises PicturesDiffer: if any of them differs.
    """
    deck = make_deck(SEED, GENERATOR)
    differing = [
        number
        for number, recorded in HASHES.items()
        if hashlib.sha256(deck[number - 1].svg().encode()).hexdigest() != recorded
    ]
    if differing:
        raise PicturesDiffer(
            f"this installation draws other pictures than recorded (cards {', '.join(map(str, differing))} of deck"
            f" {SEED}, generator {GENERATOR}): shapely is {shapely.__version__} with GEOS"
            f" {shapely.geos_version_string}, install shapely>=2.2,<2.3"
        )

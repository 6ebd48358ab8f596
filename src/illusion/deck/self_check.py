"""Checks that this installation draws the same pictures as everyone else's.

A server checks the latest generator when it starts: another picture at an address that browsers keep for a year would
be wrong for a year. That generator needs nothing that differs between machines, so the check fails only if something is
broken.
The first generator depends on GEOS, the geometry library inside shapely: of 490 cards, 9 come out differently with
GEOS 3.13.1 than with 3.14.1.
"""

import hashlib
import logging
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from illusion.deck.deck import make_deck
from illusion.deck.generators import LATEST

_LOG: Final = logging.getLogger(__name__)
SEED: Final = 2018
HASHES: Final = {
    1: {
        21: "f0c1710ce28c1facac7c39399c9c495f6b74746df48fd7d9a4e9bea384c5e973",
        60: "a6aa287a9996158614700e0212e99e3551c7fcf46a0457c63d6792b7a0f06f78",
        62: "0b20e97279dd30894bf4c62348cf5928c0cec5236eb66c15bf73d1f16a2eca01",
        73: "5681a4c745e98b975682e3b1233b5c6ea32c9da784e9137df715ae641f3ae0b2",
        80: "06a122b717c8a938bb990aaa892235494dbcddfc3ea43996f6b09d78f02da3fc",
    },
    2: {
        7: "01295a9ebb1a7f099f22bc040c47e0044dd0f50e3631fe066b94696f645961fd",
        21: "2f41b8d15c93732f57836d75a01807187311a28e9476feaead2b750659ae62e2",
        44: "bc17963c84245325ac9ef141fbef3a3e3e5609d53c643076f899d7befe05995e",
        60: "6115f2380f8ecce287969aaaf54a4e1794d91475cdd82172704bb5b1e39f2c84",
        80: "7b1e65b83b36c4a3c7e8d9e682b9e402d2cb803c38fac7e81fa93debca28da0b",
    },
}
"""SHA-256 of the SVG fronts of some cards of a deck, by generator and number.

The first three of generator 1 differ between GEOS 3.13.1 and 3.14.1.
"""


class PicturesDiffer(RuntimeError):
    """This installation draws other pictures than those that were dealt; its text says so in one sentence."""


def check_pictures(generator: int | None = None) -> None:
    """Draw five cards of a generator and compare them with their recorded hashes; takes some 30 ms.

    Without a generator, the latest is checked; and where shapely is not the one that generator 1 was dealt with, a
    warning says whether games dealt by it will show other pictures.

    :raises PicturesDiffer: if any of them differs, or cannot be drawn because shapely is missing.
    """
    if generator is not None:
        _check(generator)
        return
    _check(LATEST)
    if not _shapely().startswith("2.2."):
        try:
            _check(1)
        except PicturesDiffer as difference:
            _LOG.warning("games dealt by generator 1 show other pictures than they had: %s", difference)


def _check(generator: int) -> None:
    try:
        deck = make_deck(SEED, generator)
        differing = [
            number
            for number, recorded in HASHES[generator].items()
            if hashlib.sha256(deck[number - 1].svg().encode()).hexdigest() != recorded
        ]
    except ModuleNotFoundError:
        raise PicturesDiffer(
            f"pictures of generator {generator} cannot be drawn here: install shapely>=2.2,<2.3"
        ) from None
    if differing:
        cards = f"cards {', '.join(map(str, differing))} of deck {SEED}, generator {generator}"
        advice = f": shapely is {_shapely()}, install shapely>=2.2,<2.3" if generator == 1 else ""
        raise PicturesDiffer(f"this installation draws other pictures than recorded ({cards}){advice}")


def _shapely() -> str:
    try:
        return version("shapely")
    except PackageNotFoundError:
        return "missing"

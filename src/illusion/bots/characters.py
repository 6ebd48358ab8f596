"""The bots people meet: every one has a name, a temper and a face, and keeps them from game to game."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final

BOLD: Final = 1.0
EVEN: Final = 0.0
CAUTIOUS: Final = -1.0


@dataclass(frozen=True, slots=True)
class Character:
    """A bot of a level. The name also decides its taste in patterns and its face."""

    name: str
    level: str
    temper: float


CHARACTERS: Final = tuple(
    Character(name, level, temper)
    for level, names in {
        "first-timer": ("Pip", "Lotta", "Benno", "Tilda"),
        "casual": ("Hugo", "Mila", "Otto", "Nora"),
        "keen": ("Iris", "Felix", "Vera", "Anton"),
        "sharp": ("Selma", "Viktor", "Clara", "Oskar"),
        "eagle-eye": ("Argus", "Aquila", "Falko", "Linka"),
    }.items()
    for name, temper in zip(names, (CAUTIOUS, BOLD, EVEN, BOLD), strict=True)
)


@cache
def of_level(level: str) -> tuple[Character, ...]:
    return tuple(character for character in CHARACTERS if character.level == level)


def not_yet_seated(level: str, taken: Collection[str]) -> tuple[Character, ...]:
    """The characters of a level whose names are not taken at a table; all of them once none is left."""
    characters = of_level(level)
    return tuple(character for character in characters if character.name not in taken) or characters


def named(name: str, level: str) -> Character:
    """The character of that name, or an even-tempered one: a stand-in for a person, or a bot of an older game."""
    return next((character for character in of_level(level) if character.name == name), Character(name, level, EVEN))

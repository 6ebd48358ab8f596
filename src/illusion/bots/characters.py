"""Who sits there: every bot has a name, a temper and a face, and keeps them from game to game."""

from dataclasses import dataclass
from typing import Final

BOLD: Final = 1.0
EVEN: Final = 0.0
CAUTIOUS: Final = -1.0


@dataclass(frozen=True, slots=True)
class Character:
    """Somebody of a level. The name also decides the taste in patterns, and the face is drawn by it."""

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


def of_level(level: str) -> tuple[Character, ...]:
    return tuple(character for character in CHARACTERS if character.level == level)


def named(name: str, level: str) -> Character:
    """The character of that name; somebody even-tempered if there is none, as in games from before they had names."""
    return next((character for character in of_level(level) if character.name == name), Character(name, level, EVEN))

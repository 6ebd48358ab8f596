"""Bots at tables: five levels of skill, and characters with a name, a temper and a face."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Final

from illusion.bots.eyes import Eyes, Look, Noise, Observer, named_percentage
from illusion.bots.minds import Mind, PointEstimate, Threshold, Value
from illusion.bots.race import experiences
from illusion.rules import CardId, Colour, Move, View


@dataclass(frozen=True, slots=True)
class Level:
    """A level of skill: eyes and a mind."""

    name: str
    eyes: Eyes
    mind: Mind


LEVEL_NAMES: Final = ("first-timer", "casual", "keen", "sharp", "eagle-eye")
"""From the easiest opponent to the hardest."""


@cache
def levels() -> dict[str, Level]:
    learned = experiences()
    return {
        level.name: level
        for level in (
            Level("first-timer", Eyes(0.19), PointEstimate(doubts_at=1.2)),
            Level("casual", Eyes(0.14), PointEstimate(doubts_at=0.4)),
            Level("keen", Eyes(0.106), Threshold({2: 0.72, 3: 0.67, 4: 0.65, 5: 0.65})),
            Level("sharp", Eyes(0.07), Value(learned["sharp"], learns=False)),
            Level("eagle-eye", Eyes(0.047), Value(learned["eagle-eye"], learns=True)),
        )
    }


BOLD: Final = 1.0
EVEN: Final = 0.0
CAUTIOUS: Final = -1.0


@dataclass(frozen=True, slots=True)
class Character:
    """A character of a level. Its name also determines its taste in patterns and its face."""

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
    """The characters of a level whose names are not taken at a table; all of them if none is left."""
    characters = of_level(level)
    return tuple(character for character in characters if character.name not in taken) or characters


def named(name: str, level: str) -> Character:
    """The character of that name, or an even-tempered one: a stand-in for a person."""
    return next((character for character in of_level(level) if character.name == name), Character(name, level, EVEN))


class Bot:
    """A bot in a game. `name` determines its taste in patterns, `temper` how early it doubts, `noise` what it sees."""

    def __init__(self, level: Level, name: str, noise: Noise, temper: float = 0.0) -> None:
        self.level, self.name, self.temper = level, name, temper
        self._observer = Observer(level.eyes, name, noise)

    def decide(self, view: View, look: Look) -> Move:
        """Its move, from the public view and the pictures in it alone."""
        row, card = self._observer.survey(view, look)
        return self.level.mind.decide(view, row, card, self.temper)

    def believed(self, card: CardId, colour: Colour, look: Look) -> int:
        """The percentage that it would name for a card."""
        return named_percentage(self._observer.see(card, colour, look).seen, colour)

"""Five levels of skill, each with eyes and a mind."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from illusion.bots.experience import experiences
from illusion.bots.eyes import Eyes
from illusion.bots.minds import Mind, PointEstimate, Threshold, Value


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot sees, and how it decides."""

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

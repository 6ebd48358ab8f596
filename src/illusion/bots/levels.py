"""How good a bot's eyes are and how bold it is, by level."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """`blur` is the spread of ln(seen / true); `doubts_at` the fall, in units of blur, that makes it doubt."""

    name: str
    blur: float
    doubts_at: float


LEVELS: Final = {
    level.name: level
    for level in (
        Level("first-timer", 0.40, 1.4),
        Level("casual", 0.30, 1.0),
        Level("keen", 0.22, 0.8),
        Level("sharp", 0.15, 0.7),
        Level("eagle-eye", 0.10, 0.6),
    )
}

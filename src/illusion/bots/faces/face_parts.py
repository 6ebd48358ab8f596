"""What every face has, on a plate of 64 by 64: eyes, brows, a mouth, a head and shoulders.

All parts assume eyes at (25, 36) and (39, 36) and a mouth at (32, 46), so that they can be combined freely.
"""

from typing import Final

from illusion.bots.faces.pen import COAT, GOLD, INK, RED, SHADE, SKIN, WHITE, dots, line, shape

EYES: Final = {
    "first-timer": dots(13, WHITE, (25, 36), (39, 36))
    + dots(8, INK, (25.5, 35), (38.5, 35))
    + dots(3, WHITE, (27, 33.3), (40, 33.3)),
    "casual": dots(10, WHITE, (25, 36), (39, 36))
    + dots(5.6, INK, (25.5, 37.6), (39.5, 37.6))
    + shape(SHADE, "M19.6 36.4a5.4 5.6 0 0 1 10.8 0zM33.6 36.4a5.4 5.6 0 0 1 10.8 0z")
    + line(1.6, INK, "M19.6 36.4h10.8M33.6 36.4h10.8"),
    "keen": dots(6, INK, (25, 36), (39, 36)) + dots(2.2, WHITE, (26, 34.9), (40, 34.9)),
    "sharp": shape(WHITE, "M18.6 35l12.4 1.4q-2 4.2-6 4.2-5-.4-6.4-5.6zM45.4 35l-12.4 1.4q2 4.2 6 4.2 5-.4 6.4-5.6z")
    + dots(5, INK, (26, 37.8), (38, 37.8))
    + line(2, INK, "M18 34.7l13.2 1.5M46 34.7l-13.2 1.5"),
    "eagle-eye": dots(13, INK, (25, 35), (39, 35))
    + dots(10, GOLD, (25, 35), (39, 35))
    + dots(5.6, INK, (25.6, 35), (38.4, 35))
    + dots(2, WHITE, (26.6, 33.8), (39.4, 33.8)),
}
"""By level: wide, half closed, alert, narrowed, and the golden eyes of a bird of prey."""

BROWS: Final = {
    "bold": "M19.5 {low}q5-2.4 10 .4M34.5 {high}q5-3.6 10-.2",
    "even": "M20 {low}q5-2.4 9.6 0M34.4 {low}q5-2.4 9.6 0",
    "cautious": "M19.5 {low}q3.5-3 9-3.6M44.5 {low}q-3.5-3-9-3.6",
}
BROW_HEIGHT: Final = {"first-timer": 26.8, "casual": 28.4, "keen": 27.4, "sharp": 30.2, "eagle-eye": 27}
"""High enough to be clear of the eyes; a raised brow is higher."""

BEAK: Final = "#f08c00"
MOUTHS: Final = {
    "lips": {
        "bold": shape(INK, "M22.6 43.6q10 2.4 18.8-2-.2 11-9 11t-9.8-9z")
        + shape(WHITE, "M24.4 45.2q8 1.7 15.4-1.3-1 7.2-7.4 7.2t-8-5.9z"),
        "even": line(2, INK, "M26 46q6 4.4 12 0"),
        "cautious": line(2, INK, "M28.8 47q3.2 2 6.4 0"),
    },
    "beak": {
        "bold": shape(RED, "M26.5 45q5.5 10 11 0z")
        + shape(BEAK, "M24 43.5q8-10.5 16 0-2 2.5-5.5 2-1 2-2.5 4.5-1.5-2.5-2.5-4.5-3.5.5-5.5-2z"),
        "even": shape(BEAK, "M25 43q7-9 14 0-1 5-7 9.5-6-4.5-7-9.5z") + line(1.5, INK, "M27 44.5q5 3 10 0"),
        "cautious": shape(BEAK, "M26 43q6-8 12 0-1 4.5-6 8.5-5-4-6-8.5z") + line(1.5, INK, "M28.5 44.5q3.5 2 7 0"),
    },
    "snout": {
        "bold": shape(RED, "M27 45.5h10q-1 6-5 6t-5-6z")
        + shape(WHITE, "M28.3 46h2.6l-1.3 3zM33.1 46h2.6l-1.3 3z")
        + line(1.6, INK, "M32 42.5v2q-2 3-7 1.5M32 44.5q2 3 7 1.5"),
        "even": line(1.8, INK, "M32 42.5v2.5q-2 3-6 1.5M32 45q2 3 6 1.5"),
        "cautious": line(1.8, INK, "M32 42.5v3q-1.5 2-4 1M32 45.5q1.5 2 4 1"),
    },
}
"""With the brows they show the temper: a grin under a raised brow, a calm line, a small smile."""

HEADS: Final = {
    "round": "M14.5 35a17.5 18 0 0 1 35 0 17.5 18 0 0 1-35 0z",
    "long": "M16 31a16 15 0 0 1 32 0c0 15-6 23.5-16 23.5S16 46 16 31z",
    "square": "M15 29q0-12 12-12h10q12 0 12 12v13q0 12-12 12H27q-12 0-12-12z",
    "heart": "M14 31c0-9 8-14.5 18-14.5S50 22 50 31c0 13-11 22.5-18 22.5S14 44 14 31z",
    "feathered": "M32 14q18 0 18 18l3 7h-4l2 7-5-1-1 7-5-2-3 5-5-3-5 3-3-5-5 2-1-7-5 1 2-7h-4l3-7q0-18 18-18z",
    "furry": "M14 7l8 9.5q10-3.5 20 0L50 7q4 11 1 22l5 11-6-1 1 7-6-1q-4 9-13 9t-13-9l-6 1 1-7-6 1 5-11Q10 18 14 7z",
}
EARS_AND_NOSE: Final = dots(9, SKIN, (15, 38), (49, 38)) + line(1.8, SHADE, "M30 41.5q2 1.8 4 0")
SHOULDERS: Final = shape(COAT, "M11 56.2Q13 49 32 49t21 7.2a32 32 0 0 1-42 0z")

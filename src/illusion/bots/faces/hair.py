"""Hair, hats and feathers: each a part drawn behind the head and a part drawn over it."""

from typing import Final

from illusion.bots.faces.pen import BLUE, GOLD, HAIR, INK, RED, SHADE, SKIN, TRIM, WHITE, dots, line, shape

_FAN: Final = ((8, 21), (17, 9), (32, 7), (47, 9), (56, 21))

HAIRDOS: Final = {
    "party-hat": (
        "",
        shape(HAIR, "M15 33C14 20 22 16 32 16s18 4 17 17q-2-6-5-8-6 1-9-2-6 4-13 2-5 2-7 8z")
        + shape(TRIM, "M34 3L21.5 20.5q11 4 22-1z")
        + shape(WHITE, "M30.3 8.2l8.3 2.3 1.7 3.5-12.5-2.3zM25.7 14.6l16.3 2 1.5 2.9-20-1.9z")
        + dots(7, GOLD, (34, 4.5)),
    ),
    "puffs": (
        dots(19, HAIR, (12.5, 19), (51.5, 19)),
        shape(HAIR, "M14.5 31C15 20 22 15 32 15s17 5 17.5 16q-4-7-17.5-9-13.5 2-17.5 9z")
        + dots(6, TRIM, (18.5, 21), (45.5, 21)),
    ),
    "propeller-cap": (
        "",
        shape(TRIM, "M14 25Q15 11 32 11t18 14q-18-5-36 0z")
        + shape(GOLD, "M26 22.6Q26.5 13 32 11q5.5 2 6 11.6-6-.6-12 0z")
        + line(1.8, INK, "M32 11V7")
        + shape(HAIR, "M32 7q-5-5-11-1.5Q25 9.5 32 7q5 5 11 1.5Q39 4.5 32 7z"),
    ),
    "curls": (
        dots(18, HAIR, (32, 14), (19, 18), (45, 18), (12.5, 30), (51.5, 30), (14, 43), (50, 43)),
        shape(HAIR, "M15 30q1-14 17-14t17 14q-4-1-5-5-5 2-8-2-4 4-8 1-4 4-7 2-2 4-6 4z")
        + dots(5.6, TRIM, (46.5, 14), (50.5, 17), (49, 21.8), (44, 21.8), (42.5, 17))
        + dots(5, WHITE, (46.5, 18.3)),
    ),
    "beanie": (
        "",
        shape(TRIM, "M13.5 26Q14 9 32 9t18.5 17z") + dots(9, WHITE, (32, 8)) + line(7, WHITE, "M15.5 23.5h33"),
    ),
    "waves": (
        shape(HAIR, "M32 9C17 9 11 19 12 29q-6 6-2 12-3 6 2 13h40q5-7 2-13 4-6-2-12C53 19 47 9 32 9z"),
        shape(HAIR, "M14.5 34Q13 15 30 14q17-1 19.5 20-4-8-13-10.5-4-1-8-4-4 9-14 14.5z"),
    ),
    "boater": (
        dots(8, HAIR, (13.5, 29), (50.5, 29), (12.5, 34), (51.5, 34)),
        shape(TRIM, "M18 8q14-3 28 0l2 14H16z") + shape(RED, "M17 14q15-2 30 0l1 7H16z") + line(4.5, TRIM, "M9 22h46"),
    ),
    "afro": (dots(48, HAIR, (32, 26)), shape(HAIR, "M14 33q-1-18 18-18t18 18q-5-9-18-9t-18 9z")),
    "bob": (
        shape(HAIR, "M11 50Q8 12 32 12t21 38q-5 3-10 1H21q-5 2-10-1z"),
        shape(HAIR, "M14 34Q12 14 32 14t18 20q-2-4-3-9.5-15 2-30 0-1 5.5-3 9.5z"),
    ),
    "quiff": (
        "",
        shape(
            HAIR,
            "M15.5 33Q13 24 17 19q-3-4 1-8 3 3 6 1 3-7 12-8-1 3 2 4 8-2 12 2-3 1-3 4 6 5 2 19"
            "-2-8-6-11-13 1-21-2-6 4-6 12z",
        ),
    ),
    "bun": (
        dots(17, HAIR, (32, 10)),
        shape(HAIR, "M14.5 34Q13 15 32 15t17.5 19q-3-9-10-12-7-1.5-15 0-7 3-10 12z")
        + line(3.2, GOLD, "M43 4L24 14.5")
        + line(3.2, RED, "M44.5 3L43 4")
        + shape(INK, "M24.2 16.2l-5 .8 3.3-3.8z"),
    ),
    "crew-cut": ("", shape(HAIR, "M14.5 32L15 20q3-9 17-9t17 9l.5 12q-3-4-4-9-13-3-27 0-1 5-4 9z")),
    "sleek": (
        shape(HAIR, "M13 46Q6 11 32 11t19 32q0 8-4 12-4-3-5-9H20q-3 2-7 0z"),
        shape(HAIR, "M14 33Q12 13 33 13t17.5 24q-1-8-7-11-9-1-15-6-4 8-14.5 13z"),
    ),
    "top-hat": (
        "",
        shape(HAIR, "M15 32v-9h34v9q-3-2-3.5-6h-27q-.5 4-3.5 6zM20 3q12-3 24 0l-1.5 18h-21z")
        + shape(TRIM, "M21 14.5h22l-.5 6h-21z")
        + line(4.5, HAIR, "M11 22h42"),
    ),
    "beret": (
        shape(HAIR, "M14 46Q10 22 18 18h28q8 4 4 28z"),
        shape(HAIR, "M14.5 35q-1-9 3-13h29q4 4 3 13-4-3-5-9-9 1-15-2-6 4-10 4-3 3-5 7z")
        + shape(TRIM, "M12 20q-3-6 6-10 10-5 24-3 13 2 13 10 0 5-7 6-18-4-34 0-2-1-2-3z")
        + line(2.4, TRIM, "M36 7q0-3 2-5"),
    ),
    "eyeshade": (
        shape(SKIN, "M16 28q-1-16 16-16t16 16z"),
        line(4, GOLD, "M17.5 20q14.5-4 29 0") + shape(TRIM, "M15 21.5q17-4.5 34 0 3 3 3.5 7-20.5-6.5-41 0 .5-4 3.5-7z"),
    ),
    "peacock-fan": (
        line(2, HAIR, "M9 21l23 4-15-15 15 15V7v18l15-15-15 15 23-4")
        + dots(12, HAIR, *_FAN)
        + dots(7, TRIM, *_FAN)
        + dots(3.4, BLUE, *_FAN),
        "",
    ),
    "crest": (
        shape(SKIN, "M15 26l-5-11 8 3 0-11 8 6 6-11 6 11 8-6v11l8-3-5 11z"),
        line(2, SHADE, "M32 15v6M25.5 17l1 4.5M38.5 17l-1 4.5"),
    ),
    "hood": (
        "",
        shape(HAIR, "M13.5 33Q13 12 32 12t18.5 21q-4-7-11.5-7-5 0-7 6-2-6-7-6-7.5 0-11.5 7z")
        + shape(HAIR, "M20 42l-3 7 5 2zM44 42l3 7-5 2z"),
    ),
    "tufts": (
        shape(SKIN, "M14 7l-2 22h40L50 7l-8 9.5H22z"),
        shape(HAIR, "M13 1l1 11 6 4zM51 1l-1 11-6 4z")
        + shape(TRIM, "M16 13l2 9 5-4.5zM48 13l-2 9-5-4.5z")
        + line(2.2, HAIR, "M32 16v5M27 17l1 4M37 17l-1 4"),
    ),
}

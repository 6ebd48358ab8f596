"""Portraits of the bots: eyes show the level, brows and mouth the temper, all other parts the character.

In all parts `{skin}`, `{shade}`, `{hair}`, `{coat}` and `{trim}` are placeholders for the colours of a portrait.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from illusion.bots.characters import Character, of_level

INK: Final = "#22201d"
WHITE: Final = "#fff"
GOLD: Final = "#f6c100"
RED: Final = "#d62839"
GREEN: Final = "#1f9e80"
BLUE: Final = "#1f3b8c"
PEN: Final = 'fill="none" stroke-linecap="round"'
"""Attributes of the whole picture."""

SKIN, SHADE, HAIR, COAT, TRIM = "{skin}", "{shade}", "{hair}", "{coat}", "{trim}"


def shape(paint: str, path: str) -> str:
    return f'<path d="{path}" fill="{paint}"/>'


def line(width: float, paint: str, path: str) -> str:
    return f'<path d="{path}" stroke="{paint}" stroke-width="{width}"/>'


def dots(width: float, paint: str, *points: tuple[float, float]) -> str:
    """Round dots of one size, as lines of no length with round ends."""
    return line(width, paint, "".join(f"M{x} {y}h0" for x, y in points))


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

MOODS: Final = ("calm", "looks", "winces")
LOOKS: Final = "translate(-2.5 2.5)"
"""Down to the left, where the next card lies: brows, eyes and mouth go there, so the head seems to turn."""
SHUT: Final = line(2.2, INK, "M21 32.5l7 3.2-7 3.2M43 32.5l-7 3.2 7 3.2")
"""Eyes that would rather not have seen it."""

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


def _glasses(width: float, glass: str, path: str) -> str:
    return f'<g fill="{glass}" stroke-linejoin="round">{line(width, TRIM, path)}</g>'


ON_SKIN: Final = {
    "freckles": dots(2, SHADE, (19, 43.5), (22, 45.2), (45, 43.5), (42, 45.2)),
    "blush": dots(6, "#f28a8f", (19.5, 43.5), (44.5, 43.5)),
    "stubble": shape(HAIR, "M15 37q2 5 8.5 5 8-2 17 0 6.5 0 8.5-5Q49 54 32 54T15 37z"),
    "beard": shape(HAIR, "M14.5 33q2 8 8 8.5 9.5-2 19 0 6-.5 8-8.5Q51 57 32 58.5 13 57 14.5 33z"),
    "goatee": shape(HAIR, "M21 45q0-4 5-3.5 6 1.5 12 0 5-.5 5 3.5-1 12-11 16-10-4-11-16z"),
    "pale-cheeks": dots(16, WHITE, (25, 36), (39, 36)),
    "muzzle": shape(WHITE, "M19 44q6-5 13-3 7-2 13 3 0 9-13 10-13-1-13-10z") + shape(INK, "M28.5 40h7L32 44z"),
    "round-glasses": _glasses(
        2,
        WHITE,
        "M17.8 36a6.7 6.7 0 1 0 0-.1zM32.8 36a6.7 6.7 0 1 0 0-.1z",
    ),
    "square-glasses": _glasses(2.2, WHITE, "M17.5 30h13v12h-13zM33.5 30h13v12h-13z"),
    "cat-eye-glasses": _glasses(
        2.2, WHITE, "M15 28.5l15.5 3q.5 10-6 10-7.5 0-9.5-13zM49 28.5l-15.5 3q-.5 10 6 10 7.5 0 9.5-13z"
    ),
    "browline-glasses": _glasses(1.4, WHITE, "M18 35h13q0 8-6.5 8T18 35zM33 35h13q0 8-6.5 8T33 35z")
    + line(3, TRIM, "M18 33.5h28"),
}

WORN: Final = {
    "hoops": line(2, TRIM, "M10 45a4 4 0 1 0 0-.1zM46 45a4 4 0 1 0 0-.1z"),
    "headphones": line(3.5, TRIM, "M13 34Q11 10 32 10t19 24") + line(8, TRIM, "M12.5 34v6M51.5 34v6"),
    "moustache": shape(HAIR, "M32 42q4-3 8-1 5 3 9 0-1 7-8 7-6 0-9-3-3 3-9 3-7 0-8-7 4 3 9 0 4-2 8 1z"),
    "curled-moustache": line(2.6, HAIR, "M32 42q5-1.5 8 .8 4 2 6.5-2.3M32 42q-5-1.5-8 .8-4 2-6.5-2.3"),
    "sunglasses-up": _glasses(2, INK, "M30 17h4M17.5 15h13v3q0 6-6.5 6t-6.5-6zM33.5 15h13v3q0 6-6.5 6t-6.5-6z"),
    "monocle": line(2.2, GOLD, "M32 37a7 7 0 1 0 0-.1z") + line(1.2, GOLD, "M45.5 40q3 8-1 14"),
    "magnifying-glass": line(4, INK, "M44 43l7 11")
    + dots(19, INK, (39, 36.5))
    + dots(15, WHITE, (39, 36.5))
    + dots(9, INK, (38, 38))
    + shape(SHADE, "M31.6 35h14.8a7.5 7.5 0 0 0-14.8 0z"),
    "pencil": line(3.4, GOLD, "M43.5 23L53 16.5")
    + line(3.4, RED, "M55 15l-2 1.5")
    + shape(INK, "M43.8 25l-5 1.5 3-4.3z"),
    "bow-tie": shape(TRIM, "M32 58l-8-4.5v9zM32 58l8-4.5v9z") + dots(4, TRIM, (32, 58)),
    "turtleneck": line(7, COAT, "M25.5 58h13"),
    "flying-goggles": line(4, "#6b4423", "M15 21q17-5 34 0")
    + dots(12, TRIM, (25, 19), (39, 19))
    + dots(8, "#b7d5f7", (25, 19), (39, 19)),
    "binoculars": line(8, INK, "M26 56.5v2.5M38 56.5v2.5")
    + line(4, INK, "M26 56h12")
    + line(1.8, GOLD, "M23.5 59.5h5M35.5 59.5h5"),
}


ROSE, SAND, MINT, SKY = "#f4a3a8", "#fbdc73", "#8ed6c2", "#a3b6ee"
"""Plates: the four colours of the game, lighter."""

SILVER, SLATE, GINGER, UMBER, BARK = "#e4e6ea", "#44546a", "#e2711d", "#8a5528", "#6b4423"
PINE, PLUM, ROYAL = "#17614f", "#5a2456", "#2f5fd0"

SKINS: Final = {
    "peach": ("#fbd3ae", "#eeb083"),
    "tan": ("#e3ab7c", "#c88a58"),
    "brown": ("#a96f47", "#8a5532"),
    "deep": ("#7f4d30", "#643920"),
    "sky": ("#b7d5f7", "#8db4e6"),
    "leaf": ("#aee0a9", "#7fc382"),
    "lilac": ("#d3c1f0", "#ab95d9"),
    "white": ("#fbf8f0", "#ddd5c4"),
    "royal": (ROYAL, BLUE),
    "amber": ("#e8a45c", "#c98240"),
}
"""Skin, feathers and fur, each with its shade."""


@dataclass(frozen=True, slots=True)
class Paints:
    """`trim` is for hats, bows and the frames of glasses."""

    skin: str
    hair: str
    coat: str
    trim: str


@dataclass(frozen=True, slots=True)
class Portrait:
    """Parts by their names."""

    plate: str
    paints: Paints
    hair: str
    head: str
    mouth: str
    on_skin: tuple[str, ...] = ()
    worn: tuple[str, ...] = ()


def _person(plate: str, paints: Paints, hair: str, head: str, *on_skin: str, worn: tuple[str, ...] = ()) -> Portrait:
    return Portrait(plate, paints, hair, head, "lips", on_skin, worn)


PORTRAITS: Final = {
    "Pip": _person(MINT, Paints("peach", GINGER, RED, BLUE), "party-hat", "round", "freckles"),
    "Lotta": _person(SAND, Paints("brown", INK, GREEN, RED), "puffs", "heart", "blush"),
    "Benno": _person(ROSE, Paints("sky", BLUE, GOLD, RED), "propeller-cap", "round", "blush"),
    "Tilda": _person(SKY, Paints("peach", GREEN, GOLD, RED), "curls", "heart", "freckles"),
    "Hugo": _person(SAND, Paints("tan", UMBER, GREEN, BLUE), "beanie", "square", "stubble"),
    "Mila": _person(MINT, Paints("peach", "#e0566a", BLUE, GOLD), "waves", "long", worn=("headphones",)),
    "Otto": _person(ROSE, Paints("leaf", PINE, BLUE, GOLD), "boater", "round", worn=("moustache",)),
    "Nora": _person(SKY, Paints("deep", "#2b1a3d", RED, GOLD), "afro", "round", worn=("sunglasses-up", "hoops")),
    "Iris": _person(SAND, Paints("peach", ROYAL, GREEN, RED), "bob", "round", "round-glasses"),
    "Felix": _person(SKY, Paints("tan", GINGER, BLUE, GREEN), "quiff", "long", "square-glasses", worn=("pencil",)),
    "Vera": _person(MINT, Paints("deep", PLUM, GOLD, RED), "bun", "heart", "cat-eye-glasses"),
    "Anton": _person(
        ROSE,
        Paints("brown", "#3d2b23", GREEN, GOLD),
        "crew-cut",
        "square",
        "beard",
        "browline-glasses",
        worn=("bow-tie",),
    ),
    "Selma": _person(ROSE, Paints("brown", SILVER, BLUE, GOLD), "sleek", "heart", worn=("monocle",)),
    "Viktor": _person(SKY, Paints("peach", INK, RED, RED), "top-hat", "long", worn=("curled-moustache", "monocle")),
    "Clara": _person(SAND, Paints("sky", BLUE, INK, RED), "beret", "round", worn=("magnifying-glass",)),
    "Oskar": _person(MINT, Paints("lilac", "#fff", RED, BLUE), "eyeshade", "square", "goatee", worn=("turtleneck",)),
    "Argus": Portrait(SAND, Paints("royal", GREEN, GREEN, GOLD), "peacock-fan", "round", "beak", ("pale-cheeks",)),
    "Aquila": Portrait(ROSE, Paints("white", BARK, BARK, RED), "crest", "feathered", "beak"),
    "Falko": Portrait(MINT, Paints("white", SLATE, SLATE, RED), "hood", "round", "beak", worn=("flying-goggles",)),
    "Linka": Portrait(
        SKY, Paints("amber", "#5b3517", GREEN, ROSE), "tufts", "furry", "snout", ("muzzle",), ("binoculars",)
    ),
}


def portrait_of(character: Character) -> Portrait:
    """The character's portrait. Other names get parts of the level's characters, determined by the name."""
    family = of_level(character.level)
    if character in family:
        return PORTRAITS[character.name]
    drawn = hashlib.sha256(f"face {character.level} {character.name}".encode()).digest()
    plate, paints, hair, head, worn = (PORTRAITS[family[number % len(family)].name] for number in drawn[:5])
    return Portrait(plate.plate, paints.paints, hair.hair, head.head, head.mouth, head.on_skin, worn.worn)


@lru_cache(512)
def face_svg(character: Character, mood: str = "calm") -> str:
    """The face on a round plate of 64 by 64. It has no ids and no styles, so many can be inlined in one page."""
    face = portrait_of(character)
    paints = face.paints
    skin, shade = SKINS[paints.skin]
    temper = "bold" if character.temper > 0 else "cautious" if character.temper < 0 else "even"
    if mood == "winces":
        temper = "cautious"
    height = BROW_HEIGHT[character.level]
    behind, over = HAIRDOS[face.hair]
    eyes = SHUT if mood == "winces" else EYES[character.level]
    brows = line(2.2, INK, BROWS[temper].format(low=height, high=height - 3.4))
    drawn = "".join(
        [
            dots(64, face.plate, (32, 32)),
            behind,
            SHOULDERS,
            shape(SKIN, HEADS[face.head]),
            EARS_AND_NOSE if face.mouth == "lips" else "",
            _turned(mood, "".join([*(ON_SKIN[part] for part in face.on_skin), eyes, MOUTHS[face.mouth][temper]])),
            over,
            _turned(mood, brows),
            *(WORN[part] for part in face.worn),
        ]
    )
    painted = drawn.format(skin=skin, shade=shade, hair=paints.hair, coat=paints.coat, trim=paints.trim)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" {PEN}>{painted}</svg>'


def _turned(mood: str, parts: str) -> str:
    return f'<g transform="{LOOKS}">{parts}</g>' if mood == "looks" else parts

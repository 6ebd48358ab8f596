"""The parts and colours of each of the twenty characters' faces, and of anybody else's."""

import hashlib
from dataclasses import dataclass
from typing import Final

from illusion.bots.characters import Character, of_level
from illusion.bots.faces.pen import BLUE, GOLD, GREEN, INK, RED

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
    """The character's own. A stranger gets parts of the characters of the level, always the same for the same name."""
    family = of_level(character.level)
    if character in family:
        return PORTRAITS[character.name]
    lot = hashlib.sha256(f"face {character.level} {character.name}".encode()).digest()
    plate, paints, hair, head, worn = (PORTRAITS[family[drawn % len(family)].name] for drawn in lot[:5])
    return Portrait(plate.plate, paints.paints, hair.hair, head.head, head.mouth, head.on_skin, worn.worn)

"""Names that players choose, normalized so that they can be shown to others."""

import unicodedata
from collections.abc import Collection
from typing import Final

from illusion.tables.model.errors import RefusalCode, Refused

MAX_CHARACTERS: Final = 24
MAX_CODE_POINTS: Final = 4 * MAX_CHARACTERS
"""Before normalization: letters with two accents each fit. Normalizing takes quadratic time."""

BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""The Hangul fillers, the empty Braille pattern and the null notehead: with one, two names would look the same."""


def clean_name(name: str) -> str:
    """The name in NFC, with single spaces and without invisible characters; 1 to 24 characters."""
    if len(name) > MAX_CODE_POINTS:
        raise Refused(RefusalCode.BAD_NAME, longest=MAX_CHARACTERS)
    composed = unicodedata.normalize("NFC", name)
    visible = "".join(" " if each.isspace() else each for each in composed if each.isspace() or _visible(each))
    tidy = " ".join(visible.split())
    has_letter = any(unicodedata.category(each)[0] in "LNSP" for each in tidy)
    if not 1 <= len(tidy) <= MAX_CHARACTERS or not has_letter:
        raise Refused(RefusalCode.BAD_NAME, longest=MAX_CHARACTERS)
    return tidy


def distinct_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number added if somebody at the table has it already (compared without case)."""
    known = {other.casefold() for other in taken}
    number, distinct = 1, name
    while distinct.casefold() in known:
        number += 1
        ending = f" {number}"
        distinct = name[: MAX_CHARACTERS - len(ending)] + ending
    return distinct


def _visible(character: str) -> bool:
    """Not a control or format character, no letter or sign without ink, and no mark that could stack over the line."""
    if character in BLANK:
        return False
    return unicodedata.category(character)[0] != "C" and unicodedata.category(character) not in ("Mn", "Me", "Zl", "Zp")

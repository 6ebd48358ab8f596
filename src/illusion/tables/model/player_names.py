"""Names that people give themselves, made fit to be shown to others."""

import unicodedata
from collections.abc import Collection
from typing import Final

from illusion.tables.model.errors import RefusalCode, Refused

LONGEST: Final = 24


def clean_name(name: str) -> str:
    """The name in composed letters, with single spaces and nothing invisible; 1 to 24 characters."""
    composed = unicodedata.normalize("NFC", name)
    visible = "".join(" " if sign.isspace() else sign for sign in composed if sign.isspace() or _visible(sign))
    tidy = " ".join(visible.split())
    if not 1 <= len(tidy) <= LONGEST or not any(unicodedata.category(sign)[0] in "LNSP" for sign in tidy):
        raise Refused(RefusalCode.BAD_NAME, longest=LONGEST)
    return tidy


def distinct_name(name: str, taken: Collection[str]) -> str:
    """The name, or the name with a number if somebody at the table has it, however they write it."""
    known = {other.casefold() for other in taken}
    number, distinct = 1, name
    while distinct.casefold() in known:
        number += 1
        ending = f" {number}"
        distinct = name[: LONGEST - len(ending)] + ending
    return distinct


def _visible(sign: str) -> bool:
    """Neither a control nor a format sign, and no mark that could stack up over a line."""
    return unicodedata.category(sign)[0] != "C" and unicodedata.category(sign) not in ("Mn", "Me", "Zl", "Zp")

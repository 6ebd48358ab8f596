"""Chooses a reader's language: their own choice, else the best match for Accept-Language, else English."""

from collections.abc import Iterator, Mapping
from typing import Final

from illusion.languages.language import ENGLISH, Language

MAX_ACCEPTED_CHARACTERS: Final = 200


def negotiate(known: Mapping[str, Language], accepted: str, chosen: str = "") -> Language:
    """`accepted` is the Accept-Language header, `chosen` the reader's earlier choice; neither is trusted.

    Of a header longer than any browser's only the beginning counts, so that there is little to do for any header.
    """
    if chosen in known:
        return known[chosen]
    by_code = {code.lower(): language for code, language in known.items()}
    for wanted in _by_preference(accepted[:MAX_ACCEPTED_CHARACTERS]):
        code = wanted
        while code:  # de-at, then de
            if code in by_code:
                return by_code[code]
            code = code.rpartition("-")[0]
    return ENGLISH


def _by_preference(accepted: str) -> Iterator[str]:
    """The header's codes in lower case, best first, without those of weight 0 and those that cannot be parsed."""
    weighed = []
    for part in accepted.lower().split(","):
        code, _, weight = part.replace(" ", "").partition(";q=")
        try:
            weighed.append((float(weight or 1), code))
        except ValueError:
            continue
    yield from (code for weight, code in sorted(weighed, key=lambda each: -each[0]) if weight > 0)

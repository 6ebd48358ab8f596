"""Which language a reader gets: the one they chose, else the best of those their browser asks for, else English."""

from collections.abc import Iterator, Mapping

from illusion.languages.language import ENGLISH, Language


def negotiate(known: Mapping[str, Language], accepted: str, chosen: str = "") -> Language:
    """`accepted` is the header Accept-Language, `chosen` what the reader once picked; either may be nonsense."""
    if chosen in known:
        return known[chosen]
    by_code = {code.lower(): language for code, language in known.items()}
    for wanted in _by_preference(accepted):
        code = wanted
        while code:  # de-at, then de
            if code in by_code:
                return by_code[code]
            code = code.rpartition("-")[0]
    return ENGLISH


def _by_preference(accepted: str) -> Iterator[str]:
    """The header's codes in lower case, best first; those of weight 0 and those that cannot be read left out."""
    weighed = []
    for part in accepted.lower().split(","):
        code, _, weight = part.replace(" ", "").partition(";q=")
        try:
            weighed.append((float(weight or 1), code))
        except ValueError:
            continue
    yield from (code for weight, code in sorted(weighed, key=lambda each: -each[0]) if weight > 0)

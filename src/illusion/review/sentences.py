"""A turning point as one plain sentence, in the reader's language. It says no more than the review has found."""

from collections.abc import Sequence
from typing import Final

from illusion.languages import N_, Language
from illusion.review.findings import TurningPoint

SENTENCES: Final = {
    "believed": N_(
        "%(name)s believed a row that seemed %(wrong)s likely to be wrong; a doubt was worth %(points)s more."
    ),
    "misplaced": N_("%(name)s placed a card %(off)s off; an ordinary eye gets it right %(chance)s of the time."),
    "placed": N_("%(name)s placed a card right; an ordinary eye does so %(chance)s of the time."),
    "doubted-right": N_("%(name)s doubted a row that seemed %(wrong)s likely to be wrong, and it was wrong."),
    "doubted-wrong": N_("%(name)s doubted a row that seemed %(wrong)s likely to be wrong, but it was right."),
}


def sentence(point: TurningPoint, names: Sequence[str], language: Language) -> str:
    """`names` are those of the seats."""
    return language.gettext(SENTENCES[point.what]) % {
        "name": names[point.seat],
        "wrong": language.percent(_chance(point.row_wrong)),
        "points": _points(_percent(point.cost), language),
        "off": _points(point.off, language),
        "chance": language.percent(_chance(point.chance_to_fit)),
    }


def _percent(chance: float | None) -> int:
    return round(100 * (chance or 0.0))


def _chance(chance: float | None) -> int:
    """In percent. The model is sure of nothing, so neither is the sentence."""
    return min(max(_percent(chance), 1), 99)


def _points(count: int, language: Language) -> str:
    return language.ngettext("%(count)s point", "%(count)s points", count) % {"count": count}

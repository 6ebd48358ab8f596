"""A language as the rest of the house sees it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from gettext import NullTranslations
from typing import Final


@dataclass(frozen=True, eq=False)
class Language:
    """Sentences go in as they stand in the source, in English, and come out in this language."""

    code: str
    """As in `<html lang>`."""
    name: str
    """What its speakers call it."""
    direction: str
    """`ltr` or `rtl`."""
    read: Callable[[], NullTranslations]
    """Its catalogue, read when the first text is needed."""

    @cached_property
    def texts(self) -> NullTranslations:
        return self.read()

    def gettext(self, text: str) -> str:
        return self.texts.gettext(text) if text else ""  # to gettext the empty text means the catalogue's header

    def ngettext(self, one: str, many: str, count: int) -> str:
        """The form that goes with a count: two in English, three in Polish."""
        return self.texts.ngettext(one, many, count)


ENGLISH: Final = Language("en", "English", "ltr", NullTranslations)
"""The language of the source: its catalogue is the source itself."""


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for it)
    """Marks a text for the catalogues where it stands before anybody's language is known."""
    return text

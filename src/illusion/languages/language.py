"""One language: its code, its name, and its translations of the English texts in the source."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from gettext import NullTranslations
from typing import Final


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for it)
    """Marks a text for extraction where the reader's language is not known yet."""
    return text


PERCENT: Final = N_("%(share)s%%")


@dataclass(frozen=True, eq=False)
class Language:
    """Translates texts. A text is looked up by its English wording in the source."""

    code: str
    """As in `<html lang>`."""
    name: str
    """The language's name in itself: Deutsch, Polski."""
    direction: str
    """`ltr` or `rtl`."""
    read: Callable[[], NullTranslations]
    """Reads the catalogue; called when the first text is needed."""

    @cached_property
    def texts(self) -> NullTranslations:
        return self.read()

    def gettext(self, text: str) -> str:
        return self.texts.gettext(text) if text else ""  # to gettext the empty text means the catalogue's header

    def ngettext(self, one: str, many: str, count: int) -> str:
        """The form for a count: English has two, Polish three."""
        return self.texts.ngettext(one, many, count)

    def percent(self, share: object) -> str:
        """A percentage as the language writes it: 16% or 16 %. The only place where a percent sign is set."""
        return self.gettext(PERCENT) % {"share": share}


ENGLISH: Final = Language("en", "English", "ltr", NullTranslations)
"""The language of the source, which needs no catalogue."""

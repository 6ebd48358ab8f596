"""The languages of the game. Each one is a folder here with a gettext catalogue; nothing else lists them.

Catalogues are read as `.po` files, so nothing is compiled.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.parser import HeaderParser
from functools import cache, cached_property, partial
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Final

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

__all__ = ["ENGLISH", "N_", "Language", "languages", "negotiate"]


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for it)
    """Marks a text for extraction whose language is chosen later."""
    return text


PERCENT: Final = N_("%(share)s%%")


@dataclass(frozen=True, eq=False)
class Language:
    """Translates texts, by their English wording in the source."""

    code: str
    """As in `<html lang>`."""
    name: str
    """The language's name in itself: Deutsch, Polski."""
    direction: str
    """`ltr` or `rtl`."""
    read: Callable[[], NullTranslations]
    """Reads the catalogue; called on first use."""

    @cached_property
    def texts(self) -> NullTranslations:
        return self.read()

    def gettext(self, text: str) -> str:
        return self.texts.gettext(text) if text else ""  # to gettext the empty text means the catalogue's header

    def ngettext(self, one: str, many: str, count: int) -> str:
        """The form for a count: English has two, Polish three."""
        return self.texts.ngettext(one, many, count)

    def percent(self, share: object) -> str:
        """A percentage in the language's format: 16% or 16 %."""
        return self.gettext(PERCENT) % {"share": share}


ENGLISH: Final = Language("en", "English", "ltr", NullTranslations)
"""The language of the source, which needs no catalogue."""


FOLDER: Final = Path(__file__).parent
FILE: Final = "illusion.po"
STATE_HEADER: Final = "X-State"
BEGUN: Final = "begun"
"""The state of a catalogue that is still being translated."""


@cache
def languages() -> MappingProxyType[str, Language]:
    """The languages offered to readers, by code, in the order of their own names."""
    return languages_in(FOLDER)


def languages_in(folder: Path) -> MappingProxyType[str, Language]:
    """English, and every catalogue in a folder that is not marked as begun."""
    paths = [path for path in folder.glob(f"*/{FILE}") if not is_begun(path)]
    found = [ENGLISH, *map(language_of, paths)]
    return MappingProxyType({language.code: language for language in sorted(found, key=lambda each: each.name)})


def is_begun(path: Path) -> bool:
    """Whether a catalogue is marked `X-State: begun`. Reads its header only, because this runs at every start."""
    lines = []
    with path.open(encoding="utf-8") as file:
        for line in file:
            if not line.strip():
                break
            if line.startswith('"'):
                lines.append(line.strip().strip('"').replace("\\n", "\n"))
    return HeaderParser().parsestr("".join(lines))[STATE_HEADER] == BEGUN


def language_of(path: Path) -> Language:
    """The language of a catalogue: its code is the folder's name, its own name and direction come from Babel."""
    code = path.parent.name
    locale = Locale.parse(code, sep="-")
    name = locale.get_display_name() or code
    return Language(code, name[:1].upper() + name[1:], locale.text_direction, partial(_read, path, locale))


def _read(path: Path, locale: Locale) -> GNUTranslations:
    with path.open("rb") as file:
        catalogue = read_po(file, locale, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)


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

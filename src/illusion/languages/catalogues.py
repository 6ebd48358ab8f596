"""Finds the catalogues and reads them. They are read as `.po` files, so there is no compile step."""

from email.parser import HeaderParser
from functools import cache, partial
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Final

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from illusion.languages.language import ENGLISH, Language

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

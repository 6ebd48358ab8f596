"""Catalogues, read as translators write them: there is nothing to compile and nothing to forget."""

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


@cache
def languages() -> MappingProxyType[str, Language]:
    """English, and every folder here that holds a catalogue, by code and in the order of their own names."""
    found = [ENGLISH, *(_language(path) for path in FOLDER.glob(f"*/{FILE}"))]
    return MappingProxyType({language.code: language for language in sorted(found, key=lambda each: each.name)})


def _language(path: Path) -> Language:
    """The folder's name is the language's code; what its speakers call it is known to Babel."""
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

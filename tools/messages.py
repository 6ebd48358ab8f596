"""Gather every marked text into the catalogues: make messages.

Each folder in src/illusion/languages gets its catalogue, new texts are added without a translation, texts that are gone
are dropped. An empty folder named after a language begins that language.
"""

from io import SEEK_END, BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

SOURCE = Path(__file__).parent.parent / "src" / "illusion"
LANGUAGES = SOURCE / "languages"
METHODS = [("**.py", "python"), ("web/templates/**.html", "jinja2")]
OPTIONS = {"web/templates/**.html": {"silent": "false"}}
KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2)}
HEADER = """\
# Illusion in {name}. The terms are fixed in docs/translating.md; `make messages` brings this file up to date.
msgid ""
msgstr ""
"Language: {code}\\n"
"Plural-Forms: {plurals}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def extracted() -> Catalog:
    """Every text that is marked in the source, in the order of the files."""
    catalogue = Catalog()
    found = extract_from_dir(
        SOURCE, METHODS, OPTIONS, KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True
    )
    for file, _, text, comments, context in sorted(found, key=lambda each: each[:2]):
        catalogue.add(text, locations=[(f"src/illusion/{file}", 0)], auto_comments=comments, context=context)
    return catalogue


def catalogue_of(folder: Path) -> Catalog:
    """A language's catalogue as it stands, or an empty one."""
    locale = Locale.parse(folder.name, sep="-")
    path = folder / "illusion.po"
    if not path.exists():
        return Catalog(locale)
    with path.open("rb") as file:
        return read_po(file, locale, abort_invalid=True)


def updated(folder: Path, marked: Catalog) -> bytes:
    """The catalogue with exactly the marked texts; what is translated stays, nothing is guessed."""
    catalogue = catalogue_of(folder)
    catalogue.update(marked, no_fuzzy_matching=True)
    name = Locale.parse(folder.name, sep="-").get_display_name("en")
    out = BytesIO(HEADER.format(name=name, code=folder.name, plurals=catalogue.plural_forms).encode())
    out.seek(0, SEEK_END)
    write_po(out, catalogue, width=120, ignore_obsolete=True, include_lineno=False, omit_header=True)
    return out.getvalue()


def folders() -> list[Path]:
    return sorted(path for path in LANGUAGES.iterdir() if path.is_dir() and not path.name.startswith("_"))


def main() -> None:
    marked = extracted()
    for folder in folders():
        (folder / "illusion.po").write_bytes(updated(folder, marked))


if __name__ == "__main__":
    main()

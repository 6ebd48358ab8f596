"""Extract all marked texts into the catalogues: make messages.

Each folder in src/illusion/languages gets its catalogue: new texts are added without a translation, texts that are no
longer used are dropped. An empty folder named after a language begins that language: its catalogue is marked
`X-State: begun`, and readers are not offered it until that line is deleted.

    python tools/messages.py           update the catalogues, then report
    python tools/messages.py --report  only report how much of each language is translated
"""

import sys
from io import SEEK_END, BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from illusion.languages import BEGUN, FILE, STATE_HEADER, is_begun

SOURCE = Path(__file__).parent.parent / "src" / "illusion"
LANGUAGES = SOURCE / "languages"
METHODS = [("**.py", "python"), ("web/**.html", "jinja2"), ("web/static/js/**.js", "javascript")]
OPTIONS = {"web/**.html": {"silent": "false"}, "web/static/js/**.js": {"parse_template_string": "true"}}
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
{state}
"""
STATE = f'"{STATE_HEADER}: {BEGUN}\\n"\n'


def extracted() -> Catalog:
    """All marked texts of the source, in the order of files."""
    catalogue = Catalog()
    found = extract_from_dir(
        SOURCE, METHODS, OPTIONS, KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True
    )
    for file, _, text, comments, context in sorted(found, key=lambda each: each[:2]):
        catalogue.add(text, locations=[(f"src/illusion/{file}", 0)], auto_comments=comments, context=context)
    return catalogue


def catalogue_of(folder: Path) -> Catalog:
    """A language's catalogue, or an empty one."""
    locale = Locale.parse(folder.name, sep="-")
    path = folder / FILE
    if not path.exists():
        return Catalog(locale)
    with path.open("rb") as file:
        return read_po(file, locale, abort_invalid=True)


def updated(folder: Path, marked: Catalog) -> bytes:
    """The catalogue with exactly the marked texts; translations are kept, and none is guessed."""
    catalogue = catalogue_of(folder)
    catalogue.update(marked, no_fuzzy_matching=True)
    name = Locale.parse(folder.name, sep="-").get_display_name("en")
    path = folder / FILE
    state = STATE if not path.exists() or is_begun(path) else ""
    header = HEADER.format(name=name, code=folder.name, plurals=catalogue.plural_forms, state=state)
    out = BytesIO(header.encode())
    out.seek(0, SEEK_END)
    write_po(out, catalogue, width=120, ignore_obsolete=True, include_lineno=False, omit_header=True)
    return out.getvalue()


def folders(root: Path = LANGUAGES) -> list[Path]:
    return sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith("_"))


def forms(message: Message) -> tuple[str, ...]:
    """The translations of a message: one, or one per plural form; missing ones are empty."""
    return (str(message.string),) if isinstance(message.id, str) else tuple(message.string or ("",))


def is_translated(message: Message) -> bool:
    return all(forms(message)) and not message.fuzzy


def report(folder: Path) -> str:
    """The state of a language's translation, in one line."""
    messages = [message for message in catalogue_of(folder) if message.id]
    missing = sum(not is_translated(message) for message in messages)
    done = f"{len(messages) - missing} of {len(messages)} texts translated"
    if not is_begun(folder / FILE):
        return f"{folder.name}: {done}"
    then = f"{missing} missing" if missing else f"delete the line {STATE_HEADER} to offer it to readers"
    return f"{folder.name}: {BEGUN}, {done}, {then}"


def main(arguments: list[str]) -> None:
    if "--report" not in arguments:
        marked = extracted()
        for folder in folders():
            (folder / FILE).write_bytes(updated(folder, marked))
    for folder in folders():
        print(report(folder))


if __name__ == "__main__":
    main(sys.argv[1:])

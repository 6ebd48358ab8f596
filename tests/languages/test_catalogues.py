"""Every catalogue holds exactly the texts that are marked in the source, translated rightly."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from babel.messages.catalog import Catalog, Message
from tools.messages import LANGUAGES, catalogue_of, extracted, folders, forms, is_translated, updated

from illusion.deck.print_texts import DECK, HOW, RULES
from illusion.languages import ENGLISH, FILE, is_begun, languages
from illusion.web.pages.static import STATIC, marked

GLOSSARY: Final = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (Path(__file__).parents[2] / "docs" / "translating.md").read_text().splitlines()
    if line.startswith("|") and not line.startswith("| ---")
]
PLACEHOLDER: Final = re.compile(r"%\(\w+\)s|%%")
TYPOGRAPHY: Final = {
    "fr": re.compile(r"\w[:;!?»]|[^\u00a0][:;!?»](?!\w)|«[^\u00a0]"),
    "pl": re.compile(r"(?<!\w)[aiouwz] ", re.IGNORECASE),
}
"""By language, what may not occur: spaces that break where its custom is that they do not."""


def messages(folder: Path) -> Iterator[Message]:
    return (message for message in catalogue_of(folder) if message.id)


def translated(folder: Path) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The forms of every translated message in the source, and in the catalogue."""
    for message in messages(folder):
        if is_translated(message):
            source = (message.id,) if isinstance(message.id, str) else tuple(message.id)
            yield source, forms(message)


def nothing_is_missing_or_fuzzy(folder: Path) -> None:
    assert is_begun(folder / FILE) or [message.id for message in messages(folder) if not is_translated(message)] == []


def placeholders_are_the_same(folder: Path) -> None:
    """A text with placeholders is filled in with the same things; in one without, a % is just a %."""
    for source, target in translated(folder):
        wanted = {name for text in source for name in PLACEHOLDER.findall(text)}
        for text in target:
            assert set(PLACEHOLDER.findall(text)) == wanted, source
            if wanted:
                assert "%" not in PLACEHOLDER.sub("", text), source


def spaces_and_full_stops_at_the_ends_are_the_same(folder: Path) -> None:
    """Templates set sentences next to each other."""
    for source, target in translated(folder):
        for text in target:
            assert text == text.strip(), source
            assert text.endswith(".") == source[0].endswith("."), source


def percent_signs_are_written_in_one_way(folder: Path) -> None:
    """Either none or all of them come after a no-break space."""
    before = {
        text[at - 1] == "\u00a0"
        for _, target in translated(folder)
        for text in target
        for at in (found.start() for found in re.finditer(r"(?<!%)%%?(?!\()", text))
    }
    assert len(before) < 2


def spaces_follow_the_language(folder: Path) -> None:
    forbidden = TYPOGRAPHY.get(folder.name)
    found = [text for _, target in translated(folder) for text in target if forbidden and forbidden.search(text)]
    assert found == []


CHECKS: Final = (
    nothing_is_missing_or_fuzzy,
    placeholders_are_the_same,
    spaces_and_full_stops_at_the_ends_are_the_same,
    percent_signs_are_written_in_one_way,
    spaces_follow_the_language,
)


@pytest.fixture(scope="module")
def extraction() -> Catalog:
    return extracted()


def test_a_language_is_a_folder_that_is_not_merely_begun() -> None:
    finished = {folder.name for folder in folders() if not is_begun(folder / FILE)}
    assert set(languages()) == {"en"} | finished
    assert {"en", "de", "fr", "es", "pl"} <= set(languages())


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_a_catalogue_is_what_extraction_gives_and_right(folder: Path, extraction: Catalog) -> None:
    """No text is lacking and none is left over; `make messages` puts it right."""
    assert (folder / FILE).read_bytes() == updated(folder, extraction)
    for check in CHECKS:
        check(folder)


def test_no_sentence_is_the_same_in_two_languages() -> None:
    """So no translation has slipped into a neighbour's catalogue."""
    said: dict[str, str] = {}
    for folder in folders():
        for text in {text for _, target in translated(folder) for text in target if len(text.split()) > 4}:
            assert said.setdefault(text, folder.name) == folder.name, text


@pytest.mark.parametrize(
    ("check", "language", "right", "wrong"),
    [
        ("nothing_is_missing_or_fuzzy", "de", 'msgstr "Jetzt spielen"', 'msgstr ""'),
        ("nothing_is_missing_or_fuzzy", "de", 'msgid "Play now"', '#, fuzzy\nmsgid "Play now"'),
        ("placeholders_are_the_same", "es", 'msgstr "Gana %(name)s"', 'msgstr "Gana %(nombre)s"'),
        ("placeholders_are_the_same", "es", 'msgstr "Gana %(name)s"', 'msgstr "Gana el 100 % %(name)s"'),
        ("spaces_and_full_stops_at_the_ends_are_the_same", "fr", 'msgstr "Jouer"', 'msgstr "Jouer "'),
        ("percent_signs_are_written_in_one_way", "de", "100\u00a0%", "100%"),
        ("spaces_follow_the_language", "fr", "Langue\u00a0:", "Langue :"),
        ("spaces_follow_the_language", "pl", "w\u00a0rzędzie", "w rzędzie"),
    ],
)
def test_each_check_finds_what_it_is_for(tmp_path: Path, check: str, language: str, right: str, wrong: str) -> None:
    catalogue = (LANGUAGES / language / FILE).read_text()
    assert right in catalogue
    broken = tmp_path / language
    broken.mkdir()
    (broken / FILE).write_text(catalogue.replace(right, wrong))
    with pytest.raises(AssertionError):
        globals()[check](broken)


def test_a_page_gives_its_scripts_every_text_that_they_mark_and_no_other(extraction: Catalog) -> None:
    """A page finds the marks by a pattern, the catalogues by Babel's grammar of JavaScript: both find the same."""
    found = {each.id for each in extraction if any(file.endswith(".js") for file, _ in each.locations)}
    pages = (path.stem for path in (STATIC / "js" / "pages").glob("*.js"))
    assert found == set().union(*map(marked, pages))
    assert len(marked("table")) > 80


@pytest.mark.parametrize("code", [code for code in languages() if code != ENGLISH.code])
def test_nothing_is_printed_in_english(code: str) -> None:
    printed = {DECK, *HOW, *RULES.values()}
    assert not printed & set(map(languages()[code].gettext, printed))


def words(texts: object) -> str:
    """All of it in small letters and with plain spaces."""
    return " ".join(str(texts).casefold().replace("\\xa0", " ").replace("\u00a0", " ").split())


def test_every_word_of_the_glossary_is_used(extraction: Catalog) -> None:
    """Each of its columns is a language; a language need not have one."""
    codes, (names, *rows) = {language.name: code for code, language in languages().items()}, GLOSSARY
    assert {"English", "Deutsch", "Español", "Français", "Polski"} <= set(names) <= set(codes)
    assert len(rows) > 20
    for name, *column in zip(names, *rows, strict=True):
        catalogue = extraction if name == ENGLISH.name else catalogue_of(LANGUAGES / codes[name])
        said = words([each.id if name == ENGLISH.name else each.string for each in catalogue if each.id])
        assert [word for word in column if words(word) not in said] == [], name

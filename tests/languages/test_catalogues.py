"""Every catalogue holds exactly the texts that are marked in the source, translated rightly."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from tools.messages import LANGUAGES, extracted, folders, forms, report, updated

from illusion.languages import FILE, is_begun, languages, languages_in
from tests.languages import catalogue_checks
from tests.languages.catalogue_checks import CHECKS, is_what_extraction_gives, messages, translated

Check = Callable[[Path], None]


@pytest.fixture(params=folders(), ids=lambda folder: folder.name)
def folder(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


@pytest.fixture(scope="module")
def marked() -> Catalog:
    return extracted()


def test_a_language_is_a_folder_that_is_not_merely_begun() -> None:
    finished = {folder.name for folder in folders() if not is_begun(folder / FILE)}
    assert set(languages()) == {"en"} | finished
    assert {"en", "de", "fr", "es", "pl"} <= set(languages())


def test_a_catalogue_is_what_extraction_gives(folder: Path, marked: Catalog) -> None:
    is_what_extraction_gives(folder, marked)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_catalogue_is_right(folder: Path, check: Check) -> None:
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
        getattr(catalogue_checks, check)(broken)


def test_an_empty_folder_begins_a_language(tmp_path: Path, marked: Catalog) -> None:
    sixth = tmp_path / "it"
    sixth.mkdir()
    (sixth / FILE).write_bytes(updated(sixth, marked))
    begun = list(messages(sixth))
    assert len(begun) == len(list(messages(LANGUAGES / "de")))
    assert not any(any(forms(message)) for message in begun)
    assert b"# Illusion in Italian." in (sixth / FILE).read_bytes()


def test_a_begun_language_may_lack_texts_but_is_checked_and_not_offered(tmp_path: Path, marked: Catalog) -> None:
    sixth = tmp_path / "it"
    sixth.mkdir()
    path = sixth / FILE
    path.write_bytes(updated(sixth, marked))
    path.write_text(re.sub(r'(msgid "%\(name\)s wins"\nmsgstr )""', r'\1"Vince %(name)s"', path.read_text()))
    assert list(translated(sixth)) == [(("%(name)s wins",), ("Vince %(name)s",))]
    is_what_extraction_gives(sixth, marked)  # the mark stays when the catalogue is brought up to date
    for check in CHECKS:
        check(sixth)
    assert set(languages_in(tmp_path)) == {"en"}
    total = len(list(messages(sixth)))
    assert report(sixth) == f"it: begun, 1 of {total} texts translated, {total - 1} missing"
    path.write_text(path.read_text().replace("Vince %(name)s", "Vince %(nome)s"))
    with pytest.raises(AssertionError):
        catalogue_checks.placeholders_are_the_same(sixth)

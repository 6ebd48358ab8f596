"""Every catalogue holds exactly the texts that are marked in the source, all of them translated."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from tools.messages import LANGUAGES, catalogue_of, extracted, folders, updated

from illusion.languages import languages

PLACEHOLDER = re.compile(r"%\(\w+\)s|%%")


def texts(message: Message) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The forms of a message in the source, and in the catalogue."""
    if isinstance(message.id, str):
        return (message.id,), (str(message.string),)
    return tuple(message.id), tuple(message.string or ())


def messages(folder: Path) -> Iterator[Message]:
    return (message for message in catalogue_of(folder) if message.id)


@pytest.fixture(params=folders(), ids=lambda folder: folder.name)
def folder(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


@pytest.fixture(scope="module")
def marked() -> Catalog:
    return extracted()


def test_a_language_is_a_folder() -> None:
    assert set(languages()) == {"en", *(folder.name for folder in folders())}
    assert {"en", "de", "fr", "es", "pl"} <= set(languages())


def test_a_catalogue_is_what_extraction_gives(folder: Path, marked: Catalog) -> None:
    """No text is lacking and none is left over; `make messages` puts it right."""
    assert (folder / "illusion.po").read_bytes() == updated(folder, marked)


def test_nothing_is_missing_or_guessed(folder: Path) -> None:
    lacking = [message.id for message in messages(folder) if not all(texts(message)[1]) or message.fuzzy]
    assert lacking == []


def test_there_is_a_form_for_every_kind_of_count(folder: Path) -> None:
    forms = catalogue_of(folder).num_plurals
    for message in messages(folder):
        assert len(texts(message)[1]) == (forms if message.pluralizable else 1), message.id


def test_placeholders_are_the_same(folder: Path) -> None:
    """A text that is filled in is filled in with the same things; in one that is not, a % is just a %."""
    for message in messages(folder):
        source, translated = texts(message)
        wanted = {name for text in source for name in PLACEHOLDER.findall(text)}
        for text in translated:
            assert set(PLACEHOLDER.findall(text)) == wanted, message.id
            if wanted:
                assert "%" not in PLACEHOLDER.sub("", text), message.id


def test_spaces_and_full_stops_at_the_ends_are_the_same(folder: Path) -> None:
    """Sentences are set beside each other by the templates."""
    for message in messages(folder):
        source, translated = texts(message)
        for text in translated:
            assert text == text.strip(), message.id
            assert text.endswith(".") == source[0].endswith("."), message.id


def test_no_sentence_is_the_same_in_two_languages() -> None:
    """So no translation has slipped into a neighbour's catalogue."""
    said: dict[str, str] = {}
    for folder in folders():
        for text in {text for message in messages(folder) for text in texts(message)[1] if len(text.split()) > 4}:
            assert said.setdefault(text, folder.name) == folder.name, text


def test_an_empty_folder_begins_a_language(tmp_path: Path, marked: Catalog) -> None:
    sixth = tmp_path / "it"
    sixth.mkdir()
    (sixth / "illusion.po").write_bytes(updated(sixth, marked))
    begun = list(messages(sixth))
    assert len(begun) == len(list(messages(LANGUAGES / "de")))
    assert not any(any(texts(message)[1]) for message in begun)
    assert b"# Illusion in Italian." in (sixth / "illusion.po").read_bytes()

"""The words fixed in docs/translating.md are the words of the catalogues."""

from pathlib import Path
from typing import Final

import pytest
from tools.messages import LANGUAGES, catalogue_of, extracted

from illusion.languages import languages

PAGE: Final = Path(__file__).parents[2] / "docs" / "translating.md"
ROWS: Final = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text().splitlines()
    if line.startswith("|") and not line.startswith("| ---")
]
CODES: Final = {language.name: code for code, language in languages().items()}


def words(texts: object) -> str:
    """All of it in small letters and with plain spaces."""
    return " ".join(str(texts).casefold().replace("\\xa0", " ").replace("\u00a0", " ").split())


def test_each_column_of_the_glossary_is_a_language() -> None:
    """A language need not have a column."""
    assert set(ROWS[0]) <= set(CODES)
    assert {"English", "Deutsch", "Español", "Français", "Polski"} <= set(ROWS[0])
    assert len(ROWS) > 20
    assert {len(row) for row in ROWS} == {len(ROWS[0])}


@pytest.mark.parametrize("name", ROWS[0])
def test_every_word_of_the_glossary_is_used(name: str) -> None:
    code, column = CODES[name], ROWS[0].index(name)
    catalogue = extracted() if code == "en" else catalogue_of(LANGUAGES / code)
    said = words([message.id if code == "en" else message.string for message in catalogue if message.id])
    assert [row[column] for row in ROWS[1:] if words(row[column]) not in said] == []

"""The words fixed in docs/translating.md are the words of the catalogues."""

from pathlib import Path

import pytest
from tools.messages import LANGUAGES, catalogue_of, extracted

from illusion.languages import languages

PAGE = Path(__file__).parents[2] / "docs" / "translating.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text().splitlines()
    if line.startswith("|") and not line.startswith("| ---")
]


def words(texts: object) -> str:
    """All of it in small letters and with plain spaces."""
    return " ".join(str(texts).casefold().replace("\\xa0", " ").replace("\u00a0", " ").split())


def test_the_glossary_has_a_column_for_each_language() -> None:
    assert sorted(ROWS[0]) == sorted(language.name for language in languages().values())
    assert len(ROWS) > 20
    assert {len(row) for row in ROWS} == {len(languages())}


@pytest.mark.parametrize("code", languages())
def test_every_word_of_the_glossary_is_used(code: str) -> None:
    catalogue = extracted() if code == "en" else catalogue_of(LANGUAGES / code)
    said = words([message.id if code == "en" else message.string for message in catalogue if message.id])
    column = ROWS[0].index(languages()[code].name)
    assert [row[column] for row in ROWS[1:] if words(row[column]) not in said] == []

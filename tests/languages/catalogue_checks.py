"""What must hold for a catalogue: for a finished one that nothing is missing, for any that what is there is right."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from tools.messages import catalogue_of, forms, is_translated, updated

from illusion.languages import FILE, is_begun

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


def is_what_extraction_gives(folder: Path, marked: Catalog) -> None:
    """No text is lacking and none is left over; `make messages` puts it right."""
    assert (folder / FILE).read_bytes() == updated(folder, marked)


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

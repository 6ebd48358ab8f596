"""docs/deck.md, "Add a family", followed word for word in a copy of the repository."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.deck.page_steps import ROOT, copy_repository, follow, run, section, undo

PICTURES = 8
"""Pictures of each generator that are compared; drawing all 98 would take seconds."""

DESCRIBE = f"""
import hashlib, json
from illusion.deck import make_deck
from illusion.deck.generators import GENERATORS
print(json.dumps({{
    version: {{
        "families": [card.family for card in make_deck(7, version)],
        "cards": [repr(card) for card in make_deck(7, version)],
        "hashes": [hashlib.sha256(card.svg().encode()).hexdigest() for card in make_deck(7, version)[:{PICTURES}]],
    }}
    for version in GENERATORS
}}))
"""


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """A copy in which the page's steps have been done, and the decks of all generators before and after."""
    repository = tmp_path_factory.mktemp("repository")
    page = section(ROOT / "docs" / "deck.md", "Add a family")
    copy_repository(repository)
    undo(page, repository)
    (repository / "describe.py").write_text(DESCRIBE)
    before = json.loads(run(".venv/bin/python describe.py", repository))
    commands = follow(page, repository)
    assert len(commands) == 3  # look at it, test it, record it
    return repository, before, json.loads(run(".venv/bin/python describe.py", repository))


def test_the_new_generator_draws_the_new_family(followed: tuple[Path, dict[str, Any], dict[str, Any]]) -> None:
    repository, before, after = followed
    assert list(after) == [*before, str(len(before) + 1)], "the page should add the next generator"
    new = list(after)[-1]
    assert after[new]["families"].count("diamonds") >= 3
    assert after[new]["hashes"] == recorded(repository, new)[:PICTURES]
    assert (repository / "diamonds.svg").read_text().count('<rect class="frame"') == 42


def test_earlier_generators_draw_what_they_drew(followed: tuple[Path, dict[str, Any], dict[str, Any]]) -> None:
    _, before, after = followed
    for version, deck in before.items():
        assert after[version] == deck
        assert deck["hashes"] == recorded(ROOT, version)[:PICTURES]


def recorded(repository: Path, version: str) -> list[str]:
    lines = (repository / "tests" / "deck" / f"pictures-of-seed-7-generator-{version}.sha256").read_text().splitlines()
    assert len(lines) == 98
    return [line.split()[0] for line in lines]

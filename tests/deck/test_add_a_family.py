"""docs/deck.md, "Add a family", followed word for word in a copy of the repository."""

import json
from pathlib import Path
from typing import Any

import pytest
from harness.followed_pages import copied, follow, run, section, undo
from tools.picture_hashes import RECORDED

DESCRIBE = """
import hashlib, json
from illusion.deck import PICTURES_VERSION, make_deck
deck = make_deck(7)
print(json.dumps({
    "version": PICTURES_VERSION,
    "families": [card.family for card in deck],
    "shares": [repr(card.shares) for card in deck],
    "first": hashlib.sha256(deck[0].svg().encode()).hexdigest(),
}))
"""


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A copy in which the page's steps have been done, and the same deck before and after each of them."""
    names = ("src", "tests", "harness", "tools", "pyproject.toml", "README.md")
    repository, page = copied(tmp_path_factory.mktemp("repository"), *names), section("deck.md", "Add a family")
    undo(page, repository)
    (repository / "describe.py").write_text(DESCRIBE)
    decks = [json.loads(run(repository, "describe.py"))]
    kinds = []
    for block in follow(page, repository):
        kinds.append(block.kind)
        decks.append(json.loads(run(repository, "describe.py")))
    assert kinds == ["python", "diff", "diff", "sh", "sh"]
    return repository, decks


def test_the_new_family_is_dealt_and_the_shares_stay(followed: tuple[Path, list[dict[str, Any]]]) -> None:
    repository, (before, *_, after) = followed
    assert "diamonds" not in before["families"]
    assert after["families"].count("diamonds") >= 3
    assert after["shares"] == before["shares"]
    assert after["version"] == before["version"] + 1
    assert (repository / "diamonds.svg").read_text().count('<rect class="frame"') == 42


def test_the_new_pictures_are_recorded(followed: tuple[Path, list[dict[str, Any]]]) -> None:
    repository, (*_, after) = followed
    files = sorted((repository / "tests" / "deck").glob("pictures-of-seed-*.sha256"))
    assert [file.name for file in files] == sorted(path.name for path in RECORDED.values())
    assert (repository / "tests" / "deck" / RECORDED[7].name).read_text().startswith(after["first"])

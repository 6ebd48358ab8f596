"""docs/deck.md, "Add a family", followed word for word in a copy of the repository."""

import json
from pathlib import Path

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


def test_the_new_family_is_dealt_the_shares_stay_and_the_new_pictures_are_recorded(tmp_path: Path) -> None:
    names = ("src", "tests", "harness", "tools", "pyproject.toml", "README.md")
    repository, page = copied(tmp_path, *names), section("deck.md", "Add a family")
    undo(page, repository)
    recorded = {seed: repository / "tests" / "deck" / path.name for seed, path in RECORDED.items()}
    for seed in recorded.keys() - {7}:
        recorded[seed].unlink()  # to draw one deck anew is enough
    (repository / "describe.py").write_text(DESCRIBE)
    before = after = json.loads(run(repository, "describe.py"))
    kinds = []
    for block in follow(page, repository):
        kinds.append(block.kind)
        if block.kind == "diff":  # the program works after every step
            after = json.loads(run(repository, "describe.py"))
    assert kinds == ["python", "diff", "diff", "sh", "sh"]
    assert "diamonds" not in before["families"]
    assert after["families"].count("diamonds") >= 3
    assert after["shares"] == before["shares"]
    assert after["version"] == before["version"] + 1
    assert (repository / "diamonds.svg").read_text().count('<rect class="frame"') == 42
    assert recorded[7].read_text().startswith(after["first"])
    assert after["first"] != before["first"]

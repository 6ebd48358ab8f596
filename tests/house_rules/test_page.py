"""docs/house-rules.md, followed word for word in a copy of the program."""

import json
from pathlib import Path

import pytest
from harness.followed_pages import copied, follow, patched, run, section

from tests.rules.laws import LAWS

FEWER_GAMES = """
from hypothesis import HealthCheck, settings
settings.register_profile(
    "fewer", max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fewer")
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("illusion")
    (copy / "tests").mkdir()
    copied(copy, "src", "docs", "tests/__init__.py", "tests/rules", "tests/house_rules")
    (copy / "pytest.ini").touch()
    (copy / "conftest.py").write_text(FEWER_GAMES)
    assert len(list(follow(section("house-rules.md", "Add a house rule"), copy))) == 7
    return copy


def test_r5_5_games_by_the_new_rule_and_by_the_old_ones(copy: Path) -> None:
    """The deck, the command line, tables, bots and lab take the new game from `Variant`; the others are unchanged."""
    returned = json.loads(run(copy, "-m", "tests.house_rules.play_every_variant"))
    assert returned.pop("risky") > 0
    assert returned == {"first-to-three": 0, "twelve-rounds": 0}


def test_the_laws_hold_with_the_new_rule_and_its_own_test_passes(copy: Path) -> None:
    chosen = ["tests/rules/test_laws.py::test_a_law_holds_in_every_game", "tests/rules/test_variant.py"]
    told = run(copy, "-m", "pytest", "-v", "-p", "no:cacheprovider", *chosen, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert "test_r5_6_a_wrong_doubt_can_cost_all_arrows PASSED" in told
    assert told.count("test_a_law_holds_in_every_game") == len(LAWS)


def test_a_page_that_no_longer_fits_the_code_is_noticed() -> None:
    assert patched("a\nb\nc\n", " a\n-b\n+d\n") == "a\nd\nc\n"
    for block in (" d\n+e\n", "-a\n c\n"):
        with pytest.raises(AssertionError, match="this is not in the file"):
            patched("a\nb\nc\n", block)

"""docs/house-rules.md, followed word for word in a copy of the program."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.laws import LAWS

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "house-rules.md").read_text()
STEP = re.compile(
    r"(?:[Ii]n|the end of)\s+`(?P<path>[\w/.-]+)`:$"  # which file the blocks below are for
    r"|^```(?P<kind>diff|python)\n(?P<block>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
FEWER_GAMES = """
from hypothesis import HealthCheck, settings
settings.register_profile(
    "fewer", max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fewer")
"""


def apply_diff(text: str, block: str) -> str:
    """The text with a block of it changed; lines without + stand in it before, once; lines without - afterwards."""
    lines = block.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] != "+")
    after = "".join(line[1:] for line in lines if line[0] != "-")
    assert text.count(before) == 1, f"this is not in the file, or more than once:\n{before}"
    return text.replace(before, after)


def follow(page: str, copy: Path) -> int:
    """Do what the page says, and say how many blocks it had."""
    path: Path | None = None
    done = 0
    for step in STEP.finditer(page[page.index("## Add a house rule") :]):
        if step["path"]:
            path = copy / step["path"]
            continue
        assert path is not None
        text = path.read_text()
        path.write_text(apply_diff(text, step["block"]) if step["kind"] == "diff" else f"{text}\n\n{step['block']}")
        done += 1
    return done


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("illusion")
    for part in ("src", "docs", "tests/rules", "tests/house_rules"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "*.png", "*.woff2"))
    (copy / "tests" / "__init__.py").touch()
    (copy / "pytest.ini").touch()
    (copy / "conftest.py").write_text(FEWER_GAMES)
    assert follow(PAGE, copy) == 8
    return copy


def run(copy: Path, *arguments: str) -> str:
    path = os.pathsep.join([str(copy / "src"), str(copy)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_r5_5_games_by_the_new_rule_and_by_the_old_ones(copy: Path) -> None:
    """The deck, the command line, tables, bots and lab take the new game from `Variant`; the others are unchanged."""
    returned = json.loads(run(copy, "-m", "tests.house_rules.play_every_variant"))
    assert returned.pop("risky") > 0
    assert returned == {"first-to-three": 0, "twelve-rounds": 0}


def test_the_laws_hold_with_the_new_rule_and_its_own_test_passes(copy: Path) -> None:
    chosen = ["tests/rules/test_laws.py::test_a_law_holds_in_every_game", "tests/rules/test_variant.py"]
    told = run(copy, "-m", "pytest", "-v", "-p", "no:cacheprovider", *chosen)
    assert "test_r5_6_a_wrong_doubt_can_cost_all_arrows PASSED" in told
    assert told.count("test_a_law_holds_in_every_game") == len(LAWS)


def test_a_page_that_no_longer_fits_the_code_is_noticed() -> None:
    assert apply_diff("a\nb\nc\n", " a\n-b\n+d\n") == "a\nd\nc\n"
    for block in (" d\n+e\n", "-a\n c\n"):
        with pytest.raises(AssertionError, match="this is not in the file"):
            apply_diff("a\nb\nc\n", block)

"""What the program tells people and programs, pages and logs is what was recorded, byte by byte.

Recording is a process of its own, whose clocks stand still and whose lots are fixed. README.md says how to read these.
"""

import subprocess
import sys
from difflib import unified_diff
from pathlib import Path

import pytest

RECORDED = Path(__file__).parent / "recorded"
NAMES = sorted(path.relative_to(RECORDED).as_posix() for path in RECORDED.rglob("*.*"))
MOST_LINES = 200
"""Of a difference that are shown."""


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All recordings, made just now."""
    folder = tmp_path_factory.mktemp("recorded")
    command = [sys.executable, "-m", "tests.playthroughs", str(folder)]
    ran = subprocess.run(command, cwd=RECORDED.parents[2], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-4000:]
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_it_plays_out_as_recorded(today: Path, name: str) -> None:
    before, now = ((folder / name).read_text().splitlines() for folder in (RECORDED, today))
    difference = list(unified_diff(before, now, f"recorded/{name}", "today", n=4, lineterm=""))
    if difference:
        shown = "\n".join(difference[:MOST_LINES])
        pytest.fail(f"`python -m tests.playthroughs --record` records this as right:\n{shown}", pytrace=False)


def test_everything_is_recorded(today: Path) -> None:
    assert sorted(path.relative_to(today).as_posix() for path in today.rglob("*.*")) == NAMES

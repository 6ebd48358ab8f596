"""The examples that learn, run in a process of their own: the same seed gives the same result."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LEARN = EXAMPLES / "learn.py"


def learned(cache: Path, seed: int) -> str:
    sizes = ["--generations", "3", "--tries", "10", "--games", "10", "--evaluate", "40", "--decks", "2"]
    ran = subprocess.run(
        [sys.executable, LEARN, *sizes, "--seed", str(seed)],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_it_learns_something_and_says_how_well_it_plays(cache: Path) -> None:
    said = learned(cache, 1)
    assert learned(cache, 1) == said
    rates = re.findall(r"([\d.]+)% of 40 games against casual \(95 % interval ([\d.]+)% to ([\d.]+)%\)", said)
    before, after = ([float(number) for number in rate] for rate in rates)
    for rate, low, high in (before, after):
        assert 0 <= low < rate < high <= 100 or rate == 0
    assert after[0] > before[0], said  # a player who never doubts hardly ever wins, so any learning shows


def test_training_at_scale_prints_how_it_goes_and_draws_it(cache: Path, tmp_path: Path) -> None:
    plot = tmp_path / "training.svg"
    sizes = ["--games", "32", "--steps", "4", "--updates", "2"]
    ran = subprocess.run(
        [sys.executable, EXAMPLES / "train.py", *sizes, "--plot", plot],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert re.findall(r"update (\d): the learner won \d+ %", ran.stdout) == ["1", "2"]
    assert ElementTree.fromstring(plot.read_text()).tag.endswith("svg")  # noqa: S314  (our own file)

"""The examples run, and docs/your-own-bot.md, "A mind in the arena", is followed word for word."""

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from harness.command_line import refusal
from harness.followed_pages import section

from illusion.bots import LEVEL_NAMES, levels
from illusion.bots.entrants import NoSuchPlayer, player
from illusion.cli import main
from illusion.lab.arena import compete, speed_hint

EXAMPLES = Path(__file__).parents[2] / "examples"
PAGE = section("your-own-bot.md", "A mind in the arena")


def block(kind: str) -> str:
    (text,) = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the page's file, in which one stands."""
    (tmp_path / "hasty.py").write_text(block("python"), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def illusion(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "illusion", *arguments]
    return subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def test_the_commands_of_the_page_let_it_play(written: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In processes of their own, two of them, and in this one; fewer games than the page has."""
    one, other = (command.replace("1000", "300").split()[1:] for command in block("sh").splitlines())
    ran = illusion(*one, "--jobs", "2", cwd=written, XDG_CACHE_HOME=str(folder.parent))
    assert ran.returncode == 0, ran.stderr
    main([*other, "--jobs", "1"])
    for arguments, said in ((one, ran.stdout), (other, capsys.readouterr().out)):
        names = arguments[2].split(",")
        assert [line.split()[0] for line in said.splitlines()[: len(names)]] == names
        assert "300 games, first-to-three" in said


@pytest.mark.usefixtures("written")
def test_it_plays_one_by_one_and_the_command_says_so() -> None:
    """The same seed gives the same tally; finer eyes help it, and it has no array version."""
    players = ["hasty:WITH_SHARP_EYES", "hasty:Hasty"]
    tally = compete(players, 250, seed=1)
    assert tally == compete(players, 250, seed=1)
    assert tally.wins[0] > 0.6 * tally.games
    said = "Played one by one: there is no array version of hasty:Hasty"
    assert speed_hint(["keen", "hasty:Hasty", "hasty:Hasty"], 10_000) == said
    assert speed_hint(["keen", "hasty:Hasty"], 100) is None
    assert player("hasty:Hasty").eyes == levels()["keen"].eyes
    assert player("hasty:WITH_SHARP_EYES").eyes.w == 0.07
    assert player("hasty:WITH_SHARP_EYES").name == "hasty:WITH_SHARP_EYES"


def test_an_installed_package_offers_its_mind_by_name_and_tables_offer_none(written: Path, folder: Path) -> None:
    (written / "pyproject.toml").write_text(block("toml"), "utf-8")
    installed = written / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", installed, written], check=True, capture_output=True)
    elsewhere = folder.parent
    environment = {"PYTHONPATH": str(installed), "XDG_CACHE_HOME": str(folder.parent)}
    ran = illusion("arena", "--players", "hasty,keen", "--games", "50", cwd=elsewhere, **environment)
    assert ran.stdout.startswith("hasty "), ran.stderr
    unknown = illusion("arena", "--players", "owl,keen", cwd=elsewhere, **environment)
    assert f"choose {', '.join(LEVEL_NAMES)}, hasty or a mind of your own as module:Mind, not 'owl'" in unknown.stderr
    code = "from illusion.tables.model.commands import LEVEL_NAMES; print(*LEVEL_NAMES)"
    offered = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    assert offered.stdout.split() == list(LEVEL_NAMES)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("owl", "or a mind of your own as module:Mind, not 'owl'"),
        ("nowhere:Mind", "nowhere:Mind cannot be loaded: No module named 'nowhere'"),
        ("hasty:Owl", "hasty:Owl cannot be loaded: module 'hasty' has no attribute 'Owl'"),
        ("hasty:__doc__", "hasty:__doc__ is no mind: it has no function decide"),
        ("hasty:pairwise", "hasty:pairwise is no mind: pairwise expected 1 argument, got 0"),
    ],
)
@pytest.mark.usefixtures("written")
def test_what_is_no_player_gets_one_sentence(name: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NoSuchPlayer):
        player(name)
    assert sentence in refusal(capsys, "arena", "--players", f"keen,{name}")


@pytest.fixture
def example(cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Runs one with these arguments; what it printed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))

    def run(command: str) -> str:
        monkeypatch.setattr(sys, "argv", command.split())
        runpy.run_path(str(EXAMPLES / sys.argv[0]), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_it_learns_something_and_says_how_well_it_plays(example: Callable[[str], str]) -> None:
    """The same seed gives the same result."""
    command = "learn.py --generations 2 --tries 10 --games 10 --evaluate 40 --decks 2"
    said = example(command)
    assert example(command) == said
    rates = re.findall(r"([\d.]+)% of 40 games against casual \(95 % interval ([\d.]+)% to ([\d.]+)%\)", said)
    before, after = ([float(number) for number in rate] for rate in rates)
    for rate, low, high in (before, after):
        assert 0 <= low < rate < high <= 100 or rate == 0
    assert after[0] > before[0], said  # a player who never doubts hardly ever wins, so any learning shows


def test_training_at_scale_prints_how_it_goes_and_draws_it(example: Callable[[str], str], tmp_path: Path) -> None:
    plot = tmp_path / "training.svg"
    said = example(f"train.py --games 32 --steps 4 --updates 2 --plot {plot}")
    assert re.findall(r"update (\d): the learner won \d+ %", said) == ["1", "2"]
    assert ElementTree.fromstring(plot.read_text()).tag.endswith("svg")  # noqa: S314  (our own file)

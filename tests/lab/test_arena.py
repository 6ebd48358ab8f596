"""The arena: the number of processes changes nothing, and the figures add up."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from harness.sweeps import sweep

from illusion.cli import main
from illusion.lab import arena
from illusion.lab.arena import ArenaReport, Tally, compete, play_batch, play_singly, report, wilson_interval
from illusion.lab.contests import PLACES
from illusion.lab.executors import executor
from illusion.lab.measured_decks import DECKS
from illusion.lab.plot import plot_svg
from illusion.rules import Penalty, Variant

PLAYERS = ["keen", "casual", "first-timer"]


GAMES = PLACES + 50
"""So many that they are played in two parts."""


@pytest.fixture(scope="module")
def tally() -> Iterator[Tally]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arena, "games_per_task", lambda _: PLACES)
        yield compete(PLAYERS, GAMES, seed=3)


def test_the_number_of_workers_changes_nothing(tally: Tally) -> None:
    with ThreadPoolExecutor(2) as threads:  # in which it is compiled already
        assert compete(PLAYERS, GAMES, seed=3, executor=threads) == tally
    assert compete(PLAYERS, 50, seed=4) != compete(PLAYERS, 50, seed=3)


def test_without_jax_the_bots_play_one_game_after_another(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In any number of processes the same; and of many games the command says what would make them faster."""
    monkeypatch.setattr(arena, "find_spec", lambda name: None if name == "jax" else ModuleSpec(name, None))
    monkeypatch.setattr(arena, "ONE_BY_ONE", 20)
    monkeypatch.setattr(arena, "WORTH_INSTALLING", 51)
    played = compete(PLAYERS, 50, seed=3)
    with executor(2) as processes:
        assert compete(PLAYERS, 50, seed=3, executor=processes) == played
    assert played.rounds == played.rows.total()
    for games, told in (("50", False), ("51", True)):
        main(["arena", "--players", "keen,casual", "--games", games, "--jobs", "1"])
        assert ("Ten times as fast with JAX: run " in capsys.readouterr().out) is told


@pytest.mark.parametrize("variant", sweep([Variant.TWELVE_ROUNDS], list(Variant)))
def test_with_jax_the_arena_plays_as_the_bots_at_a_table_do(variant: Variant) -> None:
    """Its figures beside those of games that the bots themselves play one by one: within five standard errors."""

    def figures(tally: Tally) -> list[int]:
        rows = sum(length * count for length, count in tally.rows.items())
        return [*(tally.wins[who] for who in range(3)), tally.rounds, tally.cards, rows, tally.doubts_right]

    players, penalty = tuple(PLAYERS), Penalty.ARROW
    single = np.array([figures(play_singly(players, 1, variant, penalty, number, 1)) for number in range(250)], float)
    together = np.array(figures(play_batch(players, 1, variant, penalty, 0, 2048))) / 2048
    error = single.std(axis=0) * (1 / len(single) + 1 / 2048) ** 0.5
    assert (np.abs(single.mean(axis=0) - together) <= 5 * error).all()


def test_figures_add_up(tally: Tally) -> None:
    result = report(PLAYERS, 3, Variant.FIRST_TO_THREE, Penalty.NOTHING, tally)
    assert [player.level for player in result.players] == PLAYERS
    assert sum(player.wins for player in result.players) == result.games == GAMES
    assert sum(result.rows.values()) == result.doubts == pytest.approx(result.rounds * GAMES)
    assert 3 <= result.rounds <= 7
    assert 0 < result.doubts_right < 1
    for player in result.players:
        assert player.low < player.win_rate < player.high


def test_a_report_names_the_decks(tally: Tally) -> None:
    assert report(PLAYERS, 3, Variant.FIRST_TO_THREE, Penalty.NOTHING, tally).decks == DECKS


def test_in_twelve_rounds_wins_can_be_shared(capsys: pytest.CaptureFixture[str]) -> None:
    tally = compete(["casual", "casual"], 60, seed=1, variant=Variant.TWELVE_ROUNDS)
    assert tally.rounds == 12 * 60
    assert tally.shared > 0
    assert tally.wins.total() == 60 + tally.shared
    main(["arena", "--players", "casual,casual", "--games", "60", "--variant", "twelve-rounds", "--jobs", "1"])
    assert f"{tally.shared} games had several winners; each of them is counted" in capsys.readouterr().out


def test_the_interval_is_wilsons() -> None:
    """8 of 10 is the usual example."""
    assert wilson_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson_interval(0, 10)[0] == 0
    assert wilson_interval(10, 10)[1] == pytest.approx(1)


def test_the_command_prints_a_table_or_json_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "--players", "keen,casual", "--games", "20", "--seed", "2", "--jobs", "1"]
    plot = tmp_path / "arena.svg"
    main([*arguments, "--json", "--plot", str(plot)])
    written = capsys.readouterr().out
    assert set(msgspec.json.decode(written)["players"][0]) == {"level", "games", "wins", "win_rate", "low", "high"}
    result = msgspec.json.decode(written, type=ArenaReport)
    root = ElementTree.fromstring(plot.read_text())  # noqa: S314  (our own file)
    assert root.tag.endswith("svg")
    assert plot.read_text() == plot_svg(result)
    main(arguments)
    printed = capsys.readouterr().out
    assert "keen" in printed
    assert f"({100 * result.players[0].low:.1f} to" in printed
    assert "Decks 0, 1, 2, 3\n" in printed


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--players", "keen"], "two to five can play, not 1"),
        (["--players", "keen,owl"], "not 'owl'"),
        (["--players", "keen,casual", "--games", "none"], "a whole number from 1 up, not 'none'"),
        (["--players", "keen,casual", "--variant", "chess"], "not 'chess'"),
    ],
)
def test_a_wrong_argument_gets_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["arena", *arguments])
    assert stopped.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_plot_without_a_folder_is_refused_before_the_games() -> None:
    with pytest.raises(SystemExit, match="there is no folder"):
        main(["arena", "--players", "keen,casual", "--plot", "/no/such/folder/a.svg"])


def test_the_lab_needs_no_tables() -> None:
    """The arena runs without loading a server or a store."""
    modules = subprocess.run(
        [sys.executable, "-c", "import sys, illusion.lab.arena; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "illusion.tables" not in modules
    assert "starlette" not in modules

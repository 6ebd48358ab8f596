"""The arena: the number of processes changes nothing, and the figures add up. It needs neither tables nor extras."""

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
from harness.command_line import refusal
from harness.sweeps import sweep

from illusion import lab
from illusion.bots import levels
from illusion.cli import main
from illusion.lab import arena, contests
from illusion.lab.arena import ArenaReport, Tally, compete, play_batch, play_singly, report, wilson_interval
from illusion.lab.contests import Contestant, contest
from illusion.lab.executors import executor
from illusion.lab.measured_decks import DECKS
from illusion.lab.plot import plot_svg
from illusion.rules import Penalty, Variant

PLAYERS = ["keen", "casual", "first-timer"]
PLACES = 256
GAMES = PLACES + 50
"""So many that they are played in two parts."""
TWELVE = Variant.TWELVE_ROUNDS
"""Several players can win a game of these. Nearly all tests play them, so that it is compiled once."""


@pytest.fixture(scope="module", autouse=True)
def _smaller_batches_of_two_decks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contests, "PLACES", PLACES)
        patch.setattr(arena, "DECKS", (0, 1))
        patch.setattr(contests, "DECKS", (0, 1))
        yield


@pytest.fixture(scope="module")
def tally() -> Iterator[Tally]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arena, "games_per_task", lambda _: PLACES)
        yield compete(PLAYERS, GAMES, 3, TWELVE)


def test_the_number_of_workers_changes_nothing(tally: Tally) -> None:
    with ThreadPoolExecutor(2) as threads:  # in which it is compiled already
        assert compete(PLAYERS, GAMES, 3, TWELVE, threads) == tally
    assert compete(PLAYERS, 50, 4, TWELVE) != compete(PLAYERS, 50, 3, TWELVE)


def test_without_jax_the_bots_play_one_game_after_another(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In any number of processes the same; and of many games the command says what would make them faster."""
    monkeypatch.setattr(arena, "find_spec", lambda name: None if name == "jax" else ModuleSpec(name, None))
    monkeypatch.setattr(arena, "ONE_BY_ONE", 20)
    monkeypatch.setattr(arena, "WORTH_INSTALLING", 51)
    monkeypatch.setattr(arena, "DECKS", DECKS)  # those of other processes
    played = compete(PLAYERS, 50, seed=3)
    with executor(2) as processes:
        assert compete(PLAYERS, 50, seed=3, executor=processes) == played
    assert played.rounds == played.rows.total()
    for games, told in (("50", False), ("51", True)):
        main(["arena", "--players", "keen,casual", "--games", games, "--jobs", "1"])
        assert ("Ten times as fast with JAX: run " in capsys.readouterr().out) is told


@pytest.mark.parametrize("variant", sweep([TWELVE], list(Variant)))
def test_with_jax_the_arena_plays_as_the_bots_at_a_table_do(variant: Variant) -> None:
    """Its figures beside those of games that the bots themselves play one by one: within five standard errors."""

    def figures(tally: Tally) -> list[int]:
        rows = sum(length * count for length, count in tally.rows.items())
        return [*(tally.wins[who] for who in range(3)), tally.rounds, tally.cards, rows, tally.doubts_right]

    players, penalty, many = tuple(PLAYERS), Penalty.ARROW, 4 * PLACES
    single = np.array([figures(play_singly(players, 1, variant, penalty, number, 1)) for number in range(250)], float)
    together = np.array(figures(play_batch(players, 1, variant, penalty, 0, many))) / many
    error = single.std(axis=0) * (1 / len(single) + 1 / many) ** 0.5
    assert (np.abs(single.mean(axis=0) - together) <= 5 * error).all()


def test_figures_add_up_and_wins_can_be_shared(tally: Tally) -> None:
    result = report(PLAYERS, 3, TWELVE, Penalty.NOTHING, tally)
    assert [player.level for player in result.players] == PLAYERS
    assert result.games == GAMES
    assert result.rounds == 12
    assert sum(result.rows.values()) == result.doubts == 12 * GAMES
    assert GAMES + tally.shared <= sum(player.wins for player in result.players) <= GAMES + 2 * tally.shared
    assert result.shared_wins == tally.shared > 0
    assert 0 < result.doubts_right < 1
    for player in result.players:
        assert player.low < player.win_rate < player.high
    assert result.decks == (0, 1)


def test_several_winners_share_a_contest() -> None:
    """To count both as winners would make everybody look strong."""
    casual = levels()["casual"]
    played = contest([Contestant(casual.eyes, casual.mind)] * 2, 60, "shares", variant=TWELVE)
    several = played.won.sum(axis=1) > 1
    assert several.any()
    assert not several.all()
    assert np.allclose(played.shares.sum(axis=1), 1)
    assert np.array_equal(played.shares > 0, played.won)


def test_the_interval_is_wilsons() -> None:
    """8 of 10 is the usual example."""
    assert wilson_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson_interval(0, 10)[0] == 0
    assert wilson_interval(10, 10)[1] == pytest.approx(1)


def test_the_command_prints_a_table_or_json_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "--players", ",".join(PLAYERS), "--games", "60", "--variant", TWELVE, "--jobs", "1"]
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
    assert f"{result.shared_wins} games had several winners; each of them is counted" in printed
    assert "Decks 0, 1\n" in printed


def test_a_wrong_argument_gets_one_sentence_before_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong, sentence in (
        (["--players", "keen"], "two to five can play, not 1"),
        (["--players", "keen,casual", "--variant", "chess"], "not 'chess'"),
        (["--players", "keen,casual", "--plot", "/no/such/folder/a.svg"], "there is no folder"),
    ):
        assert sentence in refusal(capsys, "arena", *wrong)


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_lab_and_arena_import_no_tables_and_no_extra() -> None:
    assert not hasattr(lab, "nothing")
    ran = python("import sys, illusion.lab.arena, illusion.cli.arena; print(*sys.modules)")
    assert "illusion.lab.arena" in ran.stdout, ran.stderr
    assert not {"illusion.tables", "starlette", "jax", "gymnasium", "pettingzoo"} & set(ran.stdout.split())


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("env", "pettingzoo", "rl"), ("array_game", "jax", "fast"), ("JaxMARL", "jax", "fast")],
)
def test_a_missing_extra_is_named(name: str, package: str, extra: str) -> None:
    ran = python(f"import sys; sys.modules[{package!r}] = None; from illusion.lab import {name}")
    message = f"illusion.lab.{name} needs the extra '{extra}': run pip install --require-hashes -r locks/{extra}.lock"
    assert ran.stderr.endswith(f"ModuleNotFoundError: {message} in Illusion's source folder\n")

"""The arena: the number of processes changes nothing, and the figures add up."""

import subprocess
import sys
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from harness.sweeps import sweep

from illusion.cli import main
from illusion.lab.arena import DECKS, GAMES_AT_ONCE, Tally, compete, report
from illusion.lab.arena_report import ArenaReport, wilson_interval
from illusion.lab.executors import executor
from illusion.lab.learning.learned import first_weights, write_weights
from illusion.lab.measured_decks import measured_pile
from illusion.lab.plot import plot_svg
from illusion.lab.simulation import play, seated
from illusion.rules import Colour, Doubt, Game, Move, Variant, View, first_fall

PLAYERS = ["keen", "casual", "first-timer"]


GAMES = GAMES_AT_ONCE + 50
"""So many that they are played in two parts."""


@pytest.fixture(scope="module")
def tally() -> Tally:
    return compete(PLAYERS, GAMES, seed=3)


def test_the_number_of_processes_changes_nothing(tally: Tally) -> None:
    with executor(2) as processes:
        assert compete(PLAYERS, GAMES, seed=3, executor=processes) == tally
    assert compete(PLAYERS, 50, seed=4) != compete(PLAYERS, 50, seed=3)


def test_without_numba_the_games_are_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And of many games the command says what would make them faster; of a few nothing would."""
    with_numba = compete(PLAYERS, 50, seed=3)
    monkeypatch.setattr("illusion.lab.arena.fast_backend", lambda: "numpy")
    assert compete(PLAYERS, 50, seed=3) == with_numba
    monkeypatch.setattr("illusion.lab.arena.GAMES_AT_ONCE", 5)
    for games, told in (("5", False), ("6", True)):
        main(["arena", "--players", "keen,casual", "--games", games, "--jobs", "1"])
        assert ("Several times as fast with numba: run " in capsys.readouterr().out) is told


@pytest.mark.parametrize("variant", sweep([Variant.TWELVE_ROUNDS], list(Variant)))
def test_the_arena_plays_as_the_bots_at_a_table_do(variant: Variant) -> None:
    """Its figures beside those of games that the bots themselves play one by one: within five standard errors."""
    many = 250
    one_by_one = []
    for number in range(many):
        rng, doubts = Random(number), [0, 0]

        def watch(game: Game, view: View, move: Move, doubts: list[int] = doubts) -> None:
            if isinstance(move, Doubt):
                doubts[0] += len(view.row)
                doubts[1] += first_fall(game.row, game.arrow or Colour.RED) is not None

        order = rng.sample(range(len(PLAYERS)), len(PLAYERS))
        bots = seated([PLAYERS[who] for who in order], rng)
        ended = play(bots, measured_pile(DECKS[number % len(DECKS)], variant), rng, variant, watch)
        won = [order[seat] for seat in ended.winners]
        one_by_one.append([who in won for who in range(3)] + [ended.round, ended.drawn, *doubts])
    figures = np.array(one_by_one, float)
    tally = compete(PLAYERS, 3000, seed=1, variant=variant)
    expected = [*(tally.wins[who] for who in range(3)), tally.rounds, tally.cards]
    expected += [sum(length * count for length, count in tally.rows.items()), tally.doubts_right]
    error = figures.std(axis=0) * (1 / many + 1 / tally.games) ** 0.5
    assert (np.abs(figures.mean(axis=0) - np.array(expected) / tally.games) <= 5 * error).all()


def test_figures_add_up(tally: Tally) -> None:
    result = report(PLAYERS, 3, Variant.FIRST_TO_THREE, tally)
    assert [player.level for player in result.players] == PLAYERS
    assert sum(player.wins for player in result.players) == result.games == GAMES
    assert sum(result.rows.values()) == result.doubts == pytest.approx(result.rounds * GAMES)
    assert 3 <= result.rounds <= 7
    assert 0 < result.doubts_right < 1
    for player in result.players:
        assert player.low < player.win_rate < player.high


def test_a_report_names_the_decks(tally: Tally) -> None:
    assert report(PLAYERS, 3, Variant.FIRST_TO_THREE, tally).decks == DECKS


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


def test_a_learned_mind_plays_from_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mind.npz"
    write_weights(file, {2: first_weights(2, np.random.default_rng(1))})
    arguments = ["--games", "30", "--jobs", "1", "--json"]
    main(["arena", "--players", "learned,first-timer", "--learned", str(file), *arguments])
    result = msgspec.json.decode(capsys.readouterr().out, type=ArenaReport)
    assert [player.level for player in result.players] == ["learned", "first-timer"]
    assert result.players[0].wins > 15
    with pytest.raises(SystemExit, match="has weights for 2 players, not 3"):
        main(["arena", "--players", "learned,keen,keen", "--learned", str(file)])


def test_a_learned_mind_without_weights_gets_one_sentence(tmp_path: Path) -> None:
    players = ["arena", "--players", "learned,keen"]
    with pytest.raises(SystemExit, match="a player 'learned' needs weights: --learned FILE"):
        main(players)
    (tmp_path / "text.npz").write_text("no weights")
    np.savez(tmp_path / "other.npz", deck=np.arange(3))
    weights = first_weights(2, np.random.default_rng(1))
    write_weights(tmp_path / "larger.npz", {2: weights._replace(doubt=np.zeros((65, 1)))})
    for file, sentence in (
        ("none.npz", "cannot be read: No such file or directory"),
        ("text.npz", "holds no weights of a learned mind"),
        ("other.npz", "holds no weights of a learned mind"),
        ("larger.npz", "holds weights of another network"),
    ):
        with pytest.raises(SystemExit, match=f"{file} {sentence}"):
            main([*players, "--learned", str(tmp_path / file)])


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

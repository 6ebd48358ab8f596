"""The arena: the same result whatever the number of jobs, seats by lot, and figures that add up."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from illusion.bots.eyes import Eyes
from illusion.bots.minds import PointEstimate
from illusion.cli import main
from illusion.lab.arena import Tally, compete, interval, report
from illusion.lab.measured_decks import measured, measured_pile
from illusion.lab.plot import drawn
from illusion.lab.simulation import play
from illusion.rules import Colour, Variant

PLAYERS = ["keen", "casual", "first-timer"]


@pytest.fixture(scope="module")
def tally() -> Tally:
    return compete(PLAYERS, 120, seed=3)


def test_the_number_of_jobs_changes_nothing(tally: Tally) -> None:
    assert compete(PLAYERS, 120, seed=3, jobs=2) == tally
    assert compete(PLAYERS, 120, seed=4) != tally


def test_figures_add_up(tally: Tally) -> None:
    result = report(PLAYERS, 3, Variant.FIRST_TO_THREE, tally)
    assert [player["level"] for player in result["players"]] == PLAYERS
    assert sum(player["wins"] for player in result["players"]) == result["games"] == 120
    assert sum(result["rows"].values()) == result["doubts"] == result["rounds"] * 120
    assert 3 <= result["rounds"] <= 7
    assert 0 < result["doubts_right"] < 1
    for player in result["players"]:
        assert player["low"] < player["win_rate"] < player["high"]


def test_in_twelve_rounds_wins_can_be_shared() -> None:
    tally = compete(["casual", "casual"], 60, seed=1, variant=Variant.TWELVE_ROUNDS)
    assert tally.rounds == 12 * 60
    assert tally.shared > 0
    assert tally.wins.total() == 60 + tally.shared


def test_the_interval_is_wilsons() -> None:
    """Figures from the formula's usual example: 8 of 10."""
    assert interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert interval(0, 10)[0] == 0
    assert interval(10, 10)[1] == pytest.approx(1)


def test_a_measured_deck_is_kept_and_read_again(tmp_path: Path) -> None:
    deck = measured(5, tmp_path)
    (kept,) = tmp_path.iterdir()
    measured.cache_clear()
    again = measured(5, tmp_path)
    assert again is not deck
    assert again.cards == deck.cards
    assert again.sights == deck.sights
    kept.write_text("half a f")
    measured.cache_clear()
    assert measured(5, tmp_path).sights == deck.sights


def test_two_decks_make_the_pile_of_twelve_rounds() -> None:
    pile = measured_pile(1, Variant.TWELVE_ROUNDS)
    assert [card.id for card in pile.cards] == list(range(1, 197))
    for card in pile.cards[90:110]:
        assert pile.sights[card.id].patches[Colour.RED].share == pytest.approx(card.shares.red, abs=0.01)


def test_a_simulated_player_sees_a_card_the_same_throughout() -> None:
    seen: dict[tuple[int, object, object], object] = {}
    looks = 0

    class Noting(PointEstimate):
        def decide(self, view, row, card, temper=0.0):  # type: ignore[no-untyped-def]
            nonlocal looks
            for id, impression in zip((*view.row, view.next_card), (*row, card), strict=True):
                looks += 1
                assert seen.setdefault((view.to_play, id, view.arrow), impression) == impression
            return super().decide(view, row, card, temper)

    play([(Eyes(0.2), Noting(2.0))] * 3, measured(1), Random(1))
    assert looks > 1.5 * len(seen)


def test_the_command_prints_a_table_or_json_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "--players", "keen,casual", "--games", "20", "--seed", "2", "--jobs", "1"]
    plot = tmp_path / "arena.svg"
    main([*arguments, "--json", "--plot", str(plot)])
    result = json.loads(capsys.readouterr().out)
    assert set(result["players"][0]) == {"level", "games", "wins", "win_rate", "low", "high"}
    root = ElementTree.fromstring(plot.read_text())  # noqa: S314  (our own file)
    assert root.tag.endswith("svg")
    assert plot.read_text() == drawn(result)
    main(arguments)
    told = capsys.readouterr().out
    assert "keen" in told
    assert f"({100 * result['players'][0]['low']:.1f} to" in told


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
    told = subprocess.run(
        [sys.executable, "-c", "import sys, illusion.lab.arena; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "illusion.tables" not in told
    assert "starlette" not in told

"""The command `illusion`, run as people run it."""

import subprocess
import sys

import pytest


def illusion(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "illusion", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("variant", ["first-to-three", "twelve-rounds"])
@pytest.mark.parametrize("players", ["2", "5"])
def test_play_shows_a_whole_game(players: str, variant: str) -> None:
    shown = illusion("play", "--players", players, "--variant", variant, "--seed", "7")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith(f"A game of {players} random players (--seed 7).\n\nRound 1: the arrow is ")
    assert " won: " in shown.stdout.splitlines()[-1]
    assert shown.stdout == illusion("play", "--players", players, "--variant", variant, "--seed", "7").stdout


def test_play_is_what_the_bare_command_does() -> None:
    shown = illusion()
    assert shown.returncode == 0
    assert "A game of 4 random players (--seed " in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["play", "--players", "6"], "argument --players: a number from 2 to 5, not '6'"),
        (["play", "--players", "many"], "argument --players: a number from 2 to 5, not 'many'"),
        (["play", "--variant", "long"], "argument --variant: choose first-to-three or twelve-rounds, not 'long'"),
        (["play", "--seed", "x"], "argument --seed: a seed is a whole number from 0 up, not 'x'"),
        (["dance"], "argument command: invalid choice: 'dance'"),
    ],
)
def test_wrong_arguments_get_one_clear_sentence(arguments: list[str], complaint: str) -> None:
    shown = illusion(*arguments)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert complaint in shown.stderr
    assert "Traceback" not in shown.stderr

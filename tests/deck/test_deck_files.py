"""`illusion deck`: the folder, the contact sheet, and what goes wrong."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import resvg_py
from harness.command_line import refusal

from illusion.cli.arguments import either
from illusion.deck import PALETTES, Card, make_deck
from illusion.deck.deck_files import CannotWrite, contact_sheet, write_contact_sheet, write_folder
from illusion.languages import languages
from illusion.rules import Colour
from tests.deck.svg_reader import paths


def illusion(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "illusion", *map(str, arguments)]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decks") / "seven"
    ran = illusion("deck", "--seed", 7, "--out", folder)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")  # no progress bar where there is no terminal
    return folder


def test_the_folder_holds_fronts_backs_arrows_and_the_list(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    fronts = {f"front-{number:02}.svg" for number in range(1, 99)}
    backs = {f"back-{number:02}.svg" for number in range(1, 99)}
    arrows = {"arrow-red.svg", "arrow-yellow.svg", "arrow-green.svg", "arrow-blue.svg", "arrow-back.svg"}
    assert names == fronts | backs | arrows | {"deck.json"}
    assert [path.name for path in folder.parent.iterdir()] == ["seven"]


def test_deck_json_says_what_is_on_every_back(folder: Path) -> None:
    listed = json.loads((folder / "deck.json").read_text())
    deck = make_deck(7)
    assert [entry["card"] for entry in listed] == list(range(1, 99))
    for entry, card in zip(listed, deck, strict=True):
        assert entry == {
            "card": card.number,
            "seed": 7,
            "family": card.family,
            "shares": {str(colour): card.shares[colour] for colour in Colour},
        }
        back = (folder / f"back-{card.number:02}.svg").read_text()
        assert [int(share) for share in re.findall(r">(\d+)%<", back)] == [card.shares[colour] for colour in Colour]


def test_deck_json_says_how_to_draw_a_lost_card_again(folder: Path, tmp_path: Path) -> None:
    lost = json.loads((folder / "deck.json").read_text())[41]
    ran = illusion("deck", "--seed", lost["seed"], "--out", tmp_path / "again")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "again" / "front-42.svg").read_text() == (folder / "front-42.svg").read_text()


def test_fronts_tell_nothing_but_the_picture(folder: Path) -> None:
    """No number, share, seed or family in the file: it is what a client gets to see (R2.5)."""
    deck = make_deck(7)
    for card in deck[:10]:
        svg = (folder / f"front-{card.number:02}.svg").read_text()
        assert svg == card.svg()
        assert set(paths(svg)) == set(Colour)
        assert card.family not in svg
        assert "%" not in svg
        assert re.findall(r">([^<]+)<", re.sub(r"<style>.*</style>", "", svg)) == []


def test_every_file_can_be_rendered(folder: Path) -> None:
    for name in ("front-01.svg", "back-98.svg", "arrow-red.svg", "arrow-back.svg"):
        assert bytes(resvg_py.svg_to_bytes(svg_path=str(folder / name), width=100)).startswith(b"\x89PNG")


@pytest.mark.parametrize("name", PALETTES)
def test_a_palette_fills_the_classes(tmp_path: Path, name: str) -> None:
    deck = make_deck(3)
    small = type(deck)(deck.seed, deck.cards[:2])
    write_folder(small, tmp_path / "out", PALETTES[name])
    assert all(PALETTES[name][colour] in (tmp_path / "out" / "front-01.svg").read_text() for colour in Colour)


def test_contact_sheets_as_svg_and_png(tmp_path: Path) -> None:
    ran = illusion("deck", "--seed", 7, "--contact-sheet", tmp_path / "sheet.svg", "--palette", "texture")
    assert (ran.returncode, ran.stderr) == (0, "")
    sheet = (tmp_path / "sheet.svg").read_text()
    assert sheet == contact_sheet(make_deck(7), PALETTES["texture"])
    assert sheet.count('<rect class="frame"') == 98
    deck = make_deck(7)
    write_contact_sheet(type(deck)(7, deck.cards[:3]), tmp_path / "sheet.png", PALETTES["standard"])
    assert (tmp_path / "sheet.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--seed", "x", "--out", "d"], "argument --seed: a seed is a whole number from 0 up, not 'x'"),
        (["--seed", "-3", "--out", "d"], "argument --seed: a seed is a whole number from 0 up, not '-3'"),
        (["--seed", "1.5", "--out", "d"], "argument --seed: a seed is a whole number from 0 up, not '1.5'"),
        (["--out", "d"], "the following arguments are required: --seed"),
        (["--seed", "7"], "say what to make: --out DIR, --contact-sheet FILE or --pdf FILE"),
        (["--seed", "7", "--out", "d", "--palette", "pink"], "high-contrast or texture, not 'pink'"),
        (["--seed", "7", "--pdf", "d.pdf", "--paper", "a3"], "argument --paper: choose a4 or letter, not 'a3'"),
        (
            ["--seed", "7", "--pdf", "d.pdf", "--lang", "tlh"],
            f"argument --lang: choose {either(languages())}, not 'tlh'",
        ),
        (["--seed", "7", "--out", "nowhere/d"], "illusion: the folder nowhere does not exist"),
        (["--seed", "7", "--out", "full"], "illusion: full exists already and is not an empty folder"),
        (["--seed", "7", "--out", "file"], "illusion: file exists already and is not an empty folder"),
        (["--seed", "7", "--pdf", "full"], "illusion: full is a folder that is not empty"),
        (["--seed", "7", "--pdf", "pipe.svg"], "illusion: pipe.svg is neither a file nor a folder"),
        (["--seed", "7", "--contact-sheet", "pipe.svg"], "illusion: pipe.svg is neither a file nor a folder"),
        (["--seed", "7", "--out", "x" * 300], "cannot be written: File name too long"),
        (["--seed", "7", "--pdf", "x" * 300], "cannot be written: File name too long"),
        (["--seed", "7", "--contact-sheet", "sheet.gif"], "illusion: sheet.gif must end in .svg or .png"),
    ],
)
def test_bad_arguments_get_one_clear_line_and_leave_nothing_behind(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    complaint: str,
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    os.mkfifo(tmp_path / "pipe.svg")
    monkeypatch.chdir(tmp_path)
    assert complaint in refusal(capsys, "deck", *arguments)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "mine.txt", "pipe.svg"]


def test_a_folder_that_cannot_be_finished_leaves_nothing_behind(tmp_path: Path) -> None:
    """The disk fills up, or somebody presses Ctrl-C, in the middle of it."""
    deck = make_deck(3)

    def stopped(cards: Sequence[Card]) -> Iterator[Card]:
        yield from cards[:3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(deck, tmp_path / "out", PALETTES["standard"], stopped)

    def full(cards: Sequence[Card]) -> Iterator[Card]:
        yield from cards[:3]
        raise OSError(28, "No space left on device")

    with pytest.raises(CannotWrite, match="out cannot be written: No space left on device"):
        write_folder(deck, tmp_path / "out", PALETTES["standard"], full)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    deck = make_deck(3)
    (tmp_path / "out").mkdir()
    write_folder(type(deck)(3, deck.cards[:1]), tmp_path / "out", PALETTES["standard"])
    assert (tmp_path / "out" / "front-01.svg").exists()


@pytest.mark.parametrize(
    ("module", "arguments"), [("reportlab", ["--pdf", "d.pdf"]), ("resvg_py", ["--contact-sheet", "sheet.png"])]
)
def test_without_the_extra_the_command_says_which_one_to_install(
    tmp_path: Path, module: str, arguments: list[str]
) -> None:
    """An installation without the extra: the module is found but cannot be imported."""
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / f"{module}.py").write_text("raise ImportError\n")
    command = [sys.executable, "-m", "illusion", "deck", "--seed", "7", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "hidden"), *sys.path])}
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert (
        "needs the extra 'print': run pip install --require-hashes -r locks/print.lock in Illusion's source folder"
        in ran.stderr
    )
    assert len(ran.stderr.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["hidden"]

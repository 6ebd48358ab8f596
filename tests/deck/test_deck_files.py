"""`illusion deck`: the folder, the contact sheet, and what goes wrong."""

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import resvg_py
from harness.command_line import refusal, run_illusion

from illusion.cli.arguments import either
from illusion.deck import STANDARD, Card, Deck, make_deck
from illusion.deck.deck_files import CannotWrite, MissingExtra, write_contact_sheet, write_folder
from illusion.languages import languages
from illusion.rules import Colour
from tests.deck.svg_reader import paths

SMALL = Deck(3, make_deck(3).cards[:3])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder, and a contact sheet beside it."""
    made = tmp_path_factory.mktemp("decks")
    sheet = ("--contact-sheet", str(made / "sheet.svg"), "--palette", "texture")
    ran = run_illusion("deck", "--seed", "7", "--out", str(made / "seven"), *sheet)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")  # no progress bar where there is no terminal
    assert {path.name for path in made.iterdir()} == {"seven", "sheet.svg"}
    return made / "seven"


def test_the_folder_holds_fronts_backs_arrows_and_the_list(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    cards = {f"{side}-{number:02}.svg" for side in ("front", "back") for number in range(1, 99)}
    arrows = {"arrow-red.svg", "arrow-yellow.svg", "arrow-green.svg", "arrow-blue.svg", "arrow-back.svg"}
    assert names == cards | arrows | {"deck.json"}
    for name in ("front-01.svg", "back-98.svg", "arrow-red.svg", "arrow-back.svg"):
        assert bytes(resvg_py.svg_to_bytes(svg_path=str(folder / name), width=100)).startswith(b"\x89PNG")


def test_deck_json_says_what_is_on_every_back_and_how_to_draw_a_lost_card_again(folder: Path) -> None:
    listed = json.loads((folder / "deck.json").read_text())
    for entry, card in zip(listed, make_deck(7), strict=True):
        assert entry == {
            "card": card.number,
            "seed": 7,
            "family": card.family,
            "shares": {str(colour): card.shares[colour] for colour in Colour},
        }
        back = (folder / f"back-{card.number:02}.svg").read_text()
        assert [int(share) for share in re.findall(r">(\d+)%<", back)] == [card.shares[colour] for colour in Colour]


def test_fronts_tell_nothing_but_the_picture(folder: Path) -> None:
    """No number, share, seed or family in the file: it is what a client gets to see (R2.5)."""
    for card in make_deck(7)[:10]:
        svg = (folder / f"front-{card.number:02}.svg").read_text()
        assert svg == card.svg("texture")
        assert set(paths(svg)) == set(Colour)
        assert card.family not in svg
        assert "%" not in svg
        assert re.findall(r">([^<]+)<", re.sub(r"<style>.*</style>", "", svg)) == []


def test_a_contact_sheet_shows_all_fronts_as_svg_or_png(folder: Path, tmp_path: Path) -> None:
    sheet = (folder.parent / "sheet.svg").read_text()
    fronts = [path.read_text() for path in sorted(folder.glob("front-*.svg"))]
    shown = re.findall("<path class.*?/>", sheet)
    assert shown == [path for front in fronts for path in re.findall("<path class.*?/>", front)]
    assert sheet.count('<rect class="frame"') == 98
    assert sheet.count("<pattern") == 4
    write_contact_sheet(SMALL, tmp_path / "sheet.png", STANDARD)
    assert (tmp_path / "sheet.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--seed", "x", "--out", "d"], "argument --seed: a seed is a whole number from 0 up, not 'x'"),
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
        (["--seed", "7", "--out", "x" * 300], "cannot be written: File name too long"),
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


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (KeyboardInterrupt(), pytest.raises(KeyboardInterrupt)),
        (OSError(28, "No space left on device"), pytest.raises(CannotWrite, match="out cannot be written: No space")),
    ],
)
def test_a_folder_that_cannot_be_finished_leaves_nothing_behind(
    tmp_path: Path, trouble: BaseException, told: pytest.RaisesExc[BaseException]
) -> None:
    """The disk fills up, or somebody presses Ctrl-C, in the middle of it."""

    def stopped(cards: Sequence[Card]) -> Iterator[Card]:
        yield from cards[:2]
        raise trouble

    with told:
        write_folder(SMALL, tmp_path / "out", STANDARD, stopped)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    write_folder(SMALL, tmp_path, STANDARD)
    assert (tmp_path / "front-01.svg").exists()


def test_without_the_extra_one_is_told_which_one_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without the extra: the module is found but cannot be imported."""
    how = "needs the extra 'print': run pip install --require-hashes -r locks/print.lock in Illusion's source folder"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=f"PNG {how}"):
        write_contact_sheet(SMALL, Path("sheet.png"), STANDARD)
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "reportlab.py").write_text("raise ImportError\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(hidden), *sys.path]))
    ran = run_illusion("deck", "--seed", "7", "--pdf", "d.pdf")
    assert (ran.returncode, ran.stderr) == (1, f"illusion: printing {how}\n")
    assert list(tmp_path.iterdir()) == [hidden]

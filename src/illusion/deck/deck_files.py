"""A deck as files: a folder of SVGs, a contact sheet or a PDF. Files are written atomically."""

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from illusion.deck import svg
from illusion.deck.deck import Card, Deck
from illusion.deck.palettes import Palette, arrow, arrow_back
from illusion.deck.picture import HEIGHT, WIDTH
from illusion.extras import how_to_install
from illusion.languages import Language
from illusion.rules import Colour

Progress = Callable[[Sequence[Card]], Iterable[Card]]
"""Passes on the cards and shows the progress."""

COLUMNS: Final = 14
SPACING: Final = 400
SHEET_WIDTH_PX: Final = 1800


class CannotWrite(OSError):
    """A file or a folder cannot be written; the message says why, in one sentence."""


class MissingExtra(ImportError):
    """A package is not installed; the message says which extra installs it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} needs the extra 'print': run {how_to_install('print')}")


def write_folder(deck: Deck, folder: Path, palette: Palette, progress: Progress = iter) -> None:
    """Write fronts, backs, arrows and deck.json; the folder appears when all of it is written.

    Written as bytes, since text files would depend on the system's line ends and encoding.
    """
    mode = _mode(folder)
    if mode is not None and (not stat.S_ISDIR(mode) or any(folder.iterdir())):
        raise CannotWrite(f"{folder} exists already and is not an empty folder")
    with finished_or_removed(folder) as unfinished:
        unfinished.mkdir()
        for card in progress(deck.cards):
            (unfinished / f"front-{card.number:02}.svg").write_bytes(card.svg(palette.name).encode())
            (unfinished / f"back-{card.number:02}.svg").write_bytes(card.back_svg(palette.name).encode())
        for colour in Colour:
            (unfinished / f"arrow-{colour}.svg").write_bytes(svg.printed(arrow(colour, colour), palette).encode())
        (unfinished / "arrow-back.svg").write_bytes(svg.printed(arrow_back(), palette).encode())
        (unfinished / "deck.json").write_bytes(deck_json(deck).encode())
        if mode is not None:
            folder.rmdir()


def deck_json(deck: Deck) -> str:
    """All backs as JSON, a card per line, with the seed that draws the card again."""
    cards = (
        {
            "card": card.number,
            "seed": card.seed,
            "family": card.family,
            "shares": {colour: card.shares[colour] for colour in Colour},
        }
        for card in deck.cards
    )
    return "[\n" + ",\n".join(json.dumps(card) for card in cards) + "\n]\n"


def write_contact_sheet(deck: Deck, file: Path, palette: Palette, progress: Progress = iter) -> None:
    """Write all fronts as one picture, SVG or PNG by the file's suffix."""
    ending = file.suffix.lower()
    if ending not in (".svg", ".png"):
        raise CannotWrite(f"{file} must end in .svg or .png")
    with finished_or_removed(file) as unfinished:
        sheet = contact_sheet(progress(deck.cards), palette)
        if ending == ".svg":
            unfinished.write_bytes(sheet.encode())
        else:
            unfinished.write_bytes(_png(sheet))


def contact_sheet(cards: Iterable[Card], palette: Palette) -> str:
    """Cards side by side as one SVG."""
    faces = [svg.framed(svg.painted(card.picture)) for card in cards]
    rows = -(-len(faces) // COLUMNS)
    across, down = WIDTH + SPACING, HEIGHT + SPACING
    width, height = COLUMNS * across + SPACING, rows * down + SPACING
    placed = (
        f'<g transform="translate({SPACING + at % COLUMNS * across} {SPACING + at // COLUMNS * down})">{face}</g>'
        for at, face in enumerate(faces)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SHEET_WIDTH_PX}" viewBox="0 0 {width} {height}">'
        f'{svg.style(palette)}<rect class="white" width="{width}" height="{height}"/>{"".join(placed)}</svg>\n'
    )


def write_pdf(
    deck: Deck, file: Path, palette: Palette, paper: str, language: Language, progress: Progress = iter
) -> None:
    """Write the deck as a PDF to print and cut."""
    try:
        from illusion.deck.pdf import deck_pdf  # noqa: PLC0415  (an extra)
    except ImportError:
        raise MissingExtra("printing") from None
    with finished_or_removed(file) as unfinished:
        unfinished.write_bytes(deck_pdf(deck, palette, paper, language, progress))


@contextmanager
def finished_or_removed(target: Path) -> Iterator[Path]:
    """A temporary path, renamed to the target at the end, and removed if anything fails.

    Only a file or an empty folder is replaced: root could replace a device.
    """
    mode = _mode(target)
    if not target.parent.is_dir():
        raise CannotWrite(f"the folder {target.parent} does not exist")
    if mode is not None and stat.S_ISDIR(mode) and any(target.iterdir()):
        raise CannotWrite(f"{target} is a folder that is not empty")
    if mode is not None and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise CannotWrite(f"{target} is neither a file nor a folder")
    try:
        workplace = Path(tempfile.mkdtemp(prefix=".illusion-", dir=target.parent))
    except OSError as error:
        raise CannotWrite(f"nothing can be written into {target.parent}: {error.strerror}") from None
    try:
        unfinished = workplace / target.name
        yield unfinished
        os.replace(unfinished, target)
    except OSError as error:
        raise CannotWrite(f"{target} cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(workplace, ignore_errors=True)


def _mode(target: Path) -> int | None:
    """The file's mode; None if nothing is there."""
    try:
        return target.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise CannotWrite(f"{target} cannot be written: {error.strerror or error}") from None


def _png(sheet: str) -> bytes:
    try:
        import resvg_py  # noqa: PLC0415  (an extra)
    except ImportError:
        raise MissingExtra("PNG") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=sheet, width=SHEET_WIDTH_PX))

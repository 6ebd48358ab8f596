"""`illusion deck`: a deck as files, as a contact sheet, or as a PDF to print."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from tqdm import tqdm

from illusion.cli.arguments import either, one_of, seed
from illusion.deck import PALETTES, Card, make_deck
from illusion.deck.deck_files import write_contact_sheet, write_folder, write_pdf
from illusion.languages import languages

PAPERS: Final = ("a4", "letter")


def add_deck(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=seed, required=True, metavar="N", help="the same seed draws the same deck")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write fronts, backs, arrows and deck.json there")
    parser.add_argument("--contact-sheet", type=Path, metavar="FILE", help="all fronts on one picture, .svg or .png")
    parser.add_argument("--pdf", type=Path, metavar="FILE", help="the deck to print and cut, nine cards a sheet")
    parser.add_argument("--palette", type=one_of(PALETTES), default="standard", help=either(PALETTES))
    parser.add_argument("--paper", type=one_of(PAPERS), default="a4", help=f"for --pdf: {either(PAPERS)}")
    parser.add_argument("--lang", type=one_of(languages()), default="en", help=f"for --pdf: {either(languages())}")
    parser.set_defaults(run=_deck, usage_error=parser.error)


def _deck(chosen: argparse.Namespace) -> None:
    if not (chosen.out or chosen.contact_sheet or chosen.pdf):
        chosen.usage_error("say what to make: --out DIR, --contact-sheet FILE or --pdf FILE")
    deck, palette = make_deck(chosen.seed), PALETTES[chosen.palette]
    if chosen.out:
        write_folder(deck, chosen.out, palette, _progress)
    if chosen.contact_sheet:
        write_contact_sheet(deck, chosen.contact_sheet, palette, _progress)
    if chosen.pdf:
        write_pdf(deck, chosen.pdf, palette, chosen.paper, languages()[chosen.lang], _progress)


def _progress(cards: Sequence[Card]) -> Iterable[Card]:
    """A progress bar on a terminal."""
    return tqdm(cards, desc="Drawing", unit="card", disable=None, leave=False)

"""The print-and-play PDF, opened again: pages, sizes, and that every back lies behind its front."""

import io
import re
from functools import cache
from typing import NamedTuple

import pytest
from pypdf import PdfReader

from illusion.deck import PALETTES, STANDARD, Deck, make_deck
from illusion.deck.pdf import deck_pdf
from illusion.deck.print_texts import CHECK, COLOURS, CREDIT, DECK, HOW, HOW_TITLE, RULES, RULES_TITLE
from illusion.languages import ENGLISH, languages
from illusion.rules import Colour

CARD = (63 / 25.4 * 72, 88 / 25.4 * 72)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return make_deck(7)


@pytest.fixture(scope="module", params=["a4", "letter"])
def pdf(request: pytest.FixtureRequest, deck: Deck) -> PdfReader:
    return PdfReader(io.BytesIO(deck_pdf(deck, STANDARD, request.param, ENGLISH)))


class Drawn(NamedTuple):
    """A card on a page: its upper left corner, and the operators that draw it."""

    x: float
    y: float
    operators: str


def cards_on(page: int, pdf: PdfReader) -> list[Drawn]:
    """Row by row from the left; a card begins with a scale of 1/100 mm."""
    _, *parts = re.split(r"^\.02834\d* 0 0 -0\.02834\d* (\S+) (\S+) cm$", content(page, pdf), flags=re.MULTILINE)
    cards = [Drawn(float(x), float(y), drawn) for x, y, drawn in zip(parts[::3], parts[1::3], parts[2::3], strict=True)]
    return sorted(cards, key=lambda card: (-card.y, card.x))


@cache
def content(page: int, pdf: PdfReader) -> str:
    """A page's drawing operators."""
    stream = pdf.pages[page].get_contents()
    assert stream is not None
    return stream.get_data().decode("latin-1")


def behind(front: Drawn, backs: list[Drawn], pdf: PdfReader) -> Drawn:
    """The one card at the place where this one lies when the sheet is turned over its long edge."""
    x = float(pdf.pages[0].mediabox.width) - front.x - CARD[0]
    (back,) = [back for back in backs if (back.x, back.y) == pytest.approx((x, front.y), abs=0.01)]
    return back


def test_one_sheet_of_words_and_thirteen_of_cards(pdf: PdfReader) -> None:
    assert len(pdf.pages) == 2 + 2 * 13  # 110 cards, nine a sheet
    assert len({tuple(page.mediabox) for page in pdf.pages}) == 1
    preferences = pdf.trailer["/Root"]["/ViewerPreferences"]  # type: ignore[index]
    assert preferences["/Duplex"] == "/DuplexFlipLongEdge"
    assert preferences["/PrintScaling"] == "/None"


def test_the_first_sheet_says_how_to_print_and_how_to_play(pdf: PdfReader) -> None:
    how, rules = (pdf.pages[page].extract_text() for page in (0, 1))
    assert "How to print" in how
    assert "illusion deck --seed 7 --pdf deck.pdf" in how  # what to run when a card is lost
    assert "flip on the long edge" in how
    assert "Wolfgang Warsch" in how
    assert "The rules on one page" in rules
    assert "tied players win together" in plain(rules)


@pytest.mark.parametrize("code", languages())
def test_every_language_is_printed_with_all_its_letters(deck: Deck, code: str) -> None:
    language = languages()[code]
    small = Deck(deck.seed, deck.cards[:1])
    printed = PdfReader(io.BytesIO(deck_pdf(small, STANDARD, "a4", language)))
    how, rules, arrows, _, more_arrows, backs = (plain(page.extract_text()) for page in printed.pages)
    assert plain(language.gettext(DECK) % {"seed": deck.seed}) in how
    for words in (HOW_TITLE, *HOW, CHECK, CREDIT):
        assert plain(language.gettext(words)) in how
    for words in (RULES_TITLE, *RULES, *RULES.values()):
        assert plain(language.gettext(words)) in rules
    for name in COLOURS.values():
        assert plain(language.gettext(name)) in arrows + more_arrows
    for colour in Colour:
        assert plain(languages()[code].percent(deck.cards[0].shares[colour])) in backs


def plain(text: str) -> str:
    """With one space between words, wherever the lines break."""
    return " ".join(text.split())


def test_the_doubt_is_called_as_on_the_printed_sheets() -> None:
    calls = {"en": "I don't believe it!", "de": "Das glaube ich nicht!", "fr": "J’en doute", "es": "¡No lo creo!"}  # noqa: RUF001
    for code, call in (calls | {"pl": "Wątpię!"}).items():
        assert call in " ".join(map(languages()[code].gettext, RULES.values()))


def test_house_rules_are_marked_as_such(pdf: PdfReader) -> None:
    """What the game's own sheets do not say stands apart (R6.3, R6.4, R6.5)."""
    before, _, house = plain(pdf.pages[1].extract_text()).partition("House rules")
    for words in ("tied players win together", "deck runs out", "fewer than two cards"):
        assert words in house
        assert words not in before


def test_the_letters_travel_with_the_file(pdf: PdfReader) -> None:
    """Nothing depends on the fonts installed where the file is printed."""
    for page in pdf.pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            assert "/FontFile2" in font.get_object()["/FontDescriptor"]


def test_every_back_lies_behind_its_front(pdf: PdfReader, deck: Deck) -> None:
    seen = []
    for page in range(2, len(pdf.pages), 2):
        fronts, backs = cards_on(page, pdf), cards_on(page + 1, pdf)
        assert len(fronts) == len(backs)
        seen += [(front.operators, behind(front, backs, pdf).operators) for front in fronts]
    assert len(seen) == 110
    for (front, back), card in zip(seen[12:], deck, strict=True):
        # The picture's outlines, in whole numbers, stand in the page as they stand in the SVG.
        for regions in card.picture.values():
            x, y = regions[0][0][0]
            assert f"\nn {x} {y} m" in front
        shares = [int(number) for number in re.findall(r"\((\d+)%\) Tj", back)]
        assert shares == [card.shares[colour] for colour in Colour]
    for front, back in seen[:12]:
        assert "%) Tj" not in front + back


def test_no_picture_is_cut_off(pdf: PdfReader) -> None:
    width, height = float(pdf.pages[0].mediabox.width), float(pdf.pages[0].mediabox.height)
    for page in range(2, len(pdf.pages)):
        for x, y, _ in cards_on(page, pdf):
            assert x > 5 / 25.4 * 72
            assert x + CARD[0] < width - 5 / 25.4 * 72
            assert y < height - 5 / 25.4 * 72
            assert y - CARD[1] > 5 / 25.4 * 72


def test_crop_marks_stand_at_every_cut(pdf: PdfReader) -> None:
    marks = re.findall(r"^n \S+ \S+ m \S+ \S+ l S$", content(2, pdf), re.MULTILINE)
    assert len(marks) == 16  # four uprights above and below, four levels left and right


def test_fonts_and_pictures_are_vectors(pdf: PdfReader) -> None:
    for page in range(len(pdf.pages)):  # nothing that lies elsewhere in the file is drawn, and no image
        assert not re.search(r"\bDo$|^BI$", content(page, pdf), re.MULTILINE)


def test_textures_are_printed_too(deck: Deck) -> None:
    small = Deck(deck.seed, deck.cards[:6])
    plain = deck_pdf(small, STANDARD, "a4", ENGLISH)
    hatched = deck_pdf(small, PALETTES["texture"], "a4", ENGLISH)
    assert "W* n" in content(4, PdfReader(io.BytesIO(hatched)))  # clipped to the picture
    assert len(hatched) > len(plain)


def test_the_same_deck_gives_the_same_bytes(deck: Deck) -> None:
    small = Deck(deck.seed, deck.cards[:3])
    once, again = (deck_pdf(small, STANDARD, "a4", ENGLISH) for _ in range(2))
    assert once == again

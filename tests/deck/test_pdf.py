"""The print-and-play PDF, opened again: pages, sizes, and that every back lies behind its front."""

import io
import re
from math import ceil
from typing import NamedTuple

import pytest
from pypdf import PageObject, PdfReader

from illusion.deck import PALETTES, STANDARD, Deck, make_deck
from illusion.deck.deck_files import write_pdf
from illusion.deck.pdf import deck_pdf
from illusion.deck.print_texts import CHECK, COLOURS, CREDIT, HOW, HOW_TITLE, RULES, RULES_TITLE
from illusion.deck.print_texts import DECK as DECK_OF_SEED
from illusion.languages import ENGLISH, languages
from illusion.rules import Colour

CARD = (63 / 25.4 * 72, 88 / 25.4 * 72)
DECK = make_deck(7)


class Drawn(NamedTuple):
    """A card on a page: its upper left corner, and the operators that draw it."""

    x: float
    y: float
    operators: str


class Printed(NamedTuple):
    """A deck as a file that was opened again, and the drawing operators of its pages."""

    deck: Deck
    file: PdfReader
    pages: list[str]
    width: float
    height: float

    def cards_on(self, page: int) -> list[Drawn]:
        """A card begins with a scale of 1/100 mm."""
        scale = r"^\.02834\d* 0 0 -0\.02834\d* (\S+) (\S+) cm$"
        _, *parts = re.split(scale, self.pages[page], flags=re.MULTILINE)
        return [Drawn(float(x), float(y), drawn) for x, y, drawn in zip(*[iter(parts)] * 3, strict=True)]


@pytest.fixture(scope="module", params=["a4", "letter"])
def printed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """The whole deck on one paper, three sheets of cards on the other."""
    deck = DECK if request.param == "a4" else Deck(7, DECK.cards[:8])
    file = tmp_path_factory.mktemp("printed") / "deck.pdf"
    write_pdf(deck, file, STANDARD, request.param, ENGLISH)
    pdf = PdfReader(file)
    return Printed(deck, pdf, [operators(page) for page in pdf.pages], *map(float, pdf.pages[0].mediabox[2:]))


def operators(page: PageObject) -> str:
    stream = page.get_contents()
    assert stream is not None
    return stream.get_data().decode("latin-1")


def plain(page: PageObject) -> str:
    """Its text with one space between words, wherever the lines break."""
    return " ".join(page.extract_text().split())


def test_one_sheet_of_words_and_as_many_of_cards_as_it_takes(printed: Printed) -> None:
    assert len(printed.pages) == 2 + 2 * ceil((12 + len(printed.deck)) / 9)
    assert len({tuple(page.mediabox) for page in printed.file.pages}) == 1
    preferences = printed.file.trailer["/Root"]["/ViewerPreferences"]  # type: ignore[index]
    assert preferences["/Duplex"] == "/DuplexFlipLongEdge"
    assert preferences["/PrintScaling"] == "/None"


def test_the_first_sheet_says_how_to_print_and_which_rules_are_the_house_s(printed: Printed) -> None:
    """What the game's own sheets do not say stands apart (R6.3, R6.4, R6.5)."""
    how, rules = map(plain, printed.file.pages[:2])
    for words in ("illusion deck --seed 7 --pdf deck.pdf", "flip on the long edge", "Wolfgang Warsch"):
        assert words in how  # the first is what to run when a card is lost
    before, _, house = rules.partition("House rules")
    for words in ("tied players win together", "deck runs out", "fewer than two cards"):
        assert words in house
        assert words not in before


@pytest.mark.parametrize("code", languages())
def test_every_language_is_printed_with_all_its_letters(code: str) -> None:
    language = languages()[code]
    small = PdfReader(io.BytesIO(deck_pdf(Deck(7, DECK.cards[:1]), STANDARD, "a4", language)))
    how, rules, arrows, _, more_arrows, backs = map(plain, small.pages)
    assert " ".join((language.gettext(DECK_OF_SEED) % {"seed": 7}).split()) in how
    for page, wanted in ((how, (HOW_TITLE, *HOW, CHECK, CREDIT)), (rules, (RULES_TITLE, *RULES, *RULES.values()))):
        for words in wanted:
            assert " ".join(language.gettext(words).split()) in page
    for name in COLOURS.values():
        assert language.gettext(name) in arrows + more_arrows
    for colour in Colour:
        assert " ".join(language.percent(DECK[0].shares[colour]).split()) in backs


def test_the_doubt_is_called_as_on_the_printed_sheets() -> None:
    calls = {"en": "I don't believe it!", "de": "Das glaube ich nicht!", "fr": "J’en doute", "es": "¡No lo creo!"}  # noqa: RUF001
    for code, call in (calls | {"pl": "Wątpię!"}).items():
        assert call in " ".join(map(languages()[code].gettext, RULES.values()))


def test_every_back_lies_behind_its_front(printed: Printed) -> None:
    """It lies there when the sheet is turned over its long edge."""
    seen = []
    for page in range(2, len(printed.pages), 2):
        fronts, backs = printed.cards_on(page), printed.cards_on(page + 1)
        assert len(fronts) == len(backs)
        for x, y, front in fronts:
            place = pytest.approx((printed.width - x - CARD[0], y), abs=0.01)
            (back,) = [back.operators for back in backs if (back.x, back.y) == place]
            seen.append((front, back))
    for (front, back), card in zip(seen[12:], printed.deck, strict=True):
        # The picture's outlines, in whole numbers, stand in the page as they stand in the SVG.
        for regions in card.picture.values():
            x, y = regions[0][0][0]
            assert f"\nn {x} {y} m" in front
        shares = [int(number) for number in re.findall(r"\((\d+)%\) Tj", back)]
        assert shares == [card.shares[colour] for colour in Colour]
    for front, back in seen[:12]:
        assert "%) Tj" not in front + back


def test_no_picture_is_cut_off(printed: Printed) -> None:
    margin = 5 / 25.4 * 72
    for page in range(2, len(printed.pages)):
        for x, y, _ in printed.cards_on(page):
            assert margin < x < printed.width - margin - CARD[0]
            assert margin + CARD[1] < y < printed.height - margin


def test_crop_marks_stand_at_every_cut(printed: Printed) -> None:
    marks = re.findall(r"^n \S+ \S+ m \S+ \S+ l S$", printed.pages[2], re.MULTILINE)
    assert len(marks) == 16  # four uprights above and below, four levels left and right


def test_pictures_are_vectors_and_the_letters_travel_with_the_file(printed: Printed) -> None:
    """Nothing that lies elsewhere is drawn, no image, and no font of the computer where the file is printed."""
    for page, drawn in zip(printed.file.pages, printed.pages, strict=True):
        assert not re.search(r"\bDo$|^BI$", drawn, re.MULTILINE)
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            assert "/FontFile2" in font.get_object()["/FontDescriptor"]


def test_textures_are_printed_too_and_the_same_deck_gives_the_same_bytes() -> None:
    small = Deck(7, DECK.cards[:6])
    hatched, again = (deck_pdf(small, PALETTES["texture"], "a4", ENGLISH) for _ in range(2))
    assert hatched == again
    assert "W* n" in operators(PdfReader(io.BytesIO(hatched)).pages[4])  # clipped to the picture

"""The print-and-play deck: card fronts and backs on facing pages, for duplex printing with a long-edge flip."""

from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import Final

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Frame, KeepInFrame, ListFlowable, Paragraph, Spacer

from illusion.deck.card import Card
from illusion.deck.card_face import HEIGHT, WIDTH
from illusion.deck.deck import Deck
from illusion.deck.output.pdf_faces import (
    BOLD,
    INK,
    PLAIN,
    CardSide,
    Pen,
    arrow,
    arrow_back,
    back,
    front,
    register_fonts,
)
from illusion.deck.output.print_texts import PrintTexts
from illusion.deck.palettes import Palette
from illusion.rules import ARROWS

Size = tuple[float, float]

PAPERS: Final[dict[str, Size]] = {"a4": A4, "letter": LETTER}
COLUMNS: Final = 3
ROWS: Final = 3

_UNIT: Final = mm / 100
"""A hundredth of a millimetre, the unit of the cards, in points, the unit of the page."""
_CARD_WIDTH: Final = WIDTH * _UNIT
_CARD_HEIGHT: Final = HEIGHT * _UNIT

_BODY: Final = ParagraphStyle("body", fontName=PLAIN, fontSize=12, leading=17, textColor=INK)
_SMALL: Final = ParagraphStyle(
    "small", _BODY, fontSize=9, leading=12, textColor=HexColor("#5a5e66"), alignment=TA_CENTER
)
_COMMAND: Final = ParagraphStyle("command", _BODY, fontName=BOLD, fontSize=9, leading=14, splitLongWords=1)
_HEADING: Final = ParagraphStyle("heading", _BODY, fontName=BOLD, fontSize=13, leading=20)
_TITLE: Final = ParagraphStyle("title", _HEADING, fontSize=30, leading=42)


def deck_pdf(
    deck: Deck,
    palette: Palette,
    paper: str,
    texts: PrintTexts,
    progress: Callable[[Sequence[Card]], Iterable[Card]] = iter,
) -> bytes:
    """The deck as a PDF: one sheet on how to print and play, then nine cards a sheet, backs behind fronts."""
    register_fonts()
    out = BytesIO()
    size = PAPERS[paper]
    canvas = Canvas(out, pagesize=size, pageCompression=1, invariant=1, initialFontName=PLAIN)  # type: ignore[arg-type]
    canvas.setTitle(f"{texts.title} {deck.seed}")
    canvas.setSubject(_reprint_command(deck))
    canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    canvas.setViewerPreference("PrintScaling", "None")
    _how_to_print(canvas, size, texts, _reprint_command(deck))
    _rules(canvas, size, texts)
    pen = Pen(canvas, palette)
    fronts: list[CardSide] = [arrow(colour, texts.colours[colour]) for colour in ARROWS]
    backs: list[CardSide] = [arrow_back for _ in ARROWS]
    for card in progress(deck.cards):
        fronts.append(front(card.picture))
        backs.append(back(card, texts.percent))
    for first in range(0, len(fronts), COLUMNS * ROWS):
        sheet = slice(first, first + COLUMNS * ROWS)
        _page(pen, size, enumerate(fronts[sheet]))
        _page(pen, size, ((_behind(place), face) for place, face in enumerate(backs[sheet])))
    canvas.save()
    return out.getvalue()


def _behind(place: int) -> int:
    """The place of a card's back on the next page: when the sheet is flipped on its long edge, columns are reversed."""
    row, column = divmod(place, COLUMNS)
    return row * COLUMNS + COLUMNS - 1 - column


def _page(pen: Pen, size: Size, faces: Iterable[tuple[int, CardSide]]) -> None:
    canvas = pen.canvas
    width, height = size
    left, top = (width - COLUMNS * _CARD_WIDTH) / 2, (height + ROWS * _CARD_HEIGHT) / 2
    _crop_marks(canvas, left, width - left, top, height - top)
    for place, face in faces:
        row, column = divmod(place, COLUMNS)
        canvas.saveState()
        canvas.translate(left + column * _CARD_WIDTH, top - row * _CARD_HEIGHT)
        canvas.scale(_UNIT, -_UNIT)
        pen.frame()
        face(pen)
        canvas.restoreState()
    canvas.showPage()


def _crop_marks(canvas: Canvas, left: float, right: float, top: float, bottom: float) -> None:
    """Short lines in the margins where the cuts go."""
    near, far = 1 * mm, 5 * mm
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(0.3)
    for column in range(COLUMNS + 1):
        x = left + column * _CARD_WIDTH
        canvas.line(x, top + near, x, top + far)
        canvas.line(x, bottom - near, x, bottom - far)
    for row in range(ROWS + 1):
        y = top - row * _CARD_HEIGHT
        canvas.line(left - near, y, left - far, y)
        canvas.line(right + near, y, right + far, y)


def _reprint_command(deck: Deck) -> str:
    """The command that draws the same deck again: a lost card can be reprinted."""
    return f"illusion deck --seed {deck.seed} --pdf deck.pdf"


def _how_to_print(canvas: Canvas, size: Size, texts: PrintTexts, reprint_command: str) -> None:
    width, height = size
    steps: list[Flowable] = [Paragraph(step, ParagraphStyle("step", _BODY, spaceAfter=6)) for step in texts.how]
    story: list[Flowable] = [
        Paragraph(texts.title, _TITLE),
        Paragraph(texts.deck, _BODY),
        Paragraph(reprint_command, _COMMAND),
        Spacer(0, 10 * mm),
        Paragraph(texts.how_title, _HEADING),
        ListFlowable(steps, bulletType="1", bulletFontName=BOLD),
    ]
    _flow(canvas, story, width, top=height - 20 * mm)
    canvas.setFillColor(INK)
    canvas.rect(width / 2 - 50 * mm, 62 * mm, 100 * mm, 3 * mm, stroke=0, fill=1)
    below: list[Flowable] = [Paragraph(texts.check, _SMALL), Spacer(0, 8 * mm), Paragraph(texts.credit, _SMALL)]
    _flow(canvas, below, width, top=60 * mm)
    canvas.showPage()


def _rules(canvas: Canvas, size: Size, texts: PrintTexts) -> None:
    story: list[Flowable] = [Paragraph(texts.rules_title, _TITLE)]
    for heading, words in texts.rules:
        story += [Paragraph(heading, _HEADING), Paragraph(words, _BODY), Spacer(0, 4 * mm)]
    _flow(canvas, story, size[0], top=size[1] - 20 * mm)
    canvas.showPage()


def _flow(canvas: Canvas, story: list[Flowable], page_width: float, top: float) -> None:
    """Text from the top down to the lower margin, made smaller if it does not fit."""
    margin = 20 * mm
    width, height = page_width - 2 * margin, top - margin
    Frame(margin, margin, width, height, 0, 0, 0, 0).addFromList([KeepInFrame(width, height, story)], canvas)

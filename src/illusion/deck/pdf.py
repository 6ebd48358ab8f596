"""The print-and-play deck: card fronts and backs on facing pages, for duplex printing with a long-edge flip.

On a card, coordinates are in hundredths of a millimetre from its upper left corner, as in the SVGs.
"""

from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import Final

import font_lato  # type: ignore[import-untyped]
from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject
from reportlab.platypus import Flowable, Frame, KeepInFrame, ListFlowable, Paragraph, Spacer

from illusion.deck.deck import Card, Deck
from illusion.deck.palettes import (
    DOT_RADIUS,
    INKS,
    LINE_WIDTH,
    TILE,
    Palette,
    Point,
    Printed,
    Sign,
    Swatch,
    Words,
    arrow,
    arrow_back,
    back,
)
from illusion.deck.picture import BOTTOM, FRAME, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Picture
from illusion.deck.print_texts import CHECK, COLOURS, CREDIT, DECK, HOW, HOW_TITLE, RULES, RULES_TITLE
from illusion.languages import Language
from illusion.rules import ARROWS, Colour

PLAIN: Final = "Lato"
BOLD: Final = "LatoBold"
"""Embedded, because PDF's built-in fonts lack Polish letters."""
INK: Final = HexColor("#1d1f23")
WHITE: Final = HexColor("#ffffff")
_EVEN_ODD: Final = 0
"""reportlab's constant for the even-odd rule, by which a ring inside a ring is a hole."""


def register_fonts() -> None:
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, font_lato.font_files[name]))


class Pen:
    """Draws onto one card in the colours of a palette."""

    def __init__(self, canvas: Canvas, palette: Palette) -> None:
        self.canvas = canvas
        self.palette = palette

    def frame(self) -> None:
        self.canvas.setFillColor(HexColor(self.palette.frame))
        self.canvas.rect(0, 0, WIDTH, HEIGHT, stroke=0, fill=1)
        self.canvas.setFillColor(WHITE)
        self.canvas.rect(FRAME, FRAME, RIGHT - LEFT, BOTTOM - TOP, stroke=0, fill=1)

    def fill(self, colour: Colour, path: PDFPathObject) -> None:
        """Fill a path with a colour, and with its hatch if the palette has them."""
        self.canvas.setFillColor(HexColor(self.palette[colour]))
        self.canvas.drawPath(path, stroke=0, fill=1, fillMode=_EVEN_ODD)
        if self.palette.texture:
            self.canvas.saveState()
            self.canvas.clipPath(path, stroke=0, fill=0, fillMode=_EVEN_ODD)
            self._hatch(colour)
            self.canvas.restoreState()

    def _hatch(self, colour: Colour) -> None:
        """The same hatches as in the SVGs: diagonals, dots, uprights, a grid."""
        across, down = range(LEFT, RIGHT + TILE, TILE), range(TOP, BOTTOM + TILE, TILE)
        uprights = [(x, TOP, x, BOTTOM) for x in across]
        self.canvas.setStrokeColor(HexColor(INKS[colour]))
        self.canvas.setLineWidth(LINE_WIDTH)
        match colour:
            case Colour.RED:
                slopes = range(LEFT - (BOTTOM - TOP), RIGHT, TILE)
                self.canvas.lines([(x, BOTTOM, x + BOTTOM - TOP, TOP) for x in slopes])
            case Colour.GREEN:
                self.canvas.lines(uprights)
            case Colour.BLUE:
                self.canvas.lines(uprights + [(LEFT, y, RIGHT, y) for y in down])
            case Colour.YELLOW:  # dots: dashes of length 0 with round ends
                self.canvas.setLineWidth(2 * DOT_RADIUS)
                self.canvas.setLineCap(1)
                self.canvas.setDash([0, TILE])
                self.canvas.lines([(LEFT, y, RIGHT, y) for y in down])
                self.canvas.lines([(LEFT + TILE / 2, y + TILE / 2, RIGHT, y + TILE / 2) for y in down])

    def side(self, side: "Side") -> None:
        """One side of a card, inside its frame."""
        if isinstance(side, dict):
            for colour, regions in side.items():
                self.fill(colour, self.path(ring.tolist() for region in regions for ring in region))
            return
        for part in side:
            match part:
                case Swatch(paint, y):
                    swatch = self.canvas.beginPath()
                    swatch.roundRect(750, y - 550, 1500, 1100, 160)
                    self.fill(paint, swatch)
                case Words(words, y, size, right):
                    self.words(words, 5550 if right else WIDTH / 2, y, size, right=right)
                case Sign(colour, points, x, y, scale):
                    path = self.path([[(x + u * scale, y + v * scale) for u, v in points]])
                    if colour is None:
                        self.canvas.setFillColor(WHITE)
                        self.canvas.drawPath(path, stroke=0, fill=1)
                    else:
                        self.fill(colour, path)

    def path(self, rings: Iterable[Iterable[Point]]) -> PDFPathObject:
        path = self.canvas.beginPath()
        for (x, y), *rest in rings:
            path.moveTo(x, y)
            for u, v in rest:
                path.lineTo(u, v)
            path.close()
        return path

    def words(self, words: str, x: float, y: float, size: float, *, right: bool = False) -> None:
        """Words centred on a point, or ending there; mirrored, because y runs downward here."""
        self.canvas.saveState()
        self.canvas.translate(x, y)
        self.canvas.scale(1, -1)
        self.canvas.setFont(BOLD, size)
        self.canvas.setFillColor(INK)
        (self.canvas.drawRightString if right else self.canvas.drawCentredString)(0, 0, words)
        self.canvas.restoreState()


Side = Picture | Iterable[Printed]


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
    language: Language,
    progress: Callable[[Sequence[Card]], Iterable[Card]] = iter,
) -> bytes:
    """The deck as a PDF: a sheet on how to print and play, then nine cards a sheet, backs behind fronts."""
    register_fonts()
    out = BytesIO()
    size = PAPERS[paper]
    canvas = Canvas(out, pagesize=size, pageCompression=1, invariant=1, initialFontName=PLAIN)  # type: ignore[arg-type]
    canvas.setTitle(f"Illusion {deck.seed}")
    canvas.setSubject(_reprint_command(deck))
    canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    canvas.setViewerPreference("PrintScaling", "None")
    _how_to_print(canvas, size, language, deck)
    _rules(canvas, size, language)
    pen = Pen(canvas, palette)
    fronts: list[Side] = [arrow(colour, language.gettext(COLOURS[colour])) for colour in ARROWS]
    backs: list[Side] = [arrow_back() for _ in ARROWS]
    for card in progress(deck.cards):
        fronts.append(card.picture)
        backs.append(back(card.shares, card.number, language.percent))
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


def _page(pen: Pen, size: Size, faces: Iterable[tuple[int, Side]]) -> None:
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
        pen.side(face)
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


def _how_to_print(canvas: Canvas, size: Size, language: Language, deck: Deck) -> None:
    (width, height), say = size, language.gettext
    steps: list[Flowable] = [Paragraph(say(step), ParagraphStyle("step", _BODY, spaceAfter=6)) for step in HOW]
    story: list[Flowable] = [
        Paragraph("Illusion", _TITLE),
        Paragraph(say(DECK) % {"seed": deck.seed}, _BODY),
        Paragraph(_reprint_command(deck), _COMMAND),
        Spacer(0, 10 * mm),
        Paragraph(say(HOW_TITLE), _HEADING),
        ListFlowable(steps, bulletType="1", bulletFontName=BOLD),
    ]
    _flow(canvas, story, width, top=height - 20 * mm)
    canvas.setFillColor(INK)
    canvas.rect(width / 2 - 50 * mm, 62 * mm, 100 * mm, 3 * mm, stroke=0, fill=1)
    below: list[Flowable] = [Paragraph(say(CHECK), _SMALL), Spacer(0, 8 * mm), Paragraph(say(CREDIT), _SMALL)]
    _flow(canvas, below, width, top=60 * mm)
    canvas.showPage()


def _rules(canvas: Canvas, size: Size, language: Language) -> None:
    story: list[Flowable] = [Paragraph(language.gettext(RULES_TITLE), _TITLE)]
    for heading, words in RULES.items():
        story += [Paragraph(language.gettext(heading), _HEADING), Paragraph(language.gettext(words), _BODY)]
        story.append(Spacer(0, 4 * mm))
    _flow(canvas, story, size[0], top=size[1] - 20 * mm)
    canvas.showPage()


def _flow(canvas: Canvas, story: list[Flowable], page_width: float, top: float) -> None:
    """Text from the top down to the lower margin, made smaller if it does not fit."""
    margin = 20 * mm
    width, height = page_width - 2 * margin, top - margin
    Frame(margin, margin, width, height, 0, 0, 0, 0).addFromList([KeepInFrame(width, height, story)], canvas)

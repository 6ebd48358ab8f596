"""Both sides of every card, drawn into a PDF.

Coordinates are in hundredths of a millimetre from the card's upper left corner, as in the SVGs.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import font_lato  # type: ignore[import-untyped]
from reportlab.lib.colors import HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from illusion.deck.card import Card
from illusion.deck.card_face import BOTTOM, FRAME, HEIGHT, LEFT, RIGHT, TOP, WIDTH
from illusion.deck.palettes import ARROW, DOT_RADIUS, INKS, LINE_WIDTH, SYMBOLS, TILE, Palette, Point
from illusion.deck.picture import Picture, Region
from illusion.rules import Colour

PLAIN: Final = "Lato"
BOLD: Final = "LatoBold"
"""Embedded, because the built-in fonts of PDF have no Polish letters."""
INK: Final = HexColor("#1d1f23")
WHITE: Final = HexColor("#ffffff")
_EVEN_ODD: Final = 0
"""reportlab's number for the even-odd rule, by which a ring inside a ring is a hole."""


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
        """Fill a path with a colour, hatched where the palette says so."""
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
            case Colour.YELLOW:  # dashes of no length with round ends
                self.canvas.setLineWidth(2 * DOT_RADIUS)
                self.canvas.setLineCap(1)
                self.canvas.setDash([0, TILE])
                self.canvas.lines([(LEFT, y, RIGHT, y) for y in down])
                self.canvas.lines([(LEFT + TILE / 2, y + TILE / 2, RIGHT, y + TILE / 2) for y in down])

    def shape(self, points: Sequence[Point], x: float, y: float, size: float) -> PDFPathObject:
        """The path of a symbol or an arrow around a point."""
        path = self.canvas.beginPath()
        (u, v), *rest = points
        path.moveTo(x + u * size, y + v * size)
        for u, v in rest:
            path.lineTo(x + u * size, y + v * size)
        path.close()
        return path

    def outlines(self, regions: Iterable[Region]) -> PDFPathObject:
        path = self.canvas.beginPath()
        for region in regions:
            for ring in region:
                (x, y), *rest = ring.tolist()
                path.moveTo(x, y)
                for u, v in rest:
                    path.lineTo(u, v)
                path.close()
        return path

    def words(self, words: str, x: float, y: float, size: float, *, right: bool = False) -> None:
        """Words centred on a point, or ending there. The text is mirrored upright, because y runs downward here."""
        self.canvas.saveState()
        self.canvas.translate(x, y)
        self.canvas.scale(1, -1)
        self.canvas.setFont(BOLD, size)
        self.canvas.setFillColor(INK)
        (self.canvas.drawRightString if right else self.canvas.drawCentredString)(0, 0, words)
        self.canvas.restoreState()


CardSide = Callable[[Pen], None]
"""Draws one side of a card, inside its frame."""


def front(picture: Picture) -> CardSide:
    def draw(pen: Pen) -> None:
        for colour, regions in picture.items():
            pen.fill(colour, pen.outlines(regions))

    return draw


def back(card: Card, percent: Callable[[int], str]) -> CardSide:
    """The four percentages in large figures beside the colours and their symbols."""

    def draw(pen: Pen) -> None:
        for row, colour in enumerate(Colour):
            y = 1450 + 1800 * row
            swatch = pen.canvas.beginPath()
            swatch.roundRect(750, y - 550, 1500, 1100, 160)
            pen.fill(colour, swatch)
            pen.canvas.setFillColor(WHITE)
            pen.canvas.drawPath(pen.shape(SYMBOLS[colour], 1500, y, 6), stroke=0, fill=1)
            pen.words(percent(card.shares[colour]), 5550, y + 400, 1150, right=True)
        pen.words(str(card.number), WIDTH / 2, 8370, 240)

    return draw


def arrow(colour: Colour, name: str) -> CardSide:
    def draw(pen: Pen) -> None:
        pen.fill(colour, pen.shape(ARROW, 3150, 4400, 2))
        pen.fill(colour, pen.shape(SYMBOLS[colour], 3150, 1500, 5))
        pen.words(name, 3150, 7300, 700)

    return draw


def arrow_back(pen: Pen) -> None:
    for colour, y in zip(Colour, (1700, 3500, 5300, 7100), strict=True):
        pen.fill(colour, pen.shape(ARROW, 3150, y, 0.9))

"""The font of the printed deck: Lato, embedded, because the built-in fonts of PDF have no Polish letters."""

from typing import Final

import font_lato  # type: ignore[import-untyped]
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

PLAIN: Final = "Lato"
BOLD: Final = "LatoBold"


def register_fonts() -> None:
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, font_lato.font_files[name]))

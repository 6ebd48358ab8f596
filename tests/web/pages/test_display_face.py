"""The display face is sent without the letters that pages do not need; the others look as they did."""

import gzip
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import pytest
from PIL import ImageFont

import illusion.languages
from illusion.web.pages.display_face import LETTERS, subset

WHOLE = files("font_manrope").joinpath("files", "Manrope-ExtraBold.ttf").read_bytes()
RAISED = set("ª²³¹º")
"""FreeType hints these otherwise, by the table of substitutions; their outlines are the same."""


def drawn(font: bytes, text: str) -> tuple[bytes, float]:
    """By FreeType: the picture of a text, and how wide it is."""
    engine = ImageFont.Layout.BASIC if len(text) == 1 else ImageFont.Layout.RAQM  # the latter knows the font's kerning
    face = ImageFont.truetype(BytesIO(font), 40, layout_engine=engine)
    return bytes(face.getmask(text)), face.getlength(text)


@pytest.fixture(scope="module")
def sent() -> bytes:
    return subset(WHOLE)


def test_letters_that_are_kept_look_as_before(sent: bytes) -> None:
    nothing = drawn(WHOLE, "\uffff")
    kept = [chr(code) for first, last in LETTERS for code in range(first, last + 1)]
    changed = [letter for letter in kept if drawn(sent, letter) != drawn(WHOLE, letter)]
    assert set(changed) <= RAISED
    assert sum(drawn(sent, letter) != nothing for letter in kept) > 200


@pytest.mark.parametrize("letter", ["Ж", "Ω", "ệ", "ř"])
def test_others_have_no_outline(sent: bytes, letter: str) -> None:
    """Browsers do not ask for them here: `base.css` says which letters this face has."""
    assert drawn(sent, letter)[0] == b"" != drawn(WHOLE, letter)[0]


def test_every_text_of_ours_can_be_set(sent: bytes) -> None:
    nothing = drawn(WHOLE, "\uffff")
    catalogues = Path(illusion.languages.__file__).parent.rglob("*.po")
    letters = set("".join(catalogue.read_text("utf-8") for catalogue in catalogues))
    letters = {letter for letter in letters if letter.isprintable() and drawn(WHOLE, letter) != nothing}
    assert len(letters) > 80
    assert {letter for letter in letters if drawn(sent, letter)[0] != drawn(WHOLE, letter)[0]} <= RAISED


def test_pairs_of_letters_are_as_close_as_before(sent: bytes) -> None:
    for pair in ("To", "AV", "We", "Łu", "11"):
        assert drawn(sent, pair) == drawn(WHOLE, pair)


def test_it_is_less_than_half_as_heavy_once_it_is_compressed(sent: bytes) -> None:
    assert len(gzip.compress(sent)) < 0.5 * len(gzip.compress(WHOLE))

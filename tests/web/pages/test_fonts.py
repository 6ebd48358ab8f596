"""The display face comes in two files; browsers are told which letters each has, and every text of ours can be set."""

import re
from pathlib import Path
from unicodedata import category

import pytest
from harness.servers import Server
from PIL import ImageFont

import illusion.languages
from illusion.web.pages.static import STATIC, asset, static_file

RANGES = {
    font: [tuple(int(end, 16) for end in each.removeprefix("U+").split("-")) for each in ranges.split(", ")]
    for font, ranges in re.findall(
        r'url\("\.\./(fonts/[^"]+)"\).*unicode-range: ([^;]*);', (STATIC / "css" / "base.css").read_text()
    )
}
LATIN = "fonts/display.woff2"


def letters(font: str) -> str:
    return "".join(chr(code) for each in RANGES[font] for code in range(each[0], each[-1] + 1))


def drawn(font: str, text: str) -> tuple[bytes, float]:
    """By FreeType: the picture of a text, and how wide it is."""
    engine = ImageFont.Layout.BASIC if len(text) == 1 else ImageFont.Layout.RAQM  # the latter knows the font's kerning
    face = ImageFont.truetype(STATIC / font, 40, layout_engine=engine)
    return bytes(face.getmask(text)), face.getlength(text)


def has(font: str, letter: str) -> bool:
    return drawn(font, letter) != drawn(font, "\uffff")


@pytest.mark.parametrize(("font", "least"), [(LATIN, 300), ("fonts/display-more.woff2", 250)])
def test_a_font_has_the_letters_that_browsers_are_told(font: str, least: int) -> None:
    assert sum(has(font, letter) for letter in letters(font)) > least


def test_no_letter_is_in_both() -> None:
    one, other = map(letters, RANGES)
    assert not set(one) & set(other)


def test_every_text_of_ours_can_be_set() -> None:
    catalogues = Path(illusion.languages.__file__).parent.rglob("*.po")
    needed = {
        letter for letter in "".join(path.read_text("utf-8") for path in catalogues) if category(letter)[0] in "LNP"
    }
    assert len(needed) > 80
    assert needed <= set(letters(LATIN))
    assert all(has(LATIN, letter) for letter in needed)


@pytest.mark.parametrize("pair", ["To", "AV", "We"])
def test_pairs_of_letters_are_as_close_as_the_font_says(pair: str) -> None:

    assert drawn(LATIN, pair)[1] < sum(drawn(LATIN, letter)[1] for letter in pair)


@pytest.mark.parametrize("font", RANGES)
def test_a_font_is_served_at_the_address_that_the_style_names(server: Server, font: str) -> None:
    with server.client() as client:
        answer = client.get(asset(font))
    assert answer.headers["content-type"] == "font/woff2"
    assert answer.content[:4] == b"wOF2"
    assert f'url("{asset(font)}")' in static_file("css/base.css").decode()

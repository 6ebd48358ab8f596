"""Faces: small, plain, all different, always the same; eyes show the level, brows and mouth the temper."""

import io
import re
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
import resvg_py
from PIL import Image, ImageChops, ImageStat

from illusion.bots import CHARACTERS, LEVEL_NAMES, Character, face_svg
from illusion.bots.characters import BOLD, CAUTIOUS, EVEN, of_level
from illusion.bots.faces import EYES, MOODS, PORTRAITS

STRANGERS = [Character(f"Pip {number}", level, EVEN) for level in LEVEL_NAMES for number in range(40)]
ATTRIBUTES = {"viewBox", "d", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin"}


def pixels(svg: str, size: int = 40) -> Image.Image:
    drawn = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size)
    return Image.open(io.BytesIO(bytes(drawn))).convert("RGBA")


def apart(one: Image.Image, other: Image.Image) -> float:
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3


def test_a_face_is_small_plain_svg_that_can_stand_in_any_page() -> None:
    """Shapes and lines only: no ids, styles, links, gradients, filters or text."""
    for character in [*CHARACTERS, *STRANGERS]:
        svg = face_svg(character)
        assert len(svg.encode()) < 1536
        root = ET.fromstring(svg)  # noqa: S314
        assert root.get("viewBox") == "0 0 64 64"
        tags = {element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()}
        assert tags <= {"svg", "g", "path"}
        assert {name for element in root.iter() for name in element.attrib} <= ATTRIBUTES
        paints = {element.get(name) for element in root.iter() for name in ("fill", "stroke")} - {None, "none"}
        assert all(re.fullmatch(r"#[0-9a-f]{3}([0-9a-f]{3})?", str(paint)) for paint in paints)


def test_everybody_has_a_portrait_and_no_portrait_is_nobodys() -> None:
    assert set(PORTRAITS) == {character.name for character in CHARACTERS}


def test_all_faces_differ_clearly_at_the_size_they_are_shown() -> None:
    """By a mean of more than 20 of 255 over 40 by 40 pixels, all put on the same plate."""
    shown = {}
    for character in CHARACTERS:
        on_white = face_svg(character).replace(PORTRAITS[character.name].plate, "#fff", 1)
        shown[character] = pixels(on_white).convert("RGB")
    for one, other in combinations(CHARACTERS, 2):
        assert apart(shown[one], shown[other]) > 20, (one.name, other.name)


def test_a_face_lies_on_a_round_plate_on_light_and_dark_alike() -> None:
    for character in CHARACTERS:
        drawn = pixels(face_svg(character), 64)
        opaque = [(x, y) for x in range(64) for y in range(64) if (x - 31.5) ** 2 + (y - 31.5) ** 2 < 31**2]
        assert all(drawn.getpixel(where)[3] == 255 for where in opaque), character.name  # type: ignore[index]
        corners = [(0, 0), (63, 0), (0, 63), (63, 63)]
        assert all(drawn.getpixel(where)[3] == 0 for where in corners), character.name  # type: ignore[index]


def test_eyes_tell_the_level() -> None:
    assert set(EYES) == set(LEVEL_NAMES)
    outlines = {level: max(re.findall(r'd="([^"]+)"', eyes), key=len) for level, eyes in EYES.items()}
    for character in [*CHARACTERS, *STRANGERS]:
        face = face_svg(character)
        assert [level for level, outline in outlines.items() if outline in face] == [character.level]


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_at_one_level_plates_tell_who_and_brows_and_mouth_the_temper(level: str) -> None:
    assert len({PORTRAITS[character.name].plate for character in of_level(level)}) == 4
    faces = [face_svg(Character("somebody", level, temper)) for temper in (CAUTIOUS, EVEN, BOLD)]
    assert len(set(faces)) == 3
    assert len({face_svg(stranger) for stranger in STRANGERS if stranger.level == level}) > 20


def test_a_face_that_looks_or_winces_is_another_picture_of_the_same_character() -> None:
    for character in CHARACTERS:
        drawn = [pixels(face_svg(character, mood)).convert("RGB") for mood in MOODS]
        for one, other in combinations(drawn, 2):
            assert 1 < apart(one, other) < 40, character.name

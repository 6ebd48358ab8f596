"""Static files have addresses below their folders, and no address leads out of them.

Of the display face, pages are sent the letters that they need; these look as they did.
"""

import gzip
import http.client
import re
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from urllib.robotparser import RobotFileParser

import pytest
from harness.servers import Server
from PIL import ImageFont

import illusion.languages
import illusion.web
from illusion.web.pages.display_face import LETTERS, subset
from illusion.web.pages.static import DISPLAY_FACE, WHOLE_FACE, asset, bundle, static_file

STATIC = Path(illusion.web.__file__).parent / "static"
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
WHOLE = files("font_manrope").joinpath("files", "Manrope-ExtraBold.ttf").read_bytes()
RAISED = set("ª²³¹º")
"""FreeType hints these otherwise, by the table of substitutions; their outlines are the same."""


def fetched(server: Server, address: str) -> tuple[int, bytes]:
    """The address as it is: a client library would resolve the dots in it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    try:
        connection.request("GET", address)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def code(content: bytes, path: Path) -> list[bytes]:
    """The lines of a script or style that are sent as they are: comments are not; of other files, everything."""
    if path.suffix not in (".js", ".css"):
        return [content]
    if path.suffix == ".css":  # without the space that only readers need, and the addresses of faces
        return [re.sub(rb"\s|@font-face\s*{.*?}|/\*.*?\*/", b"", content, flags=re.DOTALL)]
    lines = [line.strip() for line in content.splitlines()]
    return [line for line in lines if line and not line.startswith((b"//", b"/*", b"*", b"@font-face"))]


def test_every_static_file_is_served_under_its_address_and_the_scripts_of_a_page_in_one(server: Server) -> None:
    for path in FILES:
        status, sent = fetched(server, asset(path.relative_to(STATIC).as_posix()))
        assert (status, code(sent, path)) == (200, code(path.read_bytes(), path)), path
    for page in (STATIC / "js" / "pages").glob("*.js"):
        status, sent = fetched(server, bundle(page.stem))
        assert (status, sent.count(b"const $dom = ")) == (200, 1), page
    for face in (DISPLAY_FACE, WHOLE_FACE):  # from its package
        status, sent = fetched(server, asset(face))
        assert (status, sent[:4]) == (200, b"\0\1\0\0")  # TrueType
        assert f'url("../../..{asset(face)}")' in static_file("css/base.css").decode()


@pytest.mark.parametrize("name", ["css/base.css", "bundles/table.js", DISPLAY_FACE])
def test_a_file_is_kept_for_ever_at_the_address_of_its_content_alone(server: Server, name: str) -> None:
    """A server that is about to be upgraded may be asked for what only the new one has."""
    client = server.client()
    assert client.get(asset(name)).headers["cache-control"] == "public, max-age=31536000, immutable"
    assert client.get(f"/static/{'f' * 12}/{name}").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "name",
    [
        "../__init__.py",
        "js/../../__init__.py",
        "..%2f__init__.py",
        "%2e%2e/__init__.py",
        "js/%2e%2e/%2e%2e/__init__.py",
        "..\\__init__.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "js",
        "js/",
        "js//shared/dom.js",
        "./css/table.css",
        "favicon.svg",
        "bundles/nothing.js",
        "bundles/../js/shared/dom.js",
        "icons/favicon.svg%00",
        "",
    ],
)
def test_other_names_are_not_found(server: Server, name: str) -> None:
    assert (STATIC.parent / "__init__.py").is_file()
    status, body = fetched(server, f"/static/1/{name}")
    assert status == 404
    assert b"import" not in body


def test_no_folder_of_static_files_holds_more_than_twelve() -> None:
    for folder in {path.parent for path in FILES}:
        assert len([path for path in FILES if path.parent == folder]) <= 12, folder


def test_crawlers_are_told_what_they_may_index_and_whoever_reads_no_page_gets_an_icon(server: Server) -> None:
    """Read by Python's own parser of such files, which knows no `$`; the home page has a rule of its own."""
    status, told = fetched(server, "/robots.txt")
    rules = RobotFileParser()
    rules.parse(told.decode().splitlines())
    assert status == 200
    assert rules.can_fetch("*", "/rules")
    for path in ("/table/abcdefgh", "/watch/abcdefgh", "/eyes", "/api/tables"):
        assert not rules.can_fetch("*", path)
    assert b"Allow: /$\n" in told
    assert fetched(server, "/favicon.ico") == (200, (STATIC / "icons" / "icon-192.png").read_bytes())


def drawn(font: bytes, text: str) -> tuple[bytes, float]:
    """By FreeType: the picture of a text, and how wide it is."""
    engine = ImageFont.Layout.BASIC if len(text) == 1 else ImageFont.Layout.RAQM  # the latter knows the font's kerning
    face = ImageFont.truetype(BytesIO(font), 40, layout_engine=engine)
    return bytes(face.getmask(text)), face.getlength(text)


def test_letters_of_the_display_face_that_are_kept_look_as_before_and_others_have_no_outline() -> None:
    """Browsers do not ask for the others here: `base.css` says which letters this face has."""
    sent, nothing = subset(WHOLE), drawn(WHOLE, "\uffff")
    kept = {chr(code) for first, last in LETTERS for code in range(first, last + 1)}
    assert {letter for letter in kept if drawn(sent, letter) != drawn(WHOLE, letter)} <= RAISED
    assert sum(drawn(sent, letter) != nothing for letter in kept) > 200
    for pair in ("To", "AV", "We", "Łu", "11"):
        assert drawn(sent, pair) == drawn(WHOLE, pair)
    for letter in ("Ж", "Ω", "ệ", "ř"):
        assert drawn(sent, letter)[0] == b"" != drawn(WHOLE, letter)[0]
    catalogues = Path(illusion.languages.__file__).parent.rglob("*.po")
    used = {letter for text in catalogues for letter in text.read_text("utf-8") if letter.isprintable()}
    assert {letter for letter in used - kept if drawn(WHOLE, letter) != nothing} <= RAISED  # every text of ours
    assert len(gzip.compress(sent)) < 0.5 * len(gzip.compress(WHOLE))


def test_browsers_are_told_which_letters_the_display_face_has() -> None:
    told = re.search(r'/display\.ttf"\);.*unicode-range: ([^;]*);', (STATIC / "css" / "base.css").read_text())
    assert told
    ranges = [f"U+{first:X}" + (f"-{last:X}" if last > first else "") for first, last in LETTERS]
    assert told[1].split(", ") == ranges

"""Static files have addresses below their folders, and no address leads out of them."""

import http.client
import re
from pathlib import Path
from urllib.robotparser import RobotFileParser

import pytest
from harness.servers import Server

import illusion.web
from illusion.web.pages.display_face import LETTERS
from illusion.web.pages.static import DISPLAY_FACE, WHOLE_FACE, asset, bundle, static_file

STATIC = Path(illusion.web.__file__).parent / "static"


def fetched(server: Server, address: str) -> tuple[int, bytes]:
    """The address as it is: a client library would resolve the dots in it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    try:
        connection.request("GET", address)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    "path", sorted(path for path in STATIC.rglob("*") if path.is_file()), ids=lambda path: path.name
)
def test_every_static_file_is_served_under_its_address(server: Server, path: Path) -> None:
    status, sent = fetched(server, asset(path.relative_to(STATIC).as_posix()))
    assert status == 200
    assert _code(sent, path) == _code(path.read_bytes(), path)


def _code(content: bytes, path: Path) -> list[bytes]:
    """The lines of a script or style that are sent as they are: comments are not; of other files, everything."""
    if path.suffix not in (".js", ".css"):
        return [content]
    if path.suffix == ".css":  # without the space that only readers need, and the addresses of faces
        return [re.sub(rb"\s|@font-face\s*{.*?}|/\*.*?\*/", b"", content, flags=re.DOTALL)]
    lines = [line.strip() for line in content.splitlines()]
    return [line for line in lines if line and not line.startswith((b"//", b"/*", b"*", b"@font-face"))]


@pytest.mark.parametrize("name", ["css/base.css", "bundles/table.js", DISPLAY_FACE])
def test_a_file_is_kept_for_ever_at_the_address_of_its_content_alone(server: Server, name: str) -> None:
    """A server that is about to be upgraded may be asked for what only the new one has."""
    with server.client() as client:
        assert client.get(asset(name)).headers["cache-control"] == "public, max-age=31536000, immutable"
        assert client.get(f"/static/{'f' * 12}/{name}").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("face", [DISPLAY_FACE, WHOLE_FACE])
def test_the_display_face_is_served_from_its_package(server: Server, face: str) -> None:
    status, sent = fetched(server, asset(face))
    assert status == 200
    assert sent[:4] == b"\0\1\0\0"  # TrueType
    assert f'url("../../..{asset(face)}")' in static_file("css/base.css").decode()


def test_browsers_are_told_which_letters_the_display_face_has() -> None:
    told = re.search(r'/display\.ttf"\);.*unicode-range: ([^;]*);', (STATIC / "css" / "base.css").read_text())
    assert told
    ranges = [f"U+{first:X}" + (f"-{last:X}" if last > first else "") for first, last in LETTERS]
    assert told[1].split(", ") == ranges


@pytest.mark.parametrize("page", sorted(path.stem for path in (STATIC / "js" / "pages").glob("*.js")))
def test_the_scripts_of_a_page_are_served_in_one_file(server: Server, page: str) -> None:
    status, sent = fetched(server, bundle(page))
    assert status == 200
    assert sent.count(b"const $dom = ") == 1


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
    for folder in [STATIC, *(path for path in STATIC.rglob("*") if path.is_dir())]:
        assert len([path for path in folder.iterdir() if path.is_file()]) <= 12, folder


def test_crawlers_are_told_what_they_may_index_and_tables_are_not(server: Server) -> None:
    """Read by Python's own parser of such files, which knows no `$`; the home page has a rule of its own."""
    status, told = fetched(server, "/robots.txt")
    rules = RobotFileParser()
    rules.parse(told.decode().splitlines())
    assert status == 200
    assert rules.can_fetch("*", "/rules")
    assert not any(
        rules.can_fetch("*", path) for path in ("/table/abcdefgh", "/watch/abcdefgh", "/eyes", "/api/tables")
    )
    assert b"Allow: /$\n" in told


def test_whoever_reads_no_page_gets_an_icon(server: Server) -> None:
    assert fetched(server, "/favicon.ico") == (200, (STATIC / "icons" / "icon-192.png").read_bytes())

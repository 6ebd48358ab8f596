"""Scripts, styles, icons and the display face, at addresses that change with their content: kept for ever."""

import hashlib
import re
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.web.http.problems import Problem
from illusion.web.pages import palette_css

STATIC: Final = Path(__file__).parents[1] / "static"
PALETTES_CSS: Final = "palettes.css"
DISPLAY_FACE: Final = "fonts/display.ttf"
"""Manrope by Mikhail Sharanda (SIL Open Font License), from the installed package `font-manrope`."""
YEAR_S: Final = 365 * 24 * 3600
MEDIA_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ttf": "font/ttf",
    ".webmanifest": "application/json",
}
COMMENT: Final = re.compile(r"^[ \t]*(?://[^\n]*|/\*.*?\*/)[ \t]*\n", re.MULTILINE | re.DOTALL)
"""A comment that has its lines to itself. Scripts and styles are written for their readers, and sent without."""


@lru_cache
def asset(name: str) -> str:
    """The address of a static file."""
    content = _content(name)
    if name.endswith(".js"):  # scripts import one another by relative paths, so all of them share one version
        content = b"".join(_content(script) for script in sorted(_files()) if script.endswith(".js"))
    return f"/static/{hashlib.sha256(content).hexdigest()[:12]}/{name}"


@cache
def _files() -> dict[str, Path]:
    """Every static file by its path below `static/`. Names are only looked up here, so none can lead elsewhere."""
    return {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}


@cache
def _content(name: str) -> bytes:
    """As it is sent; raises KeyError."""
    if name == PALETTES_CSS:
        return palette_css.stylesheet().encode()
    if name == DISPLAY_FACE:
        return files("font_manrope").joinpath("files", "Manrope-ExtraBold.ttf").read_bytes()
    content = _files()[name].read_bytes()
    return COMMENT.sub("", content.decode()).encode() if name.endswith((".js", ".css")) else content


async def static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _files() and name not in (PALETTES_CSS, DISPLAY_FACE):
        raise Problem(404, "not-found")
    headers = {"cache-control": f"public, max-age={YEAR_S}, immutable"}
    return Response(_content(name), headers=headers, media_type=MEDIA_TYPES.get(Path(name).suffix))


ROUTES = [Route("/static/{version}/{name:path}", static, methods=["GET"])]

"""A page's scripts, styles, palettes, icons and fonts, at addresses that change with their content."""

import gzip
import hashlib
import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.deck import PALETTES
from illusion.deck.palettes import TILE, hatch
from illusion.rules import Colour
from illusion.web.context import context
from illusion.web.pages import bundles
from illusion.web.pictures import IMMUTABLE, VARY
from illusion.web.problems import Problem

STATIC: Final = Path(__file__).parents[1] / "static"
PALETTES_CSS: Final = "palettes.css"
BUNDLES: Final = "bundles/{page}.js"
EVERY_PAGE: Final = "pages/every-page.js"
MEDIA_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".webmanifest": "application/json",
}
COMMENT: Final = re.compile(r"^[ \t]*(?://[^\n]*|/\*.*?\*/)[ \t]*\n", re.MULTILINE | re.DOTALL)
"""A comment that has its lines to itself. Scripts and styles are written for their readers, and sent without."""
_compressed: Final[dict[str, bytes | None]] = {}
"""By name, once asked for: nothing is compressed twice, or waits for the worker."""
FONT: Final = re.compile(r'"\.\./(fonts/[^"]+)"')
"""A font as a style names it; it is sent with the font's own address, so that both change together."""


@lru_cache
def asset(name: str) -> str:
    """The address of a static file."""
    return f"/static/{hashlib.sha256(static_file(name)).hexdigest()[:12]}/{name}"


def bundle(page: str) -> str:
    """The address of all scripts of a page."""
    return asset(BUNDLES.format(page=page))


@cache
def static_file(name: str) -> bytes:
    """As it is sent to whoever reads no gzip; raises KeyError."""
    made = _made().get(name)
    if made is not None:
        return made()
    content = _files()[name].read_bytes()
    if not name.endswith((".js", ".css")):
        return content
    code = COMMENT.sub("", content.decode())
    return (FONT.sub(lambda font: f'"{asset(font[1])}"', code) if name.endswith(".css") else code).encode()


@cache
def _files() -> dict[str, Path]:
    """Every static file by its path below `static/`. Names are only looked up here, so none can lead elsewhere."""
    return {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}


@cache
def _made() -> dict[str, Callable[[], bytes]]:
    """What is no file of its own, by name."""
    pages = (path.stem for path in (STATIC / "js" / "pages").glob("*.js"))
    return {
        PALETTES_CSS: lambda: _palettes().encode(),
        **{BUNDLES.format(page=page): partial(_bundle, page) for page in pages},
    }


def _bundle(page: str) -> bytes:
    scripts = {name.removeprefix("js/"): name for name in _files() if name.startswith("js/")}
    modules = {path: static_file(name).decode() for path, name in scripts.items()}
    return bundles.link(modules, (EVERY_PAGE, f"pages/{page}.js")).encode()


def _palettes() -> str:
    """One rule for each palette of the deck: arrows and symbols on the pages wear the colours of the viewer's cards.

    `texture` fills with the hatches of `patterns`.
    """
    rules = []
    for palette in PALETTES.values():
        paints = "".join(f"--{colour}:{palette[colour]};" for colour in Colour)
        rules.append(f":root[data-palette={palette.name}]{{{paints}--frame:{palette.frame}}}")
        if palette.texture:
            rules += [f"[data-palette={palette.name}] .{colour}{{fill:url(#{colour}-paint)}}" for colour in Colour]
    return "\n".join(rules) + "\n"


@cache
def patterns() -> str:
    """The hatches as SVG patterns, small enough for symbols; they stand once on every page."""
    return "".join(
        f'<pattern id="{colour}-paint" width="{TILE}" height="{TILE}" patternUnits="userSpaceOnUse"'
        f' patternTransform="scale(.15)"><rect class="plain-{colour}" width="{TILE}" height="{TILE}"/>{hatch(colour)}'
        "</pattern>"
        for colour in Colour
    )


async def static(request: Request) -> Response:
    """Kept for ever at its content's very address alone: a server of another version may be asked for what it lacks."""
    name = request.path_params["name"]
    if name not in _files() and name not in _made():
        raise Problem(404, "not-found")
    if name not in _compressed:
        _compressed[name] = await context(request).service.worker.run(_compress, name)
    compressed = _compressed[name]
    headers = (IMMUTABLE if request.url.path == asset(name) else {"cache-control": "no-cache"}) | VARY
    media_type = MEDIA_TYPES.get(Path(name).suffix)
    if compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(compressed, headers=headers | {"content-encoding": "gzip"}, media_type=media_type)
    return Response(static_file(name), headers=headers, media_type=media_type)


def _compress(name: str) -> bytes | None:
    """None for what is compressed already, as pictures of dots are."""
    content = static_file(name)
    compressed = gzip.compress(content, mtime=0)
    return compressed if len(compressed) < len(content) else None


ROUTES = [Route("/static/{version}/{name:path}", static, methods=["GET"])]

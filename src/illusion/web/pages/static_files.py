"""Scripts, styles and icons, at addresses that change with their content and so can be cached for ever."""

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from illusion.web.http.problems import Problem
from illusion.web.pages import palette_css

STATIC: Final = Path(__file__).parents[1] / "static"
PALETTES_CSS: Final = "palettes.css"
YEAR_S: Final = 365 * 24 * 3600
MEDIA_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/json",
}


@lru_cache
def asset(name: str) -> str:
    """The address of a static file."""
    if name == PALETTES_CSS:
        content = palette_css.stylesheet().encode()
    elif name.endswith(".js"):  # scripts import one another by relative paths, so all of them share one version
        content = b"".join(path.read_bytes() for path in sorted(STATIC.rglob("*.js")))
    else:
        content = (STATIC / name).read_bytes()
    return f"/static/{hashlib.sha256(content).hexdigest()[:12]}/{name}"


@cache
def _files() -> dict[str, Path]:
    """Every static file by its path below `static/`. Names are only looked up here, so none can lead elsewhere."""
    return {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}


async def static(request: Request) -> Response:
    name = request.path_params["name"]
    headers = {"cache-control": f"public, max-age={YEAR_S}, immutable"}
    if name == PALETTES_CSS:
        return Response(palette_css.stylesheet(), headers=headers, media_type=MEDIA_TYPES[".css"])
    path = _files().get(name)
    if path is None:
        raise Problem(404, "not-found")
    return FileResponse(path, headers=headers, media_type=MEDIA_TYPES.get(path.suffix))


ROUTES = [Route("/static/{version}/{name:path}", static, methods=["GET"])]

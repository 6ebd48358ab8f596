"""Files that browsers and crawlers request by themselves: manifest, icon, service worker, offline page, robots.txt."""

import hashlib
import json
import re
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from illusion.web import urls
from illusion.web.pages import page
from illusion.web.pages.static import STATIC, asset, static_file

DAY_CACHE: Final = {"cache-control": "public, max-age=86400"}
ROBOTS: Final = """\
User-agent: *
Allow: /$
Allow: /rules
Allow: /static/
Disallow: /
"""
"""Crawlers may not index tables and players' pages."""


async def manifest(_request: Request) -> Response:
    """With addresses as seen from its own, wherever the game is served."""
    icons = [
        {"src": "." + asset("icons/favicon.svg"), "type": "image/svg+xml", "sizes": "any"},
        {"src": "." + asset("icons/icon-192.png"), "type": "image/png", "sizes": "192x192"},
        {"src": "." + asset("icons/icon-512.png"), "type": "image/png", "sizes": "512x512"},
        {
            "src": "." + asset("icons/icon-maskable-512.png"),
            "type": "image/png",
            "sizes": "512x512",
            "purpose": "maskable",
        },
    ]
    content = {
        "name": "Illusion",
        "short_name": "Illusion",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#faf7f2",
        "theme_color": "#faf7f2",
        "categories": ["games"],
        "icons": icons,
    }
    return JSONResponse(content, headers=DAY_CACHE, media_type="application/manifest+json")


async def offline(request: Request) -> Response:
    return await page(request, "offline.html")


async def worker(request: Request) -> Response:
    """The service worker. It lists the offline page and its files, so it changes whenever they do."""
    html = bytes((await page(request, "offline.html")).body)
    root = urls.at(request, "")
    parts = sorted(set(re.findall(rf"{re.escape(root)}/static/[\w./-]+", html.decode())))
    version = hashlib.sha256(html).hexdigest()[:12]
    told = {"VERSION": version, "ROOT": root, "PARTS": parts}
    constants = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in told.items())
    return Response(
        constants + (STATIC / "js" / "worker" / "service-worker.js").read_text(encoding="utf-8"),
        media_type="text/javascript",
        headers={"cache-control": "no-cache"},
    )


async def robots(_request: Request) -> Response:
    return PlainTextResponse(ROBOTS, headers=DAY_CACHE)


async def favicon(_request: Request) -> Response:
    """For clients that ignore the page's `<link rel="icon">`."""
    return Response(static_file("icons/icon-192.png"), media_type="image/png", headers=DAY_CACHE)


ROUTES = [
    Route("/favicon.ico", favicon, methods=["GET"]),
    Route("/manifest.webmanifest", manifest, methods=["GET"]),
    Route("/offline", offline, methods=["GET"]),
    Route("/robots.txt", robots, methods=["GET"]),
    Route("/worker.js", worker, methods=["GET"]),
]

"""A page's scripts, styles, palettes, icons and the display face, at addresses that change with their content."""

import gzip
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib.resources import files
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from illusion.deck import PALETTES
from illusion.deck.palettes import TILE, hatch
from illusion.rules import Colour
from illusion.web import urls
from illusion.web.context import context
from illusion.web.pages import display_face
from illusion.web.pictures import IMMUTABLE, VARY
from illusion.web.problems import Problem

STATIC: Final = Path(__file__).parents[1] / "static"
EVERY_STYLE: Final = "css/every-page.css"
"""`base.css`, `settings.css` and the palettes in one file, as each file costs a first visit 600 bytes of headers."""
DISPLAY_FACE: Final = "fonts/display.ttf"
"""Manrope by Mikhail Sharanda (SIL Open Font License), from the installed package `font-manrope`: Latin letters."""
WHOLE_FACE: Final = "fonts/display-whole.ttf"
"""All of it, for names in Greek or Cyrillic."""
BUNDLES: Final = "bundles/{page}.js"
EVERY_PAGE: Final = "pages/every-page.js"
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
_compressed: Final[dict[str, bytes | None]] = {}
"""By name, once asked for: nothing is compressed twice, or waits for the worker."""
FACE: Final = re.compile(r'"\.\./(fonts/[^"]+)"')
"""A face as a style names it; it is sent with the face's own address, seen from there: both change together."""
MARKED: Final = re.compile(r"""\b_\(\s*'((?:[^'\\]|\\.)*)'""")
IMPORT: Final = re.compile(r"^import (?:\{([^}]*)\} from )?'([^']+)';\n", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:const|function|class) ([\w$]+))", re.MULTILINE)
NO_EXPORT: Final = re.compile(r"^export \{\};\n", re.MULTILINE)
CAST: Final = re.compile(r"/\*\* @type [^*]*\*/ ?")
"""A type for the checker, within a line."""
TRAILING_COMMENT: Final = re.compile(r"(?<=[\w;,(){}\[\]>?:]) // .*")
SPACE: Final = re.compile(
    r"""('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|const \$\w+ = )"""
    r"""|[ ]?(=>|[=!]==|&&|\|\||\?\?|[={}(),;:?\[\]])[ ]?"""
)
"""A text or a module's name, which stay as they are; or a sign with the space around it, which only readers need."""
LINE_END: Final = re.compile(r"(?<=[;{},(])\n")
OTHER_FORM: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


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
    return _makers()[name]()


@cache
def _makers() -> dict[str, Callable[[], bytes]]:
    """What makes each static file, by its name. Names are only looked up here, so none can lead elsewhere."""
    paths = [path for path in STATIC.rglob("*") if path.is_file()]
    pages = [path.stem for path in paths if path.parent == STATIC / "js" / "pages"]
    return {
        **{path.relative_to(STATIC).as_posix(): partial(_content, path) for path in paths},
        **{BUNDLES.format(page=page): partial(_bundle, page) for page in pages},
        EVERY_STYLE: lambda: b"\n".join([static_file("css/base.css"), static_file("css/settings.css"), _palettes()]),
        WHOLE_FACE: _face,
        DISPLAY_FACE: lambda: display_face.subset(_face()),
    }


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix not in (".js", ".css"):
        return content
    code = COMMENT.sub("", content.decode())
    return (FACE.sub(lambda face: f'"../../..{asset(face[1])}"', code) if path.suffix == ".css" else code).encode()


@cache
def marked(page: str) -> tuple[str, ...]:
    """The texts that a page's scripts show, in English; scripts and page know them by their number."""
    return tuple(sorted(set(MARKED.findall(_linked_scripts(page)))))


def _bundle(page: str) -> bytes:
    number = {text: at for at, text in enumerate(marked(page))}
    code = MARKED.sub(lambda found: f"_({number[found[1]]}", _linked_scripts(page))
    return LINE_END.sub("", SPACE.sub(lambda found: found[1] or found[2], code)).encode()


@cache
def _linked_scripts(page: str) -> str:
    scripts = (name for name in _makers() if name.startswith("js/"))
    modules = {name.removeprefix("js/"): static_file(name).decode() for name in scripts}
    return link(modules, (EVERY_PAGE, f"pages/{page}.js"))


def _face() -> bytes:
    return files("font_manrope").joinpath("files", "Manrope-ExtraBold.ttf").read_bytes()


def _palettes() -> bytes:
    """One rule for each palette of the deck: arrows and symbols on the pages wear the colours of the viewer's cards.

    `texture` fills with the hatches of `patterns`.
    """
    rules = []
    for palette in PALETTES.values():
        paints = "".join(f"--{colour}:{palette[colour]};" for colour in Colour)
        rules.append(f":root[data-palette={palette.name}]{{{paints}--frame:{palette.frame}}}\n")
        if palette.texture:
            rules += [f"[data-palette={palette.name}] .{colour}{{fill:url(#{colour}-paint)}}\n" for colour in Colour]
    return "".join(rules).encode()


@cache
def patterns() -> Markup:
    """The hatches as SVG patterns, small enough for symbols; they stand once on every page."""
    tile = f'width="{TILE}" height="{TILE}"'
    found = (
        f'<pattern id="{colour}-paint" {tile} patternUnits="userSpaceOnUse" patternTransform="scale(.15)">'
        f'<rect class="plain-{colour}" {tile}/>{hatch(colour)}</pattern>'
        for colour in Colour
    )
    return Markup("".join(found))  # noqa: S704  # nosec B704


def link(modules: Mapping[str, str], entries: Sequence[str]) -> str:
    """A page's scripts in one file: the entries and all that they import, each after those that it imports.

    A module becomes a function that runs once and gives what it exports; an entry becomes a block, so it may wait.
    """
    linked: dict[str, str] = {}

    def visit(name: str, above: tuple[str, ...] = ()) -> None:  # a depth-first walk
        if name in above:
            raise ValueError(f"{' imports '.join((*above, name))}")
        if name in linked:
            return
        source = modules[name]
        for found in IMPORT.finditer(source):
            visit(_address(name, found[2]), (*above, name))
        code = _linked(name, source)
        exported = ", ".join(found[1] for found in EXPORT.finditer(source))
        as_function = f"const {_variable(name)} = (() => {{\n{code}return {{ {exported} }};\n}})();\n"
        linked[name] = f"{{\n{code}}}\n" if name in entries else as_function

    for entry in entries:
        visit(entry)
    return "".join(linked.values())


def _linked(name: str, source: str) -> str:
    """With imports as constants; without the word `export`, indentation, and comments at the end of a line."""
    source = NO_EXPORT.sub("", EXPORT.sub("", source))
    source = IMPORT.sub(lambda found: _imported(found[1], _address(name, found[2])), source)
    other = OTHER_FORM.search(source)
    if other:
        raise ValueError(f"{name}: cannot link “{other[0]}”")
    if " // " in TRAILING_COMMENT.sub("", source):
        raise ValueError(f"{name}: a comment stands alone or at the end of code")
    lines = [TRAILING_COMMENT.sub("", CAST.sub("", line).strip()) for line in source.splitlines()]
    for line in lines:
        if line.count("`") % 2:
            raise ValueError(f"{name}: the text in “{line}” runs over several lines")
    return "".join(f"{line}\n" for line in lines if line)


def _imported(names: str | None, address: str) -> str:
    return f"const {{{names.replace(' as ', ': ')}}} = {_variable(address)};\n" if names else ""


def _address(importer: str, path: str) -> str:
    return normpath(PurePosixPath(importer).parent / path)


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


async def static(request: Request) -> Response:
    """Kept for ever at the address of this content alone: a server of another version may be asked for one it lacks."""
    name = request.path_params["name"]
    if name not in _makers():
        raise Problem(404, "not-found")
    if name not in _compressed:
        _compressed[name] = await context(request).service.worker.run(_compress, name)
    compressed = _compressed[name]
    headers = (IMMUTABLE if urls.path_in(request.scope) == asset(name) else {"cache-control": "no-cache"}) | VARY
    media_type = MEDIA_TYPES.get(Path(name).suffix)
    if compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(compressed, headers=headers | {"content-encoding": "gzip"}, media_type=media_type)
    return Response(static_file(name), headers=headers, media_type=media_type)


def _compress(name: str) -> bytes | None:
    """None for a file that is compressed already, such as a PNG."""
    content = static_file(name)
    compressed = gzip.compress(content, mtime=0)
    return compressed if len(compressed) < len(content) else None


ROUTES = [Route("/static/{version}/{name:path}", static, methods=["GET"])]

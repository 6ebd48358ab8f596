"""Static files: each page's bundle of scripts, styles, palettes, icons and the display face, at hashed URLs."""

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
"""`base.css` and the palettes in one file, as each file costs a first visit 600 bytes of headers."""
DISPLAY_FACE: Final = "fonts/display.ttf"
"""Latin letters of Manrope by Mikhail Sharanda (SIL Open Font License), from the package `font-manrope`."""
WHOLE_FACE: Final = "fonts/display-whole.ttf"
"""All of Manrope, for names in Greek or Cyrillic."""
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
"""A comment on lines of its own, which is not sent."""
_compressed: Final[dict[str, bytes | None]] = {}
"""Compressed files by name, filled on demand."""
FACE: Final = re.compile(r'"\.\./(fonts/[^"]+)"')
"""A face as a style names it; it is sent with the face's own address, seen from there: both change together."""
MARKED: Final = re.compile(r"""\b_\(\s*'((?:[^'\\]|\\.)*)'""")
IMPORT: Final = re.compile(r"^import (?:\{([^}]*)\} from )?'([^']+)';\n", re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:const|function|class) ([\w$]+))", re.MULTILINE)
NO_EXPORT: Final = re.compile(r"^export \{\};\n", re.MULTILINE)
CAST: Final = re.compile(r"/\*\* @type [^*]*\*/ ?")
"""A JSDoc cast."""
TRAILING_COMMENT: Final = re.compile(r"(?<=[\w;,(){}\[\]>?:]) // .*")
SPACE: Final = re.compile(
    r"""('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|const \$\w+ = )"""
    r"""|[ ]?(=>|[=!]==|&&|\|\||\?\?|[={}(),;:?\[\]])[ ]?"""
)
"""A string or a module's variable, to be kept; or an operator with the space around it, to be removed."""
LINE_END: Final = re.compile(r"(?<=[;{},(])\n")
STYLE_SPACE: Final = re.compile(r"\s*([{};,])\s*|: +")
"""Signs of a style with the space around them. No text in ours holds such a sign."""
OTHER_FORM: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@lru_cache
def asset(name: str) -> str:
    """The URL of a static file, with a hash of its content."""
    return f"/static/{hashlib.sha256(static_file(name)).hexdigest()[:12]}/{name}"


def bundle(page: str) -> str:
    """The URL of a page's bundle of scripts."""
    return asset(BUNDLES.format(page=page))


@cache
def static_file(name: str) -> bytes:
    """The content of a file, uncompressed; raises KeyError."""
    return _makers()[name]()


@cache
def _makers() -> dict[str, Callable[[], bytes]]:
    """Functions that make the static files, by name. A name is never used as a path, so none can lead elsewhere."""
    paths = [path for path in STATIC.rglob("*") if path.is_file()]
    pages = [path.stem for path in paths if path.parent == STATIC / "js" / "pages"]
    return {
        **{path.relative_to(STATIC).as_posix(): partial(_content, path) for path in paths},
        **{BUNDLES.format(page=page): partial(_bundle, page) for page in pages},
        EVERY_STYLE: lambda: static_file("css/base.css") + b"\n" + _palettes(),
        WHOLE_FACE: _face,
        DISPLAY_FACE: lambda: display_face.subset(_face()),
    }


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix not in (".js", ".css"):
        return content
    code = COMMENT.sub("", content.decode())
    if path.suffix == ".css":
        code = STYLE_SPACE.sub(lambda sign: sign[1] or ":", FACE.sub(lambda face: f'"../../..{asset(face[1])}"', code))
    return code.encode()


@cache
def marked(page: str) -> tuple[str, ...]:
    """The texts of a page's scripts, in English; the bundle has their indices instead."""
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
    """A CSS rule per palette, so that arrows and symbols have the colours of the viewer's cards.

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
    """The hatches as SVG patterns in the size for symbols; once on every page."""
    tile = f'width="{TILE}" height="{TILE}"'
    found = (
        f'<pattern id="{colour}-paint" {tile} patternUnits="userSpaceOnUse" patternTransform="scale(.15)">'
        f'<rect class="plain-{colour}" {tile}/>{hatch(colour)}</pattern>'
        for colour in Colour
    )
    return Markup("".join(found))  # noqa: S704  # nosec B704


def link(modules: Mapping[str, str], entries: Sequence[str]) -> str:
    """Bundles a page's scripts: the entries and all their imports, in order of dependency.

    A module becomes a function that is called once and returns its exports; an entry a block, so that it can `await`.
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
    """The module with imports as constants, without `export`, indentation and trailing comments."""
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
    """Short, since a first visit counts every byte; a name that two modules have is an error in the browser."""
    return "$" + re.sub(r"\W", "_", PurePosixPath(name).stem)


async def static(request: Request) -> Response:
    """Cached for ever, but only at the URL with the right hash: a page may come from a server of another version."""
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
    """The file compressed by gzip, or None for a compressed format such as PNG."""
    content = static_file(name)
    compressed = gzip.compress(content, mtime=0)
    return compressed if len(compressed) < len(content) else None


ROUTES = [Route("/static/{version}/{name:path}", static, methods=["GET"])]

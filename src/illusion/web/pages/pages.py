"""The pages, made on the server from the one view."""

import hashlib
import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

import segno
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from illusion.deck.palettes import STANDARD
from illusion.languages import ENGLISH, N_, Language
from illusion.rules import Variant
from illusion.tables import Phase, PublicView, Reaction, Refused, Table, TableService, public_view
from illusion.tables.model import commands
from illusion.web.http.language import YEAR_S, here, language_of
from illusion.web.http.limits import read_form
from illusion.web.http.problems import Problem, told
from illusion.web.http.seat_tokens import held, keep
from illusion.web.http.settings import CHOICES, settings
from illusion.web.live.event_stream import EventStream
from illusion.web.pages import palette_css

STATIC: Final = Path(__file__).parents[1] / "static"
PAINTS: Final = "palettes.css"
KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/json",
}


@cache
def _templates(language: Language) -> Environment:
    """One environment per language, so that imported macros are in that language too. An unknown name is an error."""
    environment = Environment(
        loader=PackageLoader("illusion.web"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = asset
    environment.globals["paints"] = lambda: Markup(palette_css.patterns())  # noqa: S704  # nosec B704
    environment.globals["choices"] = CHOICES
    environment.globals["reactions"] = tuple(Reaction)
    environment.globals["language"] = language
    environment.globals["_"] = language.gettext
    environment.globals["ngettext"] = language.ngettext
    environment.filters["percent"] = language.percent
    return environment


@lru_cache
def asset(name: str) -> str:
    """A static file's address, which changes with its content and so can be kept for ever."""
    if name == PAINTS:
        content = palette_css.stylesheet().encode()
    elif name.endswith(".js"):  # scripts load one another from beside themselves, so all of them are one content
        content = b"".join(path.read_bytes() for path in sorted(STATIC.glob("*.js")))
    else:
        content = (STATIC / name).read_bytes()
    return f"/static/{hashlib.sha256(content).hexdigest()[:12]}/{name}"


async def static(request: Request) -> Response:
    name = request.path_params["name"]
    path = STATIC / name
    headers = {"cache-control": f"public, max-age={YEAR_S}, immutable"}
    if name == PAINTS:
        return Response(palette_css.stylesheet(), headers=headers, media_type=KINDS[path.suffix])
    if path.parent != STATIC or not path.is_file():
        raise Problem(404, "not-found")
    return FileResponse(path, headers=headers, media_type=KINDS.get(path.suffix))


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page in the reader's language, as their device has chosen to see it; `drawn` puts pictures in their palette."""
    chosen = settings(request)
    around = {
        "title": "Illusion",
        "here": here(request),
        "languages": request.app.state.languages.values(),
        "settings": chosen,
        "drawn": "" if chosen["palette"] == STANDARD.name else f"?palette={chosen['palette']}",
        "own_name": own_name(request),
    }
    html = _templates(language_of(request)).get_template(template).render(around | context)
    return HTMLResponse(html, status, headers={"cache-control": "no-store"})


def own_name(request: Request) -> str:
    """The name that whoever uses this device last sat down with."""
    return unquote(request.cookies.get("name", ""))


def home_page(request: Request, problem: str | None = None, status: int = 200, code: str = "") -> HTMLResponse:
    back = f"/?code={quote(code)}" if code else "/"
    return page(request, "home.html", status, name=own_name(request), problem=problem, code=code, here=back)


async def home(request: Request) -> Response:
    return home_page(request, code=request.query_params.get("code", ""))


async def play_now(request: Request) -> Response:
    """One click: you against three bots, dealt at once."""
    fields = await read_form(request)
    name = fields.get("name", [""])[0].strip() or language_of(request).gettext(N_("Guest"))
    return await _opened(request, [name], 4, Variant.FIRST_TO_THREE, None, bots=["keen", "casual", "first-timer"])


async def invite(request: Request) -> Response:
    fields = await read_form(request)
    clock = fields.get("clock", [""])[0]
    return await _opened(
        request,
        [fields.get("name", [""])[0]],
        _number(fields.get("seats", ["4"])[0]),
        _variant(fields),
        _number(clock) if clock else None,
    )


async def pass_and_play(request: Request) -> Response:
    """Several people at one device: it holds all their seats."""
    fields = await read_form(request)
    names = [name for name in fields.get("name", []) if name.strip()]
    return await _opened(request, names, max(len(names), 2), _variant(fields), None)


async def join(request: Request) -> Response:
    fields = await read_form(request)
    code = "".join(fields.get("code", [""])[0].lower().split()).replace("-", "")
    return await _sit(request, code, fields.get("name", [""])[0])


async def join_table(request: Request) -> Response:
    fields = await read_form(request)
    return await _sit(request, request.path_params["table"], fields.get("name", [""])[0])


async def watch(request: Request) -> Response:
    code = "".join(request.query_params.get("code", "").lower().split())
    try:
        await _service(request).get(code)
    except Refused as refusal:
        status, _, sentence = told(refusal, language_of(request))
        return home_page(request, sentence, status, code)
    shared = request.query_params.get("screen") == "shared"
    return RedirectResponse(f"/watch/{code}" if shared else f"/table/{code}", 303)


async def table(request: Request) -> Response:
    service, id = _service(request), request.path_params["table"]
    state = await service.get_current(id)
    mine = await held(request, service, id)
    await _welcome_back(service, state, mine)
    url = address(request, f"/table/{id}")
    return page(
        request,
        "table.html",
        view=public_view(state),
        held=mine,
        join_url=url,
        qr=qr(url),
        now=service.now(),
        can_join=not mine and state.phase is Phase.WAITING and None in state.chairs,
        name=own_name(request),
    )


async def live(request: Request) -> Response:
    """The table's state as a page fragment, the same bytes for everybody of a language, whenever something happens."""
    service, id = _service(request), request.path_params["table"]
    await service.get(id)
    language = language_of(request)

    def message(event: bytes) -> bytes:
        state = service.here(id)
        seq, html = _fragment(state, language)
        told = {"seq": seq, "html": html, "event": json.loads(event)}
        told["said"] = _said(state, told["event"], language)
        return b"event: table\ndata: " + json.dumps(told, separators=(",", ":")).encode()

    return EventStream(request, id, f"page {language.code}", message)


def error_page(request: Request, status: int, kind: str, sentence: str) -> HTMLResponse:
    return page(request, "error.html", status, code=status, kind=kind, sentence=sentence)


def fragment(view: PublicView, language: Language = ENGLISH) -> str:
    """The part of a table's page that changes."""
    return _templates(language).get_template("_table.html").render(view=view, drawn="")


_fragments: dict[tuple[str, str], tuple[int, str]] = {}


def _fragment(state: Table, language: Language) -> tuple[int, str]:
    """Rendered once for each state of a table and each language, however many look on."""
    known = _fragments.get((state.id, language.code))
    if known is None or known[0] != state.seq:
        known = state.seq, fragment(public_view(state), language)
        if len(_fragments) > 2000:
            _fragments.clear()
        _fragments[state.id, language.code] = known
    return known


_sayings: dict[tuple[str, int, Language], str] = {}


def _said(state: Table, event: dict[str, Any], language: Language) -> str:
    """An event in words, for the live region: written once in each language, whoever hears it."""
    which = state.id, event["seq"], language
    if which not in _sayings:
        if len(_sayings) > 5000:
            _sayings.clear()
        said = _templates(language).get_template("_said.html").render(view=public_view(state), event=event)
        _sayings[which] = said.strip()
    return _sayings[which]


async def _opened(
    request: Request, names: list[str], seats: int, variant: Variant, clock: int | None, bots: list[str] | None = None
) -> Response:
    """A new table for one person or for several at one device; it is dealt at once unless others are to come."""
    service = _service(request)
    request.app.state.opening.check(request)
    alone_or_together = bots is not None or len(names) > 1
    try:
        id, token = await service.open(names[0] if names else "", seats, variant, bots or (), clock)
        held_tokens = [token]
        for name in names[1:]:
            held_tokens.append((await service.sit(id, name))[1])
        if alone_or_together:
            await service.execute(id, lambda state, now: commands.start(state, now, 0))
    except Refused as refusal:
        status, _, sentence = told(refusal, language_of(request))
        return home_page(request, sentence, status)
    return _seated(request, id, held_tokens, names[0])


async def _sit(request: Request, id: str, name: str) -> Response:
    service = _service(request)
    try:
        if await held(request, service, id):
            return RedirectResponse(f"/table/{id}", 303)
        _, token = await service.sit(id, name)
    except Refused as refusal:
        status, _, sentence = told(refusal, language_of(request))
        return home_page(request, sentence, status, id)
    return _seated(request, id, [token], name)


def _seated(request: Request, id: str, held_tokens: list[str], name: str) -> Response:
    response = RedirectResponse(f"/table/{id}", 303)
    keep(response, request, id, held_tokens)
    secure = request.url.scheme == "https"
    response.set_cookie("name", quote(name.strip()[:24]), max_age=YEAR_S, samesite="lax", secure=secure)
    return response


async def _welcome_back(service: TableService, state: Table, mine: list[int]) -> None:
    """Opening the page again takes the seat back from the stand-in."""
    for seat in mine:
        sitter = state.chairs[seat]
        if sitter is not None and sitter.away:
            await service.execute(state.id, lambda table, now, seat=seat: commands.come_back(table, now, seat))  # type: ignore[misc]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Problem(400, "unparsable", why=N_("a number was expected"))
    return int(text)


def _variant(fields: dict[str, list[str]]) -> Variant:
    try:
        return Variant(fields.get("variant", [Variant.FIRST_TO_THREE])[0])
    except ValueError:
        raise Problem(400, "unparsable", why=N_("there is no such variant")) from None


def address(request: Request, path: str) -> str:
    """An absolute address that phones on the same network can open, where the server knows one."""
    lan: str | None = request.app.state.lan
    base = request.base_url
    if lan is not None and base.hostname in ("127.0.0.1", "localhost"):
        base = base.replace(hostname=lan)
    return str(base.replace(path=path))


def qr(url: str) -> Markup:
    return Markup(segno.make(url, error="m").svg_inline(omitsize=True, border=2, svgclass="qr", lineclass="qr-line"))  # noqa: S704  # nosec B704


def _service(request: Request) -> TableService:
    service: TableService = request.app.state.service
    return service


ROUTES = [
    Route("/", home, methods=["GET"]),
    Route("/play-now", play_now, methods=["POST"]),
    Route("/invite", invite, methods=["POST"]),
    Route("/pass-and-play", pass_and_play, methods=["POST"]),
    Route("/join", join, methods=["POST"]),
    Route("/watch", watch, methods=["GET"]),
    Route("/table/{table}", table, methods=["GET"]),
    Route("/table/{table}/join", join_table, methods=["POST"]),
    Route("/table/{table}/live", live, methods=["GET"]),
    Route("/static/{version}/{name}", static, methods=["GET"]),
]

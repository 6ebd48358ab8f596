"""Every page in five languages, as a reader gets it; addresses that are no game's; the API's description.

A page's file has the English page line by line, then of each other language the lines that differ. Drawings are told by
their hash. What a page shares with one that was recorded before it is told by that one's name.
"""

import json
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from harness.playthroughs.people import RECORDINGS, Person, at_a_table, play
from harness.playthroughs.story import Story
from harness.playthroughs.transport import HOST, Answer
from harness.playthroughs.writing import laid_out

from illusion.languages import ENGLISH, languages
from illusion.tables.eyes import HeldSeat, seats_code
from illusion.web import Limits, urls

DRAWING: Final = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
SHARED: Final = re.compile(
    r"<dialog id=\"(?P<dialog>\w+)\".*?</dialog>|<template id=\"(?P<template>\w+)\".*?</template>"
    r"|<script type=\"application/json\" id=\"(?P<script>\w+)\">.*?</script>|<form id=\"(?P<form>\w+)\".*?</form>",
    re.DOTALL,
)
"""What is the same on many pages."""
DATA: Final = re.compile(r"(<script [^>]*>)([{\[].*[}\]])(</script>)")
LONG: Final = 118
BY_THE_SERVER: Final = ("date", "content-length", "connection", "transfer-encoding")
FORM: Final = {"content-type": "application/x-www-form-urlencoded"}


class Pages:
    """Records pages into a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._first: dict[tuple[str, str], str] = {}
        """On which page a shared part was first, by its language and text."""

    def record(
        self, page: str, who: Person, path: str, fields: dict[str, str] | None = None, /, **cookies: str
    ) -> None:
        """The page at an address, or the answer to a form that is sent there."""
        answers = {code: _asked(who, path, code, fields, cookies) for code in languages()}
        told = {
            code: self._told(page, code, who.story.names.named(each.body.decode())) for code, each in answers.items()
        }
        english, method = told.pop(ENGLISH.code), "GET" if fields is None else "POST"
        lines = [f"# {method} {who.story.names.named(path)}: {answers[ENGLISH.code].status}", "", *english]
        for code, translated in told.items():
            lines += ["", f"# {code}", "", *(line for line in translated if line not in english)]
        (self._folder / f"{page}.txt").write_text("\n".join(map(_laid_out, lines)) + "\n")

    def _told(self, page: str, code: str, html: str) -> list[str]:
        plain = DRAWING.sub(lambda drawing: f"<svg {sha256(drawing[0].encode()).hexdigest()[:12]}>", html)
        return _lines(SHARED.sub(lambda part: self._shared(page, code, part), plain))

    def _shared(self, page: str, code: str, part: re.Match[str]) -> str:
        first = self._first.setdefault((code, part[0]), page)
        kind, id = next((kind, id) for kind, id in part.groupdict().items() if id)
        return part[0] if first == page else f"<{kind} {id}: as on {first}>"


def _asked(who: Person, path: str, code: str, fields: dict[str, str] | None, cookies: dict[str, str]) -> Answer:
    """Time does not pass: the page's clock is the same in each language."""
    kept = "; ".join(f"{name}={value}" for name, value in (who.cookies | cookies).items())
    headers = {"accept-language": code, "origin": f"http://{HOST}"} | ({"cookie": kept} if kept else {})
    if fields is None:
        return who.story.transport.request("GET", path, headers)
    return who.story.transport.request("POST", path, headers | FORM, urlencode(fields).encode())


def _lines(html: str) -> list[str]:
    """Without indents and empty lines; a long one has a line for each element."""
    stripped = filter(None, (" ".join(line.split()) for line in html.splitlines()))
    return [part for line in stripped for part in _parts(line)]


def _parts(line: str) -> list[str]:
    return [line] if len(line) <= LONG or DATA.fullmatch(line) else line.replace("><", ">\n<").split("\n")


def _laid_out(line: str) -> str:
    data = DATA.fullmatch(line)
    return line if data is None else f"{data[1]}{laid_out(json.loads(data[2]), len(line), 2)}{data[3]}"


def pages(folder: Path) -> None:
    """Home, lessons, eyes, tables in each of their phases for each who may look at them, looking back, errors."""
    kept = folder / "pages"
    kept.mkdir(exist_ok=True)
    recorded = Pages(kept)
    story = Story("pages")
    anybody = Person(story, "Anybody", browser=True)
    _without_a_table(recorded, anybody)
    _with_people(recorded, story, anybody)
    _with_bots(recorded, story)
    story.end()
    story = Story("guesses", limits=replace(Limits.lifted(), misses=1))
    rude = Person(story, "Rude", browser=True)
    rude.asks("GET", "/table/nowhere2")
    rude.asks("GET", "/table/nowhere2")
    recorded.record("error-busy", rude, "/table/nowhere2")
    story.end()


def _without_a_table(recorded: Pages, anybody: Person) -> None:
    settings = "palette=texture&theme=dark&sound=off&motion=reduced&reactions=muted&keys=off"
    recorded.record("home", anybody, "/")
    recorded.record("home-invited", anybody, "/?code=abcd2345")
    recorded.record("home-no-such-table", anybody, "/watch?code=nowhere2")
    recorded.record("home-long-name", anybody, "/invite", {"name": "A" * 25, "seats": "2"})
    recorded.record("home-settings", anybody, "/", name="Ana%20Maria", settings=settings)
    for name in ("rules", "tutorial", "offline", "hello"):
        recorded.record(name, anybody, f"/{name}")
    recorded.record("eyes", anybody, "/eyes")
    recorded.record("eyes-games", anybody, "/eyes", eyes=seats_code([HeldSeat("abcd2345", 0), HeldSeat("abcd2346", 1)]))
    recorded.record("eyes-bad-code", anybody, "/eyes", {"code": "no code"})
    recorded.record("api", anybody, "/api/docs")
    recorded.record("error-not-found", anybody, "/nothing")
    recorded.record("error-no-such-table", anybody, "/table/nowhere2")
    recorded.record("error-unparsable", anybody, "/invite", {"name": "Ana", "seats": "many"})
    recorded.record("error-not-allowed", anybody, "/rules", {})


def _with_people(recorded: Pages, story: Story, anybody: Person) -> None:
    """Two at pages of their own; then three at one device."""
    ana, bob = Person(story, "Ana", browser=True), Person(story, "Bob", browser=True)
    ana.opens(2, clock=45)
    path = f"/table/{ana.table}"
    recorded.record("table-waiting-host", ana, path)
    recorded.record("table-waiting-door", anybody, path)
    recorded.record("table-invitation", anybody, f"{path}/invitation")
    recorded.record("watch-waiting", anybody, f"/watch/{ana.table}")
    recorded.record("home-unfinished", ana, "/")
    bob.sits(ana.table)
    recorded.record("table-waiting-guest", bob, path)
    recorded.record("table-waiting-full", anybody, path)
    ana.starts()
    play([ana, bob], 2)
    recorded.record("table-playing", ana, path)
    recorded.record("table-playing-onlooker", anybody, path)
    recorded.record("watch-playing", anybody, f"/watch/{ana.table}")
    recorded.record("error-not-over", ana, f"{path}/review")
    play([ana, bob])
    recorded.record("table-over", ana, path)
    recorded.record("watch-over", anybody, f"/watch/{ana.table}")
    recorded.record("replay", ana, f"{path}/replay")
    recorded.record("review", ana, f"{path}/review")
    recorded.record("illusion", anybody, f"{path}/illusion")
    device = Person(story, "Ana", browser=True)
    device.names = ["Ana", "Bob", "Cleo"]
    device.submits("/pass-and-play", [("name", name) for name in device.names])
    play([device], 5)
    recorded.record("table-one-device", device, f"/table/{device.table}")
    story.waits(6 * 3600, device.table)
    recorded.record("table-closed", device, f"/table/{device.table}")


def _with_bots(recorded: Pages, story: Story) -> None:
    """Nobody moves, so that nothing here depends on what bots see."""
    guest = Person(story, "Ana", browser=True)
    guest.opens(5, bots=["first-timer", "casual", "keen", "eagle-eye"], variant="twelve-rounds")
    recorded.record("table-waiting-bots", guest, f"/table/{guest.table}")
    recorded.record("watch-waiting-bots", guest, f"/watch/{guest.table}")


def addresses(folder: Path) -> None:
    """Of each kind of address all headers but those that a server adds."""
    story = Story("addresses")
    ana, _ = at_a_table(story, "Ana", "Bob")
    ana.starts()
    card = f"/cards/{story.names.real('CARD-1')}.svg"
    table = f"/table/{ana.table}"
    pages = ("/", "/rules", "/nothing", table, f"/watch/{ana.table}", f"{table}/replay")
    of_table = (f"{ana.at}/{of}" for of in ("record", "believed", "events"))
    data = ("/api/openapi.json", "/api/docs", ana.at, *of_table)
    pictures = (card, f"{card}?palette=texture", f"{card}?palette=gold", urls.sample_picture(1))
    files = ("/faces/keen/Ada.svg", "/manifest.webmanifest", "/worker.js", "/healthz", "/how-to-play")
    asked = {
        "GET": (*pages, *data, *pictures, *files, "/static/0/css/base.css"),
        "POST": (f"{ana.at}/start", f"{ana.at}/moves", "/invite", "/join", "/language", "/settings"),
        "HEAD": ("/", ana.at, f"{ana.at}/events"),
        "OPTIONS": ("/", ana.at),
    }
    alike: dict[str, list[str]] = {}
    for method, paths in asked.items():
        for path in paths:
            status, headers = _headers(story, method, path)
            alike.setdefault(headers, []).append(f"{method} {story.names.named(path)}: {status}")
    story.end()
    told = ("\n".join((*lines, headers)) for headers, lines in alike.items())
    (folder / "addresses.txt").write_text("\n\n".join((f"# {addresses.__doc__}", *told)) + "\n")


def _headers(story: Story, method: str, path: str) -> tuple[int, str]:
    if method == "GET" and path.endswith("/events"):
        stream = story.transport.stream(path, {})
        stream.close()
        answer = stream.answer
    else:
        answer = story.transport.request(method, path, {}, b"" if method == "POST" else None)
    shown = (f"  {name}: {value}" for name, value in sorted(answer.headers) if name not in BY_THE_SERVER)
    return answer.status, "\n".join(shown)


def openapi(folder: Path) -> None:
    """The description of the API, as it is served."""
    story = Story("openapi")
    served = story.transport.request("GET", "/api/openapi.json", {}).body.decode()
    story.end()
    described = json.loads(re.sub(r"\\n +", r"\\n", served))  # Python 3.13 takes the indents out of docstrings
    (folder / "openapi.json").write_text(laid_out(described, 0, 2) + "\n")


RECORDINGS.update(pages=pages, addresses=addresses, openapi=openapi)

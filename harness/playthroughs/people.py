"""Stories, and their people: each action is a line of the recording, followed by its effects."""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from inspect import getdoc
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from harness.playthroughs.listening import Listener
from harness.playthroughs.story import Story
from harness.playthroughs.transport import HOST, Answer
from harness.playthroughs.writing import body_in_short, laid_out, problem_in_short

RECORDINGS: Final[dict[str, Callable[[Path], None]]] = {}
"""By name: what writes one or several files into a folder."""


def story(**settings: Any) -> Callable[[Callable[[Story], None]], Callable[[Path], None]]:
    """Registers a function as a story; its docstring heads the recording. Settings are those of `Story`."""

    def register(tells: Callable[[Story], None]) -> Callable[[Path], None]:
        name = tells.__name__.replace("_", "-")

        def record(folder: Path) -> None:
            begun = Story(name, getdoc(tells) or "", **settings)
            tells(begun)
            (folder / f"{name}.txt").write_text(begun.end())

        RECORDINGS[name] = record
        return record

    return register


class Person:
    """A player: a program with a Bearer token, or a browser with cookies."""

    def __init__(self, story: Story, name: str, *, browser: bool = False, language: str = "") -> None:
        self.story, self.name, self.browser, self.language = story, name, browser, language
        self.label = f"{name}'s page" if browser else name
        self.table = self.token = ""
        self.names = [name]
        """The names of all people on this device."""
        self.cookies: dict[str, str] = {}
        self.page: Listener | None = None

    @property
    def headers(self) -> dict[str, str]:
        sent = {"accept-language": self.language} if self.language else {}
        if not self.browser:
            return sent | ({"authorization": f"Bearer {self.token}"} if self.token else {})
        cookies = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        return sent | {"origin": f"http://{HOST}"} | (cookies if self.cookies else {})

    @property
    def view(self) -> dict[str, Any]:
        """The number of the last recorded entry."""
        view: dict[str, Any] = self.story.tables[self.table].view
        return view

    @property
    def at(self) -> str:
        return f"/api/tables/{self.table}"

    def asks(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Send a request; a body is sent as JSON unless it is text or bytes."""
        sent = body.encode() if isinstance(body, str) else body
        if sent is not None and not isinstance(sent, bytes):
            sent = json.dumps(sent).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.story.ask(self.label, method, path, self.headers | named, sent)
        self._keep(answer)
        return answer

    def waits_for(self, method: str, path: str, body: object = None) -> None:
        """Poll until the result is there; progress is not recorded."""
        self.asks(method, path, body)
        sent = None if body is None else json.dumps(body).encode()
        while (answer := self.story.transport.request(method, path, self.headers, sent)).status == 202:
            time.sleep(0.01)
        self.story.write("  then")
        self.story.write_answer(answer)

    def submits(self, path: str, fields: Iterable[tuple[str, str]] = ()) -> Answer:
        """Send a page's form."""
        return self.asks("POST", path, urlencode(list(fields)), content_type="application/x-www-form-urlencoded")

    def opens(self, seats: int, **options: object) -> None:
        self.asks("POST", "/api/tables", {"name": self.name, "seats": seats, **options})

    def sits(self, table: str) -> None:
        self.table = table
        self.asks("POST", f"{self.at}/seats", {"name": self.name})

    def starts(self) -> None:
        self.asks("POST", f"{self.at}/start")

    def places(self, gap: int, seq: int | None = None) -> None:
        """Move, over the page if one is open; an old `seq` makes the move stale."""
        self.moves({"move": "place", "gap": gap, "seq": self.view["seq"] if seq is None else seq})

    def doubts(self, seq: int | None = None) -> None:
        self.moves({"move": "doubt", "seq": self.view["seq"] if seq is None else seq})

    def moves(self, body: object) -> None:
        """Over the page's WebSocket if it is open."""
        if self.page is None:
            self.asks("POST", f"{self.at}/moves", body)
            return
        self.story.time_passes(1)
        text = body if isinstance(body, str) else json.dumps(body)
        self.story.write("", f"{self.name}'s page:{body_in_short(text)}".rstrip())
        self.page.send(text)
        told = self.page.answer()
        problem = told.get("problem")
        self.story.write(f"  {problem['status']} {problem_in_short(problem)}" if problem else f"  {laid_out(told, 2)}")
        self.story.settle()

    def has_read(self) -> None:
        """Confirm the revealed row; this has no answer."""
        assert self.page is not None
        self.page.send(json.dumps({"read": self.view["seq"]}))

    def reacts(self, reaction: str) -> None:
        answer = self.asks("POST", f"{self.at}/reactions", {"reaction": reaction})
        if answer.status == 200:
            self.story.reacts(self.table)

    def leaves(self) -> None:
        self.asks("DELETE", f"{self.at}/seats/me")

    def comes_back(self) -> None:
        self.asks("PUT", f"{self.at}/seats/me")

    def opens_page(self, after: int | None = None) -> None:
        """Open the page and its WebSocket, which continues after the page's view."""
        headers = self.headers if self.browser else self.headers | {"origin": f"http://{HOST}"}
        if self.browser:
            self.asks("GET", f"/table/{self.table}")
        self.page = self.story.opens_page(self.name, self.table, headers, self.view["seq"] if after is None else after)

    def closes_page(self) -> None:
        assert self.page is not None
        self.story.closes(self.page)
        self.page = None

    def _keep(self, answer: Answer) -> None:
        """A seat's token or cookies."""
        if answer.header("content-type") == "application/json" and answer.status == 201:
            told = json.loads(answer.body)
            self.table, self.token = told.get("table", self.table), told.get("token", self.token)
        for name, value in answer.headers:
            if name == "set-cookie":
                kept, _, content = value.partition(";")[0].partition("=")
                self.cookies[kept] = content
        place = answer.header("location") or ""
        if place.startswith("/table/"):
            self.table = place.removeprefix("/table/")


def at_a_table(story: Story, *names: str, browser: bool = False, **options: object) -> list[Person]:
    """Programs, or people with browsers, at a new table that has not started; the host first."""
    people = [Person(story, name, browser=browser) for name in names]
    people[0].opens(**{"seats": len(names), **options})  # type: ignore[arg-type]
    for each in people[1:]:
        each.sits(people[0].table)
    return people


def play(people: Sequence[Person], moves: int = 1000, *, row: int = 4, gap: int = 0) -> None:
    """Whoever's turn it is lays the card into this gap (-1 is the last one), and doubts a row that is so long.

    Bots between the people move by themselves.
    """
    for _ in range(moves):
        view = people[0].view
        if view["over"]:
            return
        at_turn = next(each["name"] for each in view["players"] if each["seat"] == view["to_play"])
        mover, length = next(each for each in people if at_turn in each.names), len(view["row"])
        if length >= row or not view["legal"]["gaps"]:
            mover.doubts()
        else:
            mover.places(range(length + 1)[gap])

"""A story is played by people at pages and by programs; everything that they are answered and hear is written down."""

import json
import re
import time
from collections.abc import Iterable
from contextlib import redirect_stdout
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from harness.playthroughs.fixed import FIXED
from harness.playthroughs.transport import HOST, OBSERVER, Answer, Refused, Socket, Stream, Transport
from harness.playthroughs.writing import Names, changes, compact, laid_out, rounded
from illusion.cli import main
from illusion.tables import Pace
from illusion.tables.model.log_check import is_table_id
from illusion.web import Limits

UNTOLD: Final = (
    *("date", "content-length", "connection", "transfer-encoding", "vary", "content-encoding"),
    *("content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options"),
    *("cross-origin-opener-policy", "cross-origin-resource-policy"),
)
"""Headers that are the same for all addresses of a kind: headers.txt has them."""
MOST_SENT: Final = 300
"""Characters of a request's body that are written down."""
TITLE: Final = re.compile(r"<title>(.*?)</title>", re.DOTALL)


class Message(NamedTuple):
    """What a stream or page was told: an event and perhaps a view, or something else that has no number."""

    seq: int | None
    told: dict[str, Any]


class Listener:
    """Somebody's event stream or page: what it was told so far, and what it is told next."""

    def __init__(self, story: "Story", label: str, table: str, opened: Stream | Socket) -> None:
        self.label, self.table, self.seq = label, table, 0
        self.opened, self._story = opened, story
        self._early: list[Message] = []
        """What came before the answer that was waited for."""

    def next(self) -> Message:
        return self._early.pop(0) if self._early else self._received()

    def answer(self) -> dict[str, Any]:
        """To what a page has just sent."""
        while not {"answer", "problem"} & (message := self._received()).told.keys():
            self._early.append(message)
        return message.told

    def _received(self) -> Message:
        """Heartbeats are passed over, and so are pictures, which no page has to be sent."""
        while True:
            if isinstance(self.opened, Socket):
                text = self.opened.receive()
                told = self._story.read(text) if isinstance(text, str) else {}
            else:
                fields = dict(line.partition(": ")[::2] for line in self.opened.block())
                told = {"seq": int(fields["id"])} if "id" in fields else {}
                if "data" in fields:
                    told[fields.get("event", "event")] = self._story.read(fields["data"])
            if told:
                return Message(told.get("seq"), told)

    def until(self, seq: int) -> list[Message]:
        """What it is told until it knows of entry number `seq`."""
        heard = []
        while self.seq < seq:
            heard.append(self.next())
            self.seq = heard[-1].seq or self.seq
        return heard


class Followed:
    """A table of the story, with a stream that hears everything."""

    def __init__(self, story: "Story", id: str) -> None:
        self.id = id
        self.events: dict[int, Any] = {}
        self._doubts: list[tuple[int, Any]] = []
        self.view: Any = {}
        """As it was last written down."""
        self.listeners: list[Listener] = []
        self.watcher = Listener(story, "", id, story.transport.stream(f"/api/tables/{id}/events", {}, OBSERVER))

    def happened(self, event: Any) -> None:
        self.events[event["seq"]] = event
        doubts = (each for each in event["happened"] if each["event"] == "row-doubted")
        self._doubts += [(event["seq"], {key: each[key] for key in each if key != "event"}) for each in doubts]

    def in_short(self, view: Any) -> Any:
        """A view without the last doubt, if an event has told that."""
        told = [seq for seq, doubt in self._doubts if doubt == view["last_doubt"]]
        return view | {"last_doubt": f"as event {told[-1]}"} if told else view

    def number(self, happened: Any) -> Any:
        """Of the event that told this."""
        told = (f"as event {seq}" for seq, event in self.events.items() if event["happened"] == happened)
        return next(told, happened) if happened else happened

    def moments(self, moments: list[Any]) -> list[Any]:
        """Of a replay, each by what it changes."""
        views = [{}, *(self.in_short(each["view"]) for each in moments)]
        return [
            each | {"happened": self.number(each["happened"]), "view": changes(before, after)}
            for each, before, after in zip(moments, views, views[1:], strict=False)
        ]


class Story:
    """One recording."""

    def __init__(
        self, name: str, told: str, folder: Path, limits: Limits | None = None, pace: Pace | None = None, lot: int = 1
    ) -> None:
        """Another `lot` deals other cards."""
        FIXED.begin(f"{name} {lot}")
        self.lines = [f"# {line.strip()}" for line in told.strip().splitlines()]
        self.names = Names()
        self.tables: dict[str, Followed] = {}
        self._database, self._settings = folder / f"{name}.db", (limits, pace)
        self.transport = Transport(self._database, *self._settings)

    # What happens

    def ask(
        self, who: str, method: str, path: str, headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> Answer:
        """One request and its answer. A second passes before, so that the log has different times."""
        self.time_passes(1)
        sent = "" if body is None else _sent(self.names.named(body.decode(errors="replace")))
        self.write("", f"{who}: {method} {self.names.named(path)}{sent}")
        answer = self.transport.request(method, path, headers or {}, body)
        self._follow(answer)
        self.write_answer(answer)
        self.settle()
        return answer

    def time_passes(self, seconds: int) -> None:
        self.transport.pass_time(seconds)

    def waits(self, seconds: int, *tables: str) -> None:
        """So much time passes that something happens by itself, at each of these tables."""
        self.write("", f"{seconds} seconds pass")
        self.time_passes(seconds)
        for table in tables:
            self._until(table, max(self.tables[table].events) + 1)
        self.settle()

    def server_restarts(self) -> None:
        """Those who listen have gone before."""
        self.write("", "The server stops, and another one starts on the same database")
        self.transport.stop()
        self.transport = Transport(self._database, *self._settings)
        for followed in self.tables.values():
            path = f"/api/tables/{followed.id}/events?after={max(followed.events)}"
            followed.watcher.opened = self.transport.stream(path, {}, OBSERVER)
            followed.watcher.opened.block()
        self.settle()

    def opens_stream(self, who: str, table: str, after: int = 0, headers: dict[str, str] | None = None) -> Listener:
        """An event stream; its client names the last event it has seen, as a browser does."""
        self.write("", f"{who}: an event stream of {self.names.named(table)} after {after}")
        sent = {"last-event-id": str(after)} if after else {}
        stream = self.transport.stream(f"/api/tables/{table}/events", sent | (headers or {}))
        self.write_answer(stream.answer)
        self.write(*(f"  {line}" for line in stream.block()))
        return self._listens(Listener(self, f"{who}'s stream", table, stream), after)

    def opens_page(self, who: str, table: str, headers: dict[str, str], after: int) -> Listener:
        self.write("", f"{who}'s page: a socket at {self.names.named(table)} after {after}")
        socket = self.transport.socket(f"/table/{table}/live?after={after}", headers)
        return self._listens(Listener(self, f"{who}'s page", table, socket), after)

    def is_refused(self, who: str, path: str, headers: dict[str, str], *, socket: bool = True) -> None:
        """A socket or a stream is asked for in vain."""
        self.write("", f"{who}: {'a socket' if socket else 'a stream'} at {self.names.named(path)}")
        try:
            (self.transport.socket if socket else self.transport.stream)(path, headers).close()
        except Refused as refused:
            self.write_answer(refused.answer)

    def closes(self, listener: Listener) -> None:
        self.write("", f"{listener.label} is closed")
        listener.opened.close()
        self.tables[listener.table].listeners.remove(listener)

    def reacts(self, table: str) -> None:
        """A reaction was shown; it has no number, so it is waited for."""
        followed = self.tables[table]
        for listener in (followed.watcher, *followed.listeners):
            _, told = listener.next()
            self.write(f"  {listener.label or 'a stream'} hears {compact(told)}")

    def end(self) -> str:
        """The records and logs of all tables follow; returns the recording."""
        for followed in self.tables.values():
            if followed.view["over"]:
                self._write_record(followed)
            for listener in (*followed.listeners, followed.watcher):
                listener.opened.close()
        self.transport.stop()
        exported = self._database.with_suffix(".jsonl")
        main(["export", "--database", str(self._database), str(exported)])
        logs = {each["table"]: each["log"] for each in map(json.loads, exported.read_text().splitlines())}
        for table in self.tables:
            self.write("", f"## The log of {self.names.named(table)}", "")
            entries = (self.names.named(compact(entry)) for entry in logs[table])
            self.write(*(f"{seq} {entry}" for seq, entry in enumerate(entries, 1)))
        return "\n".join(self.lines) + "\n"

    # How it is written down

    def read(self, text: str) -> Any:
        """JSON with names for what chance has drawn."""
        return json.loads(self.names.named(text), parse_float=rounded)

    def write(self, *lines: str) -> None:
        self.lines += [line for text in lines for line in text.split("\n")]

    def write_answer(self, answer: Answer) -> None:
        kind = (answer.header("content-type") or "").partition(";")[0]
        text = answer.body.decode(errors="replace")
        if kind == "application/json":
            body = self._body(self.read(text))
        elif kind == "application/problem+json":
            body = _problem(self.read(text))
        elif kind == "text/html":
            title = TITLE.search(text)
            body = f"{kind} {self.names.named(title[1]) if title else ''}"
        else:
            body = f"{kind} {sha256(answer.body).hexdigest()[:16] if answer.body else ''}"
        self.write(f"  {answer.status} {body}".rstrip())
        shown = (each for each in answer.headers if each[0] not in (*UNTOLD, "content-type"))
        self.write(*(f"    {name}: {self.names.named(value)}" for name, value in shown))

    def _body(self, body: Any) -> str:
        """What is known already is not told again: a view, and what a replay shows."""
        for number, followed in enumerate(self.tables.values(), 1):
            if not isinstance(body, dict) or not followed.view:
                continue
            if body.get("table") == f"TABLE-{number}" and "moments" in body:
                return laid_out(body | {"moments": followed.moments(body["moments"])}, 6)
            if "last_doubt" in body and body | followed.view == followed.in_short(body):
                more = {key: each for key, each in body.items() if key not in followed.view}
                return f"the view of TABLE-{number} {compact(more) if more else ''}".rstrip()
        return laid_out(body, 6)

    def settle(self) -> None:
        """Bots move until somebody else has to; then everything that was told is written down."""
        for followed in self.tables.values():
            raw = self._calm(followed.id)
            news = [told["event"] for _, told in followed.watcher.until(raw["seq"])]
            heard = {listener: listener.until(raw["seq"]) for listener in followed.listeners}
            messages = [message for each in heard.values() for message in each]
            views = {seq: told["view"] for seq, told in messages if "view" in told}
            for event in news:
                followed.happened(event)
                self.write(f"  event {laid_out(event, 8)}")
                self._write_view(followed, views.get(event["seq"]))
            self._write_view(followed, self.read(compact(raw)))
            self._write_heard(followed, heard, views)

    def _write_view(self, followed: Followed, view: Any) -> None:
        view = view and followed.in_short(view)
        if view is not None and view != followed.view:
            self.write(f"  view {laid_out(changes(followed.view, view), 7)}")
            followed.view = view

    def _write_heard(self, followed: Followed, heard: dict[Listener, list[Message]], views: dict[Any, Any]) -> None:
        """What is the same for several is told once."""
        same: dict[str, list[str]] = {}
        for listener, messages in heard.items():
            if messages:
                told = ", ".join(_in_short(message, followed.events, views) for message in messages)
                same.setdefault(told, []).append(listener.label)
        for told, labels in same.items():
            self.write(f"  {' and '.join(labels)}: {told}")

    def _write_record(self, followed: Followed) -> None:
        """What everybody saw is told as the number of the event that told it."""
        number = list(self.tables).index(followed.id) + 1
        answer = self.transport.request("GET", f"/api/tables/{followed.id}/record", {}, address=OBSERVER)
        kept = self._database.with_suffix(".json")
        kept.write_bytes(answer.body)
        record = self.read(answer.body.decode())
        self.write("", f"## The record of TABLE-{number}", "")
        for each in record["moves"]:
            each["happened"] = followed.number(each["happened"])
        record["opening"] = followed.number(record["opening"])
        self.write(laid_out(record, 0, 2))
        with redirect_stdout(StringIO()) as said:
            main(["verify", str(kept)])
        self.write(f"illusion verify: {self.names.named(said.getvalue()).strip()}")

    # What goes on behind

    def _listens(self, listener: Listener, after: int) -> Listener:
        listener.seq = after
        self.tables[listener.table].listeners.append(listener)
        self.settle()
        return listener

    def _follow(self, answer: Answer) -> None:
        """A table that was opened."""
        told = json.loads(answer.body) if answer.header("content-type") == "application/json" else None
        opened = told.get("table", "") if isinstance(told, dict) and "seq" not in told else ""
        for id in (opened, (answer.header("location") or "").removeprefix("/table/")):
            if is_table_id(id) and id not in self.tables:
                self.names.know(id, "TABLE")
                self.tables[id] = Followed(self, id)
                self.tables[id].watcher.opened.block()  # type: ignore[union-attr]  # how soon to try again

    def _calm(self, table: str) -> dict[str, Any]:
        """The view once the server has nothing more to do by itself, for now."""
        while True:
            view = self._look(table)
            players = {each["seat"]: each for each in view["players"]}
            to_play = players.get(view["to_play"]) if view["phase"] == "playing" else None
            if to_play is None or not _is_absent(to_play) or all(map(_is_absent, players.values())):
                return view
            time.sleep(0.001)

    def _until(self, table: str, seq: int) -> None:
        while self._look(table)["seq"] < seq:
            time.sleep(0.001)

    def _look(self, table: str) -> dict[str, Any]:
        answer = self.transport.request("GET", f"/api/tables/{table}", {}, address=OBSERVER)
        view: dict[str, Any] = json.loads(answer.body)
        return view


def _is_absent(player: dict[str, Any]) -> bool:
    return bool(player["level"] or player["away"])


def _in_short(message: Message, events: dict[int, Any], views: dict[Any, Any]) -> str:
    seq, told = message
    if seq is None:
        return compact(told)
    event = f"{seq}" if told["event"] == events.get(seq) else f"{seq} {laid_out(told['event'], 40)}"
    view = ["view" if told["view"] == views[seq] else f"view {compact(told['view'])}"] if "view" in told else []
    more = [*view, *(key for key in told if key not in ("seq", "event", "view"))]
    return f"{event} with {' and '.join(more)}" if more else event


def _problem(body: dict[str, Any]) -> str:
    """Its code, its sentence and what else it tells."""
    assert body["type"] == "about:blank"
    assert body["title"] == body["code"]
    more = {key: each for key, each in body.items() if key not in ("type", "title", "status", "code", "detail")}
    return f"{body['code']}: {body['detail']} {compact(more) if more else ''}".rstrip()


def _sent(text: str) -> str:
    return f" {text}" if len(text) <= MOST_SENT else f" {text[:20]}… ({len(text)} characters)"


class Person:
    """Somebody who plays: a program proves its seat by a Bearer token, a browser by cookies."""

    def __init__(self, story: Story, name: str, *, browser: bool = False, language: str = "") -> None:
        self.story, self.name, self.browser, self.language = story, name, browser, language
        self.label = f"{name}'s page" if browser else name
        self.table = self.token = ""
        self.names = [name]
        """Of everybody who plays on this device."""
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
        """Of the table, as it was last written down."""
        view: dict[str, Any] = self.story.tables[self.table].view
        return view

    @property
    def at(self) -> str:
        return f"/api/tables/{self.table}"

    def asks(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """A body that is text or bytes is sent as it is, anything else as JSON."""
        sent = body.encode() if isinstance(body, str) else body
        if sent is not None and not isinstance(sent, bytes):
            sent = json.dumps(sent).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.story.ask(self.label, method, path, self.headers | named, sent)
        self._keep(answer)
        return answer

    def waits_for(self, method: str, path: str, body: object = None) -> None:
        """What takes a while: how far it is in the meantime is not written down."""
        self.asks(method, path, body)
        sent = None if body is None else json.dumps(body).encode()
        while (answer := self.story.transport.request(method, path, self.headers, sent)).status == 202:
            time.sleep(0.01)
        self.story.write("  then")
        self.story.write_answer(answer)

    def submits(self, path: str, fields: Iterable[tuple[str, str]] = ()) -> Answer:
        """A form of a page."""
        return self.asks("POST", path, urlencode(list(fields)), content_type="application/x-www-form-urlencoded")

    def opens(self, seats: int, **options: object) -> None:
        self.asks("POST", "/api/tables", {"name": self.name, "seats": seats, **options})

    def sits(self, table: str) -> None:
        self.table = table
        self.asks("POST", f"{self.at}/seats", {"name": self.name})

    def starts(self) -> None:
        self.asks("POST", f"{self.at}/start")

    def places(self, gap: int, seq: int | None = None) -> None:
        """At the page, if one is open; `seq` is the last that somebody has seen who is late."""
        self.moves({"move": "place", "gap": gap, "seq": self.view["seq"] if seq is None else seq})

    def doubts(self, seq: int | None = None) -> None:
        self.moves({"move": "doubt", "seq": self.view["seq"] if seq is None else seq})

    def moves(self, body: object) -> None:
        if self.page is None:
            self.asks("POST", f"{self.at}/moves", body)
        else:
            self.says(body)

    def says(self, body: object) -> None:
        """A frame to the page's socket, and its answer."""
        assert self.page is not None
        assert isinstance(self.page.opened, Socket)
        self.story.time_passes(1)
        text = body if isinstance(body, str) else json.dumps(body)
        self.story.write("", f"{self.name}'s page:{_sent(text)}")
        self.page.opened.send(text)
        told = self.page.answer()
        problem = told.get("problem")
        self.story.write(f"  {problem['status']} {_problem(problem)}" if problem else f"  {laid_out(told, 2)}")
        self.story.settle()

    def has_read(self) -> None:
        """Through with the row that was turned over; this has no answer."""
        assert self.page is not None
        assert isinstance(self.page.opened, Socket)
        self.page.opened.send(json.dumps({"read": self.view["seq"]}))

    def reacts(self, reaction: str) -> None:
        answer = self.asks("POST", f"{self.at}/reactions", {"reaction": reaction})
        if answer.status == 200:
            self.story.reacts(self.table)

    def leaves(self) -> None:
        self.asks("DELETE", f"{self.at}/seats/me")

    def comes_back(self) -> None:
        self.asks("PUT", f"{self.at}/seats/me")

    def opens_page(self, after: int | None = None) -> None:
        """The page and its socket, which goes on from what the page showed."""
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

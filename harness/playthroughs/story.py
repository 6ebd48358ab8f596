"""A story is played by people at pages and by programs; all their answers and messages are recorded."""

import json
import re
import time
from contextlib import redirect_stdout
from hashlib import sha256
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from harness.playthroughs.fixed import FIXED
from harness.playthroughs.listening import Followed, Listener, Message
from harness.playthroughs.transport import OBSERVER, Answer, Refused, Stream, Transport
from harness.playthroughs.writing import Names, body_in_short, changes, compact, laid_out, problem_in_short
from illusion.cli import main
from illusion.web import Limits

UNTOLD: Final = (
    *("date", "content-length", "connection", "transfer-encoding", "vary", "content-encoding"),
    *("content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options"),
    *("cross-origin-opener-policy", "cross-origin-resource-policy"),
)
"""Headers that depend only on the kind of URL; addresses.txt has them."""
TITLE: Final = re.compile(r"<title>(.*?)</title>", re.DOTALL)


class Story:
    """A recording."""

    def __init__(self, name: str, told: str = "", limits: Limits | None = None, lot: int = 1) -> None:
        """`lot` is part of the seed."""
        self._folder = TemporaryDirectory()
        FIXED.begin(f"{name} {lot}")
        self.lines = [f"# {line.strip()}" for line in told.strip().splitlines()]
        self.names = Names()
        self.tables: dict[str, Followed] = {}
        self._database, self._limits = Path(self._folder.name, "tables.db"), limits
        self.transport = Transport(self._database, limits)

    # What happens

    def ask(
        self, who: str, method: str, path: str, headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> Answer:
        """A request and its answer, a second after the last one, so that times differ."""
        self.time_passes(1)
        sent = "" if body is None else body_in_short(self.names.named(body.decode(errors="replace")))
        self.write("", f"{who}: {method} {self.names.named(path)}{sent}".rstrip())
        answer = self.transport.request(method, path, headers or {}, body)
        self._follow(answer)
        self.write_answer(answer)
        self.settle()
        return answer

    def time_passes(self, seconds: int) -> None:
        self.transport.pass_time(seconds)

    def waits(self, seconds: int, *tables: str) -> None:
        """Let time pass until something happens by itself at each of these tables."""
        self.write("", f"{seconds} seconds pass")
        self.time_passes(seconds)
        for table in tables:
            self._until(table, max(self.tables[table].events) + 1)
        self.settle()

    def server_restarts(self) -> None:
        """Restart the server; streams must have been closed."""
        self.write("", "The server stops, and another one starts on the same database")
        self.transport.stop()
        self.transport = Transport(self._database, self._limits)
        for followed in self.tables.values():
            followed.watcher.opened = self._watch(followed.id, max(followed.events))
        self.settle()

    def opens_stream(self, who: str, table: str, after: int = 0, headers: dict[str, str] | None = None) -> Listener:
        """Open an event stream with `Last-Event-ID`, as a browser does."""
        self.write("", f"{who}: an event stream of {self.names.named(table)} after {after}")
        sent = {"last-event-id": str(after)} if after else {}
        stream = self.transport.stream(f"/api/tables/{table}/events", sent | (headers or {}))
        self.write_answer(stream.answer)
        self.write(*(f"  {line}" for line in stream.block()))
        return self._listens(Listener(self.names, f"{who}'s stream", table, stream), after)

    def opens_page(self, who: str, table: str, headers: dict[str, str], after: int) -> Listener:
        self.write("", f"{who}'s page: a socket at {self.names.named(table)} after {after}")
        socket = self.transport.socket(f"/table/{table}/live?after={after}", headers)
        return self._listens(Listener(self.names, f"{who}'s page", table, socket), after)

    def is_refused(self, who: str, path: str, headers: dict[str, str], *, socket: bool = True) -> None:
        """Try to open a WebSocket or a stream that is refused."""
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
        """Wait for a reaction, which has no number."""
        followed = self.tables[table]
        for listener in (followed.watcher, *followed.listeners):
            _, told = listener.next()
            self.write(f"  {listener.label or 'a stream'} hears {compact(told)}")

    def end(self) -> str:
        """Append the records and logs of all tables; returns the recording."""
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
        self._folder.cleanup()
        return "\n".join(self.lines) + "\n"

    # How it is written down

    def write(self, *lines: str) -> None:
        self.lines += [line for text in lines for line in text.split("\n")]

    def write_answer(self, answer: Answer) -> None:
        kind = (answer.header("content-type") or "").partition(";")[0]
        text = answer.body.decode(errors="replace")
        if kind == "application/json":
            body = self._body(self.names.read(text))
        elif kind == "application/problem+json":
            body = problem_in_short(self.names.read(text))
        elif kind == "text/html":
            title = TITLE.search(text)
            body = f"{kind} {self.names.named(title[1]) if title else ''}"
        else:
            body = f"{kind} {sha256(answer.body).hexdigest()[:16] if answer.body else ''}"
        self.write(f"  {answer.status} {body}".rstrip())
        shown = (each for each in answer.headers if each[0] not in (*UNTOLD, "content-type"))
        self.write(*(f"    {name}: {self.names.named(value)}" for name, value in shown))

    def _body(self, body: Any) -> str:
        """Replace known views, and moments of replays, by differences."""
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
        """Let bots move until a person has to; then record all messages."""
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
            self._write_view(followed, self.names.read(compact(raw)))
            self._write_heard(followed, heard, views)

    def _write_view(self, followed: Followed, view: Any) -> None:
        view = view and followed.in_short(view)
        if view is not None and view != followed.view:
            self.write(f"  view {laid_out(changes(followed.view, view), 7)}")
            followed.view = view

    def _write_heard(self, followed: Followed, heard: dict[Listener, list[Message]], views: dict[Any, Any]) -> None:
        """Record equal messages once."""
        same: dict[str, list[str]] = {}
        for listener, messages in heard.items():
            if messages:
                told = ", ".join(_in_short(message, followed.events, views) for message in messages)
                same.setdefault(told, []).append(listener.label)
        for told, labels in same.items():
            self.write(f"  {' and '.join(labels)}: {told}")

    def _write_record(self, followed: Followed) -> None:
        """Replace an event that everybody got by its number."""
        number = list(self.tables).index(followed.id) + 1
        answer = self.transport.request("GET", f"/api/tables/{followed.id}/record", {}, address=OBSERVER)
        kept = self._database.with_suffix(".json")
        kept.write_bytes(answer.body)
        record = self.names.read(answer.body.decode())
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
        opened = told.get("table") if isinstance(told, dict) and "seq" not in told else None
        id = opened or (answer.header("location") or "").partition("/table/")[2]
        if id and id not in self.tables:
            self.names.know(id, "TABLE")
            self.tables[id] = Followed(self.names, id, self._watch(id))

    def _watch(self, table: str, after: int = 0) -> Stream:
        """Open a stream of the recorder's own."""
        stream = self.transport.stream(f"/api/tables/{table}/events?after={after}", {}, OBSERVER)
        stream.block()  # `retry`
        return stream

    def _calm(self, table: str) -> dict[str, Any]:
        """The view once the server is idle."""
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
    more = [*view, *(key for key in told if key not in ("seq", "event", "view", "pictures"))]
    return f"{event} with {' and '.join(more)}" if more else event

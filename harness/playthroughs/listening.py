"""Messages of streams and pages, and the state of a table as known from them."""

from typing import Any, NamedTuple

from harness.playthroughs.transport import Socket, Stream
from harness.playthroughs.writing import Names, changes


class Message(NamedTuple):
    """A message: an event and perhaps a view, or something without a number."""

    seq: int | None
    told: dict[str, Any]


class Listener:
    """An event stream or page, with its messages so far."""

    def __init__(self, names: Names, label: str, table: str, opened: Stream | Socket) -> None:
        self.label, self.table, self.seq = label, table, 0
        self.opened, self._names = opened, names
        self._early: list[Message] = []
        """Messages that came before the awaited answer."""

    def send(self, text: str) -> None:
        assert isinstance(self.opened, Socket)
        self.opened.send(text)

    def next(self) -> Message:
        return self._early.pop(0) if self._early else self._received()

    def answer(self) -> dict[str, Any]:
        """The answer to the page's last message."""
        while not {"answer", "problem"} & (message := self._received()).told.keys():
            self._early.append(message)
        return message.told

    def _received(self) -> Message:
        """The next message, without heartbeats and without pictures, which are optional."""
        while True:
            if isinstance(self.opened, Socket):
                told = self._names.read(self.opened.receive())
            else:
                fields = dict(line.partition(": ")[::2] for line in self.opened.block())
                told = {"seq": int(fields["id"])} if "id" in fields else {}
                if "data" in fields:
                    told[fields.get("event", "event")] = self._names.read(fields["data"])
            if told:
                return Message(told.get("seq"), told)

    def until(self, seq: int) -> list[Message]:
        """All messages up to entry number `seq`."""
        heard = []
        while self.seq < seq:
            heard.append(self.next())
            self.seq = heard[-1].seq or self.seq
        return heard


class Followed:
    """A table of the story, with a stream that gets all events."""

    def __init__(self, names: Names, id: str, stream: Stream) -> None:
        self.id = id
        self.events: dict[int, Any] = {}
        self._doubts: list[tuple[int, Any]] = []
        self.view: Any = {}
        """The view as last recorded."""
        self.listeners: list[Listener] = []
        self.watcher = Listener(names, "", id, stream)

    def happened(self, event: Any) -> None:
        self.events[event["seq"]] = event
        doubts = (each for each in event["happened"] if each["event"] == "row-doubted")
        self._doubts += [(event["seq"], {key: each[key] for key in each if key != "event"}) for each in doubts]

    def in_short(self, view: Any) -> Any:
        """A view without its last doubt if that is the recorded event's."""
        told = [seq for seq, doubt in self._doubts if doubt == view["last_doubt"]]
        return view | {"last_doubt": f"as event {told[-1]}"} if told else view

    def number(self, happened: Any) -> Any:
        """The number of the event with this doubt."""
        told = (f"as event {seq}" for seq, event in self.events.items() if event["happened"] == happened)
        return next(told, happened) if happened else happened

    def moments(self, moments: list[Any]) -> list[Any]:
        """The moments of a replay, as differences."""
        views = [{}, *(self.in_short(each["view"]) for each in moments)]
        return [
            each | {"happened": self.number(each["happened"]), "view": changes(before, after)}
            for each, before, after in zip(moments, views, views[1:], strict=False)
        ]

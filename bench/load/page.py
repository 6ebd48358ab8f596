"""A page at a table, as a browser has it: cookies, a language, the connection to its table, pictures and moves.

Everything that it shows comes from what the server sends it. A picture is fetched once, because the server lets
browsers keep it for ever (`immutable`); a lost connection is taken up again by the last number heard.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec

from bench.load.lines import LOST, Answer, Lines, request
from bench.load.wire import HOST, EventStream, WebSocket

ORIGIN = f"http://{HOST}"
RETRY_S = 1.0
"""After which something is asked or sent again."""
ANSWER_S = 4.0
"""After which a page that sent a move over its WebSocket takes the connection for lost."""
IMMUTABLE = b"immutable"
COOKIE = re.compile(rb"set-cookie: (seat-[^;\r]+)", re.IGNORECASE)
LOCATION = re.compile(rb"location: ([^\r]+)", re.IGNORECASE)


Answered = Callable[[int, int], object]
"""Gets the status of a move, or LOST, and the number that it was told."""


class Shown(NamedTuple):
    """As much of a page as its player needs to go on."""

    seq: int
    phase: str
    to_play: int
    row: int
    next_card: str
    """Its address, or nothing when the deck is empty."""
    cards: list[str]
    """The addresses of all pictures on it."""


class Events(ABC):
    """What happens on a page is told to its table."""

    @abstractmethod
    def shows(self, shown: Shown) -> None: ...

    @abstractmethod
    def pictured(self, card: str) -> None:
        """A card's picture is there."""

    @abstractmethod
    def trouble(self, what: str) -> None:
        """Something that a person would notice, or that a browser had to do again."""


class Page(ABC):
    """One page. It is told of by `events`."""

    seq_in_html: re.Pattern[bytes]
    """Finds the number of the last event that a page was rendered with."""
    reconnect_s: float

    def __init__(self, port: int, language: str, events: Events, *, looks: bool = True) -> None:
        """One that does not look fetches no pictures."""
        self.port = port
        self.looks = looks
        self.events = events
        self.lines = Lines(port)
        self.headers = {"accept-language": language, "accept-encoding": "gzip"}
        self.pictures: set[str] = set()
        """Those that it has or has asked for."""
        self.table = ""
        self.seq = 0
        self.closed = False
        self.reconnecting: asyncio.TimerHandle | None = None

    async def sit_down(self, path: str, **fields: str) -> None:
        """Send one of the site's forms, keep the cookie, and open the table's page where it leads."""
        form = {**self.headers, "origin": ORIGIN, "content-type": "application/x-www-form-urlencoded"}
        while True:
            sent = await self.lines.answer(request("POST", path, form, urlencode(fields).encode()))
            seat, location = COOKIE.search(sent.head), LOCATION.search(sent.head)
            if seat and location:
                break
            self.events.trouble(f"{path.rpartition('/')[2]} {sent.status}")
            await asyncio.sleep(RETRY_S)
        self.headers["cookie"] = seat.group(1).decode()
        self.table = location.group(1).decode().rpartition("/")[2]
        opened = await self.ask("GET", f"/table/{self.table}")
        self.seq = int(_found(self.seq_in_html, opened.content))
        await self.connect()

    async def ask(self, method: str, path: str) -> Answer:
        """Until there is an answer that is none of the server's failures; uncompressed, because its bytes are read."""
        plain = {**self.headers, "origin": ORIGIN, "accept-encoding": "identity"}
        while True:
            answer = await self.lines.answer(request(method, path, plain))
            if answer.status not in (LOST, 503):
                return answer
            self.events.trouble(f"{method} {answer.status}")
            await asyncio.sleep(RETRY_S)

    async def connect(self) -> None:
        try:
            await self.follow()
        except OSError:
            self.lost()

    def lost(self) -> None:
        """The connection to the table: taken up again, as often as it takes."""
        if not self.closed and self.reconnecting is None:
            self.events.trouble("connection lost")
            loop = asyncio.get_running_loop()
            self.reconnecting = loop.call_later(self.reconnect_s, self._reconnect)

    def _reconnect(self) -> None:
        self.reconnecting = None
        if not self.closed:
            self._connecting = asyncio.ensure_future(self.connect())

    def show(self, shown: Shown) -> None:
        """Fetch what is new on it."""
        self.seq = shown.seq
        for card in shown.cards if self.looks else ():
            if card not in self.pictures:
                self.pictures.add(card)
                self._fetch(card)
        self.events.shows(shown)

    def _fetch(self, card: str) -> None:
        if not self.closed:
            self.lines.ask(request("GET", f"/cards/{card}.svg", self.headers), partial(self._fetched, card))

    def _fetched(self, card: str, answer: Answer) -> None:
        if answer.status == 200:
            assert IMMUTABLE in answer.head, "a browser would ask for this picture again"
            self.events.pictured(card)
        elif not self.closed:
            self.events.trouble(f"picture {answer.status}")
            asyncio.get_running_loop().call_later(RETRY_S, self._fetch, card)

    def close(self) -> None:
        self.closed = True
        self.lines.close()
        self.hang_up()

    @abstractmethod
    async def follow(self) -> None:
        """Connect to the table; raises OSError."""

    @abstractmethod
    def move(self, move: bytes, then: Answered) -> None:
        """Send a move."""

    @abstractmethod
    def hang_up(self) -> None: ...


class _Sequence(msgspec.Struct):
    """The answer to a move."""

    seq: int


_seq = msgspec.json.Decoder(_Sequence)
STATE = re.compile(rb'data-phase=\\"(\w+)\\"\\n  data-to-play=\\"(\d*)\\".*?data-row=\\"(\d+)\\" data-next=\\"([^\\]*)')
CARD = re.compile(rb"/cards/([^.\"?]+)\.svg")


def _found(pattern: re.Pattern[bytes], text: bytes) -> bytes:
    match = pattern.search(text)
    assert match, text[:300]
    return match.group(1)


class StreamPage(Page):
    """Hears of its table by an event stream with HTML in it, and sends its moves as POSTs."""

    seq_in_html = re.compile(rb'data-seq="(\d+)')
    reconnect_s = 1.0
    stream: EventStream | None = None

    async def follow(self) -> None:
        path = f"/table/{self.table}/live?after={self.seq}"
        make = partial(EventStream, path, self._told, self.headers, self.lost)
        _, self.stream = await asyncio.get_running_loop().create_connection(make, HOST, self.port)

    def _told(self, seq: int, data: bytes) -> None:
        match = STATE.search(data)
        assert match, data[:300]
        phase, to_play, row, following = (each.decode() for each in match.groups())
        cards = [card.decode() for card in dict.fromkeys(CARD.findall(data))]
        self.show(Shown(seq, phase, int(to_play or 0), int(row), following, cards))

    def move(self, move: bytes, then: Answered) -> None:
        headers = {**self.headers, "origin": ORIGIN, "content-type": "application/json"}
        asked = request("POST", f"/api/tables/{self.table}/moves", headers, move)
        self.lines.ask(
            asked, lambda told: then(told.status, _seq.decode(told.content).seq if told.status == 200 else 0)
        )

    def hang_up(self) -> None:
        if self.stream is not None:
            self.stream.transport.close()


class _View(msgspec.Struct):
    phase: str
    row: list[str]
    to_play: int | None
    next_card: str | None


class _Problem(msgspec.Struct):
    status: int
    code: str


class _Message(msgspec.Struct):
    """A text frame: the table after an event, the answer to a move, or neither."""

    seq: int = 0
    view: _View | None = None
    answer: _Sequence | None = None
    problem: _Problem | None = None


_message = msgspec.json.Decoder(_Message)


class SocketPage(Page):
    """Hears of its table by a WebSocket, which brings new pictures too, and sends its moves on it."""

    seq_in_html = re.compile(rb'"view":\{"table":"[^"]+","seq":(\d+)')
    reconnect_s = 0.3
    socket: WebSocket | None = None

    def __init__(self, port: int, language: str, events: Events, *, looks: bool = True) -> None:
        super().__init__(port, language, events, looks=looks)
        self.unanswered: deque[Answered] = deque()
        """The server answers one move after another."""

    async def follow(self) -> None:
        path = f"/table/{self.table}/live?after={self.seq}"
        headers = {**self.headers, "origin": ORIGIN}
        socket = WebSocket(path, lambda: None, self._told, headers, self.lost)
        await asyncio.get_running_loop().create_connection(lambda: socket, HOST, self.port)
        self.socket = socket

    def lost(self) -> None:
        self.socket = None
        while self.unanswered:
            self._answered(LOST)
        super().lost()

    def _told(self, frame: bytes) -> None:
        if not frame.startswith(b"{"):
            card = frame[: frame.index(b"\n")].decode()
            self.pictures.add(card)
            self.events.pictured(card)
            return
        told = _message.decode(frame)
        if told.view is not None:
            view = told.view
            cards = [*view.row, *([view.next_card] if view.next_card else [])]
            self.show(Shown(told.seq, view.phase, view.to_play or 0, len(view.row), view.next_card or "", cards))
        elif told.answer is not None:
            self._answered(200, told.answer.seq)
        elif told.problem is not None:
            self._answered(told.problem.status)

    def _answered(self, status: int, seq: int = 0) -> None:
        self.unanswered.popleft()(status, seq)

    def move(self, move: bytes, then: Answered) -> None:
        if self.socket is None or not self.socket.shaken:
            then(LOST, 0)
        else:
            self.unanswered.append(then)
            self.socket.send(move)
            asyncio.get_running_loop().call_later(ANSWER_S, self._unanswered, then)

    def _unanswered(self, then: Answered) -> None:
        if then in self.unanswered and self.socket is not None:
            self.socket.transport.abort()

    def hang_up(self) -> None:
        if self.socket is not None:
            self.socket.transport.close()


PAGE: type[Page] = SocketPage if find_spec("illusion.web.live.page_socket") else StreamPage
"""How our server's pages follow their tables."""

"""A page at a table, as a browser has it: cookies, a language, the connection to its table, pictures and moves.

Everything that it shows comes from what the server sends it. New pictures mostly come over the connection; others are
fetched once, because the server lets browsers keep them for ever (`immutable`). A lost connection is taken up again by
the last number heard.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec

from bench.load.lines import LOST, Answer, Lines, request
from bench.load.wire import HOST, WebSocket

ORIGIN = f"http://{HOST}"
RETRY_S = 1.0
"""After which something is asked or sent again."""
RECONNECT_S = 0.3
ANSWER_S = 4.0
"""After which a page that sent a move takes its connection for lost."""
CONNECTIONS = 6
"""That browsers open to one server, beside WebSockets."""
IMMUTABLE = b"immutable"
COOKIE = re.compile(rb"set-cookie: (seat-[^;\r]+)", re.IGNORECASE)
LOCATION = re.compile(rb"location: ([^\r]+)", re.IGNORECASE)
SEQ = re.compile(rb'"view":\{"seq":(\d+)')
"""In a page: the number of the last event that it was made with."""

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


class _View(msgspec.Struct):
    row: list[str]
    to_play: int | None
    next_card: str | None
    phase: str


class _Happened(msgspec.Struct):
    event: str
    gap: int = 0
    card: str = ""
    next_card: str | None = None
    to_play: int | None = None


class _Event(msgspec.Struct):
    happened: list[_Happened]


class _Answer(msgspec.Struct):
    seq: int


class _Problem(msgspec.Struct):
    status: int


class _Message(msgspec.Struct):
    """A text frame: an event and the table after it, or that a card was laid; the answer to a move; or neither."""

    seq: int = 0
    event: _Event | None = None
    view: _View | None = None
    answer: _Answer | None = None
    problem: _Problem | None = None


_message = msgspec.json.Decoder(_Message)


class Page:
    """One page, of which `events` are told."""

    def __init__(
        self, port: int, language: str, events: Events, *, address: str | None = None, looks: bool = True
    ) -> None:
        """With an address of its own, as people have. One that does not look fetches no pictures."""
        self.port = port
        self.looks = looks
        self.events = events
        self.lines = Lines(port, address, CONNECTIONS)
        self.headers = {"accept-language": language, "accept-encoding": "gzip"}
        self.asked: set[str] = set()
        """Cards whose pictures it has or has asked for."""
        self.pictures: set[str] = set()
        """Cards whose pictures it has."""
        self.table = ""
        self.seq = 0
        self.view = _View([], None, None, "waiting")
        self.socket: WebSocket | None = None
        self.unanswered: deque[Answered] = deque()
        """The server answers one move after another."""
        self.closed = False
        self.connecting: asyncio.Future[None] | None = None

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
        opened = SEQ.search((await self.ask("GET", f"/table/{self.table}")).content)
        assert opened, "this is not the page of a table"
        self.seq = int(opened.group(1))
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
        path = f"/table/{self.table}/live?after={self.seq}"
        socket = WebSocket(path, lambda: None, self._told, {**self.headers, "origin": ORIGIN}, self._lost)
        try:
            loop = asyncio.get_running_loop()
            await loop.create_connection(lambda: socket, HOST, self.port, local_addr=self.lines.local)
        except OSError:
            self._lost()
        else:
            self.socket = socket

    def _lost(self) -> None:
        """The connection to the table: taken up again, as often as it takes."""
        self.socket = None
        while self.unanswered:
            self.unanswered.popleft()(LOST, 0)
        if not self.closed:
            self.events.trouble("connection lost")
            asyncio.get_running_loop().call_later(RECONNECT_S, self._reconnect)

    def _reconnect(self) -> None:
        if not self.closed:
            self.connecting = asyncio.ensure_future(self.connect())

    def _told(self, frame: bytes) -> None:
        if not frame.startswith(b"{"):
            self._has(frame[: frame.index(b"\n")].decode())
            return
        told = _message.decode(frame)
        if told.view is not None:
            self.view = told.view
            self._show(told.seq)
        elif told.event is not None and told.seq > self.seq:
            self._lay(told.event.happened[0])
            self._show(told.seq)
        elif told.answer is not None:
            self.unanswered.popleft()(200, told.answer.seq)
        elif told.problem is not None:
            self.unanswered.popleft()(told.problem.status, 0)

    def _lay(self, placed: _Happened) -> None:
        self.view.row.insert(placed.gap, placed.card)
        self.view.next_card, self.view.to_play = placed.next_card, placed.to_play

    def _show(self, seq: int) -> None:
        self.seq, view = seq, self.view
        cards = [*view.row, *([view.next_card] if view.next_card else [])]
        for card in cards if self.looks else ():
            if card not in self.asked:
                self.asked.add(card)
                self._fetch(card)
        self.events.shows(Shown(seq, view.phase, view.to_play or 0, len(view.row), view.next_card or "", cards))

    def _fetch(self, card: str) -> None:
        if not self.closed:
            self.lines.ask(request("GET", f"/cards/{card}.svg", self.headers), partial(self._fetched, card))

    def _fetched(self, card: str, answer: Answer) -> None:
        if answer.status == 200:
            assert IMMUTABLE in answer.head, "a browser would ask for this picture again"
            self._has(card)
        elif not self.closed:
            self.events.trouble(f"picture {answer.status}")
            asyncio.get_running_loop().call_later(RETRY_S, self._fetch, card)

    def _has(self, card: str) -> None:
        """Its picture came, perhaps for the second time."""
        if card not in self.pictures:
            self.asked.add(card)
            self.pictures.add(card)
            self.events.pictured(card)

    def move(self, move: bytes, then: Answered) -> None:
        if self.socket is None or not self.socket.shaken:
            then(LOST, 0)
        else:
            self.unanswered.append(then)
            self.socket.send(move)
            asyncio.get_running_loop().call_later(ANSWER_S, self._miss, then)

    def _miss(self, answer: Answered) -> None:
        if answer in self.unanswered and self.socket is not None:
            self.socket.transport.abort()

    def close(self) -> None:
        self.closed = True
        self.lines.close()
        if self.socket is not None:
            self.socket.transport.close()

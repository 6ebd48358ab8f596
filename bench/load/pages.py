"""Four pages at one of our tables, as browsers have them: cookies, a language, the page's socket, pictures and moves.

Everything that a page shows comes from what the server sends it. New pictures mostly come with the event; others are
fetched once, because the server lets browsers keep them for ever. A lost connection is taken up again by
the last number heard. What its people sent and were told is remembered, to be held against the log.
"""

import asyncio
import re
from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

import msgspec
from harness.faults import Move

from bench.load.table import PLAYERS, RETRY_S, Audience, Table, Task, Viewer
from bench.load.wire import HOST, LOST, Answer, WebSocket, loopback_address, request

NAMES = ("Ana", "Bob", "Cleo", "Dora")
LANGUAGES = ("en", "de", "es", "fr", "pl")
ORIGIN = f"http://{HOST}"
RECONNECT_S = 0.3
ANSWER_S = 4.0
"""The timeout of a move, after which a page reconnects."""
COOKIE = re.compile(rb"set-cookie: (seat-[^;\r]+)", re.IGNORECASE)
LOCATION = re.compile(rb"location: ([^\r]+)", re.IGNORECASE)
SEQ = re.compile(rb'"view":\{"seq":(\d+)')
"""The number of the last event, in a page's HTML."""
STALE = 409
AWAY = (LOST, 503)
"""Statuses after which it is unknown whether a move was stored: the server or its store is away."""

Answered = Callable[[int, int], object]
"""Called with the status of a move, or LOST, and the number in the answer."""


class View(msgspec.Struct):
    """The fields of a view that a player needs."""

    seq: int
    row: list[str]
    to_play: int | None
    next_card: str | None
    phase: str


class _Answer(msgspec.Struct):
    """The answer to a move, or a problem."""

    seq: int = 0
    status: int = 200


class _Message(msgspec.Struct):
    """A message: an event with the view, the answer to a move, who still reads a revealed row, or a heartbeat."""

    view: View | None = None
    pictures: dict[str, msgspec.Raw] = {}
    id: int = 0
    answer: _Answer | None = None
    problem: _Answer | None = None
    reading: list[int] = []


_messages = msgspec.json.Decoder(_Message)


class Page(Viewer):
    """A person's page, with an address of its own."""

    def __init__(self, table: "PagesTable", person: int, language: str) -> None:
        super().__init__(table, {"accept-language": language, "origin": ORIGIN}, loopback_address(person))
        self.table = table
        self.id = ""
        self.seq = self.read = 0
        self.socket: WebSocket | None = None
        self.unanswered: dict[int, Answered] = {}
        self.sent = 0
        self.connecting: asyncio.Future[None] | None = None

    async def sit_down(self, path: str, **fields: str) -> None:
        """Send one of the site's forms, keep the cookie, and open the table's page where it leads."""
        form = {**self.headers, "content-type": "application/x-www-form-urlencoded"}
        while True:
            sent = await self.lines.answer(request("POST", path, form, urlencode(fields).encode()))
            seat, location = COOKIE.search(sent.head), LOCATION.search(sent.head)
            if seat and location:
                break
            self.table.audience.trouble(f"{path.rpartition('/')[2]} {sent.status}")
            await asyncio.sleep(RETRY_S)
        self.headers["cookie"] = seat.group(1).decode()
        self.id = location.group(1).decode().rpartition("/")[2]
        opened = SEQ.search((await self.ask("GET", f"/table/{self.id}")).content)
        assert opened, "this is not the page of a table"
        self.seq = int(opened.group(1))
        await self.connect()

    async def ask(self, method: str, path: str) -> Answer:
        """Retry until the server does not fail; answers are uncompressed, because their bytes are parsed."""
        while True:
            answer = await self.lines.answer(request(method, path, {**self.headers, "accept-encoding": "identity"}))
            if answer.status not in (LOST, 502, 503):
                return answer
            self.table.audience.trouble(f"{method} {answer.status}")
            await asyncio.sleep(RETRY_S)

    async def connect(self) -> None:
        socket = WebSocket(f"/table/{self.id}/live?after={self.seq}", self.headers, self._told, self._lost)
        try:
            loop = asyncio.get_running_loop()
            await loop.create_connection(lambda: socket, HOST, self.lines.port, local_addr=self.lines.local)
        except OSError:
            self._lost()
        else:
            self.socket = socket

    def _lost(self) -> None:
        """Connect to the table, and reconnect as often as needed."""
        self.socket = None
        unanswered, self.unanswered = self.unanswered, {}
        for then in unanswered.values():
            then(LOST, 0)
        if not self.is_closed:
            self.table.audience.trouble("connection lost")
            asyncio.get_running_loop().call_later(RECONNECT_S, self._reconnect)

    def _reconnect(self) -> None:
        if not self.is_closed:
            self.connecting = asyncio.ensure_future(self.connect())

    def _told(self, frame: bytes) -> None:
        for told in _messages.decode_lines(frame):
            self._take(told)

    def _take(self, told: _Message) -> None:
        for card in told.pictures:
            self.has(card)
        if told.view is not None:
            self.seq = told.view.seq
            self.table.shows(self, told.view)
        elif (answer := told.answer or told.problem) and told.id in self.unanswered:
            self.unanswered.pop(told.id)(answer.status, answer.seq)
        elif told.reading and self.read < self.seq and self.socket is not None:
            self.read = self.seq
            self.socket.send(b'{"read":%d}' % self.read)

    def move(self, gap: int | None, base: int, then: Answered) -> None:
        if self.socket is None or not self.socket.is_open:
            then(LOST, 0)
            return
        self.sent += 1
        self.unanswered[self.sent] = then
        what = b'"doubt"' if gap is None else b'"place","gap":%d' % gap
        self.socket.send(b'{"id":%d,"move":%s,"seq":%d}' % (self.sent, what, base))
        asyncio.get_running_loop().call_later(ANSWER_S, self._miss, self.sent)

    def _miss(self, sent: int) -> None:
        if sent in self.unanswered and self.socket is not None:
            self.socket.transport.abort()

    def close(self) -> None:
        super().close()
        if self.socket is not None:
            self.socket.transport.close()


class PagesTable(Table):
    """One table, from the invitation to the end of its game."""

    def __init__(self, task: Task, place: int, seed: int, audience: Audience) -> None:
        super().__init__(task, place, seed, audience)
        self.pages = [
            Page(self, place * PLAYERS + seat, LANGUAGES[(place + seat) % len(LANGUAGES)]) for seat in range(PLAYERS)
        ]
        self.seq = 0
        self.base: int | None = None
        """The number that the pending move was made on."""
        self.sent: dict[int, list[Move]] = {}
        """Moves by the number they were made on."""
        self.acknowledged: dict[int, Move] = {}

    @property
    def id(self) -> str:
        return self.pages[0].id

    async def open(self) -> None:
        host, *others = self.pages
        await host.sit_down("/invite", name=NAMES[0], seats=str(PLAYERS), variant=self.task.variant)
        for page, name in zip(others, NAMES[1:], strict=True):
            await page.sit_down(f"/table/{self.id}/join", name=name)
        await host.ask("POST", f"/api/tables/{self.id}/start")
        await self.dealt.wait()

    def send(self, gap: int | None) -> None:
        self.base = self.seq
        self._send(self.base, Move(self.to_play, gap))

    def _send(self, base: int, move: Move) -> None:
        """Retry a move, unless an event has shown meanwhile that it was stored."""
        if self.base == base == self.seq:
            self.sent.setdefault(base, []).append(move)
            self.pages[move.seat].move(move.gap, base, partial(self._answered, base, move))

    def _answered(self, base: int, move: Move, status: int, seq: int) -> None:
        if status == 200:
            self.acknowledged[seq] = move
        elif status in AWAY:
            self.audience.trouble(f"move {status}")
            asyncio.get_running_loop().call_later(RETRY_S, self._send, base, move)
        elif status != STALE or len(self.sent[base]) < 2:  # it was stored the first time
            self.audience.trouble(f"move {status}")

    def shows(self, page: Page, view: View) -> None:
        """A page shows the table as it is now."""
        if view.seq > self.seq:
            self.seq, self.to_play, self.row = view.seq, view.to_play or 0, len(view.row)
            self.deck_empty, self.over = view.next_card is None, view.phase == "over"
        self.look(page, [*view.row, view.next_card])
        heard = min(page.seq for page in self.pages)
        if self.base is not None and heard > self.base:
            self.base = None
            self.audience.delivered(self)
        elif view.phase == "playing" and heard == self.seq:
            self.dealt.set()

    def close(self) -> None:
        super().close()
        for page in self.pages:
            page.close()

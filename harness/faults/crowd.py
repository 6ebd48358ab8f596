"""People who play on whatever happens to the server, and remember everything, so that it can be checked afterwards.

What must hold: every acknowledged move is in the log at the number it was told; no move is there that nobody sent, nor
one twice; and everybody who listened has heard the whole log once, in order, whatever connections were lost.
"""

import asyncio
import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx

from harness.faults import Move, faults

AWAY = (httpx.TransportError,)
"""Errors by which a client notices a killed server."""


EXPECTED = ((409, "stale"), (409, "not-playing"), (503, "store-failed"))
"""Expected refusals: the second of two clicks is too late, or the store is away."""

STUCK = 120
"""Timeout in seconds for play to go on: many times what any machine needs."""


class Ear:
    """An event stream that resumes after the last number received whenever it breaks."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.heard: list[tuple[int, str]] = []

    async def listen(self, crowd: "Crowd") -> None:
        while True:
            after = {"last-event-id": str(self.heard[-1][0])} if self.heard else {}
            try:
                async with crowd.client().stream("GET", f"/api/tables/{self.table}/events", headers=after) as stream:
                    if stream.status_code == 200:
                        await self._take(stream)
            except AWAY:
                pass
            await asyncio.sleep(0.05)

    async def _take(self, stream: httpx.Response) -> None:
        number = 0
        async for line in stream.aiter_lines():
            if line.startswith("id: "):
                number = int(line[4:])
            elif line.startswith("data: "):
                self.heard.append((number, line[6:]))


class Evening:
    """Two people at a table: place, doubt now and then, retry when no answer comes, and again at the next table."""

    def __init__(self, crowd: "Crowd", seed: int) -> None:
        self.crowd = crowd
        self.rng = random.Random(seed)
        self.tokens: list[str] = []
        self.table = ""
        self.sent: dict[int, list[Move]] = {}
        """Moves by the number that they were made on; there may be several."""
        self.acknowledged: dict[int, Move] = {}
        self.ears: list[Ear] = []

    async def play(self) -> None:
        await self._sit_down()
        while True:
            view = await self.crowd.ask("GET", f"/api/tables/{self.table}")
            if view["over"]:
                return
            seat, base = view["to_play"], view["seq"]
            doubting = len(view["row"]) > 1 and self.rng.random() < 0.15
            move = Move(seat, None if doubting else self.rng.randint(0, len(view["row"])))
            tries = 2 if self.rng.random() < 0.1 else 1  # double clicks
            await asyncio.gather(*(self._move(base, move) for _ in range(tries)))

    async def _sit_down(self) -> None:
        opening = {"name": "Ana", "seats": 2, "variant": "twelve-rounds"}
        opened = await self.crowd.ask("POST", "/api/tables", opening)
        self.table = opened["table"]
        sat = await self.crowd.ask("POST", f"/api/tables/{self.table}/seats", {"name": "Bob"})
        self.tokens = [opened["token"], sat.get("token", "")]
        if not self.tokens[1]:
            return await self._sit_down()  # a lost answer had taken the chair: use another table
        self.ears = [Ear(self.table), Ear(self.table)]
        self.crowd.listen(self.ears)
        await self.crowd.ask("POST", f"/api/tables/{self.table}/start", token=self.tokens[0])
        return None

    async def _move(self, base: int, move: Move) -> None:
        body = {"move": "doubt", "seq": base} if move.gap is None else {"move": "place", "gap": move.gap, "seq": base}
        self.sent.setdefault(base, []).append(move)
        try:
            headers = {"authorization": f"Bearer {self.tokens[move.seat]}"}
            path = f"/api/tables/{self.table}/moves"
            answer = await self.crowd.client().post(path, json=body, headers=headers)
        except AWAY:
            return  # unknown; the next view tells
        if answer.status_code == 200:
            number = answer.json()["seq"]
            assert number not in self.acknowledged, "two moves were told the same number"
            self.acknowledged[number] = move
            self.crowd.moves += 1
        else:
            self.crowd.refused(answer)


class Crowd:
    """Plays many tables at once until stopped; each request goes to a random server."""

    def __init__(self, tables: int, *urls: str) -> None:
        unlimited = httpx.Limits(max_connections=None)
        self.clients = [httpx.AsyncClient(base_url=url, timeout=60, limits=unlimited) for url in urls]
        self.tables = tables
        self.rng = random.Random(tables)
        self.moves = 0
        self.evenings: list[Evening] = []
        self.listening: list[asyncio.Task[None]] = []
        self.playing: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Crowd":
        self.playing = [asyncio.create_task(self._come_again(number)) for number in range(self.tables)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in (*self.playing, *self.listening):
            task.cancel()
        await asyncio.gather(*self.playing, *self.listening, return_exceptions=True)
        for client in self.clients:
            await client.aclose()

    def client(self) -> httpx.AsyncClient:
        return self.rng.choice(self.clients)

    def listen(self, ears: list[Ear]) -> None:
        self.listening += [asyncio.create_task(ear.listen(self)) for ear in ears]

    async def ask(self, method: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
        """Send a request until there is an answer, even a refusal."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        while True:
            try:
                answer = await self.client().request(method, path, json=body, headers=headers)
            except AWAY:
                await asyncio.sleep(0.05)
                continue
            if answer.status_code < 300 or answer.status_code == 409:
                told: dict[str, Any] = answer.json()
                return told
            self.refused(answer)
            await asyncio.sleep(0.05)

    def refused(self, answer: httpx.Response) -> None:
        code = answer.json()["code"] if answer.status_code != 500 else ""
        assert (answer.status_code, code) in EXPECTED, answer.text

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for something; errors of players are raised here."""
        async with asyncio.timeout(STUCK):
            while not holds():
                for task in (*self.playing, *self.listening):
                    if task.done():
                        task.result()
                await asyncio.sleep(0.01)

    async def more(self, moves: int) -> None:
        """Wait for this many more moves."""
        goal = self.moves + moves
        await self.until(lambda: self.moves >= goal)

    async def agree(self) -> int:
        """Stop moving, let everybody hear the rest, and hold what everybody remembers against the log.

        How many tables were checked; it raises where something was lost, made up or heard twice.
        """
        checked = 0
        for task in self.playing:
            task.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)
        self.playing = []
        for evening in self.evenings:
            if evening.ears:
                last = (await self.ask("GET", f"/api/tables/{evening.table}"))["seq"]
                await self.until(partial(_all_heard, evening.ears, last))
                judge(evening)
                checked += 1
        return checked

    async def _come_again(self, number: int) -> None:
        for visit in range(1000):
            evening = Evening(self, 1000 * number + visit)
            self.evenings.append(evening)
            await evening.play()


def _all_heard(ears: list[Ear], last: int) -> bool:
    return all(ear.heard and ear.heard[-1][0] >= last for ear in ears)


def judge(evening: Evening) -> None:
    """Checks the log, as the first player received it, against what all players sent and received."""
    first, *others = (ear.heard for ear in evening.ears)
    assert [number for number, _ in first] == list(range(1, len(first) + 1)), "a gap, or something told twice"
    assert all(other == first for other in others), "two people heard different things"
    log = [json.loads(event) for _, event in first]
    assert faults(evening.table, evening.sent, evening.acknowledged, log) == []

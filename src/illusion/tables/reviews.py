"""Reviews of finished games: computed once, by a process of low priority, and cached.

The process starts with the first question and ends when idle. A question that fails or kills it is tried again, up to
`MAX_TRIES` times.
"""

import asyncio
import logging
from collections.abc import Callable, Hashable
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec

from illusion.bots import sight_of
from illusion.bots.eyes import Look
from illusion.review import Moved, review
from illusion.review.own_eyes import own_eyes
from illusion.review.turn_chances import SeatLooks, seat_looks
from illusion.rules import Game
from illusion.tables.model.commands import RefusalCode, Refused
from illusion.tables.model.entries import Terms
from illusion.tables.model.fair_deal import Secret, dealing
from illusion.tables.model.table import Table
from illusion.tables.pictures import Lru
from illusion.tables.public.view import public_time
from illusion.tables.worker import TooMuchWork, Where, Worker

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

MAX_KEPT_BYTES: Final = 32 * 1024 * 1024
"""Some five hundred reviews."""
MAX_WAITING: Final = 100
"""Bound of the queue: a few minutes of work."""
TIMEOUT_S: Final = 300.0
"""A hundred times what a review takes."""
IDLE_S: Final = 5.0
"""Idle time after which the process ends."""
MAX_TRIES: Final = 2
NICENESS: Final = 10

LOG: Final = logging.getLogger("illusion")


class NoAnswer(Exception):
    """The worker failed or crashed on this question."""


class Progress(msgspec.Struct, frozen=True):
    """Steps of a computation, done and in all."""

    done: int
    of: int


class Reviews:
    """The answers of one server."""

    def __init__(self, where: Where = Where.PROCESS, max_kept_bytes: int = MAX_KEPT_BYTES) -> None:
        self._worker = Worker(where, NICENESS)
        self._kept: Lru[Hashable, bytes | None] = Lru(max_kept_bytes, lambda answer: len(answer or b""))
        """Answers by key; None where computing one failed."""
        self._asked: dict[Hashable, asyncio.Task[None]] = {}
        """The tasks of unanswered questions."""
        self._in_turn = asyncio.Lock()

    @property
    def processes(self) -> frozenset["BaseProcess"]:
        """The worker's process, if it has one."""
        return self._worker.processes

    def kept(self, key: Hashable) -> bytes | None:
        """The answer if it is there. Raises NoAnswer, once, if computing it failed; then it may be asked for again."""
        answer = self._kept.get(key)
        if answer is None and key in self._kept:
            self._kept.pop(key)
            raise NoAnswer
        return answer

    def is_asked(self, key: Hashable) -> bool:
        return key in self._asked

    def ask(self, key: Hashable, work: Callable[..., bytes], *arguments: object) -> None:
        """Queue a question, unless it is queued already. Raises TooMuchWork."""
        if key not in self._asked:
            if len(self._asked) >= MAX_WAITING:
                raise TooMuchWork
            self._asked[key] = asyncio.create_task(self._answer(key, work, arguments))

    async def stop(self) -> None:
        """Stop at once; the queue is dropped."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._worker.stop()

    async def _answer(self, key: Hashable, work: Callable[..., bytes], arguments: tuple[object, ...]) -> None:
        answer: bytes | None = None
        async with self._in_turn:
            for _ in range(MAX_TRIES):
                try:
                    answer = await self._worker.run(work, *arguments, timeout_s=TIMEOUT_S)
                    break
                except Exception:  # one question's error must not stop the queue
                    LOG.exception("review-failed")
        self._kept.put(key, answer)
        del self._asked[key]
        asyncio.get_running_loop().call_later(IDLE_S, self._rest)

    def _rest(self) -> None:
        if not self._asked:
            self._worker.stop()


class FinishedGame(msgspec.Struct, frozen=True):
    """The secret of a deal, which is public by now, and the moves of the game. It can be sent to another process."""

    secret: Secret
    players: int
    terms: Terms
    moves: list[Moved]
    at: float
    """When it ended, in whole seconds since 1970."""

    def dealt(self) -> tuple[Game, Look]:
        """The game as it began, and a look at any of its cards, which are drawn on demand."""
        dealt = dealing(self.secret, self.players, self.terms)
        return dealt.game, cache(lambda card: sight_of(dealt.pile[int(card) - 1]))


def check_over(table: Table) -> Game:
    """The table's game. Refuses one that is not over, since its cards are still secret."""
    if table.game is None or not table.game.over:
        raise Refused(RefusalCode.NOT_OVER)
    return table.game


def finished_game(table: Table) -> FinishedGame:
    """The game that was played at a table. Refuses a game that is not over."""
    game, ended_at = check_over(table), public_time(table.turn_began)
    return FinishedGame(table.dealt().secret, game.players, table.terms, list(table.moves), ended_at)


class DatedLooks(msgspec.Struct, frozen=True):
    """The looks of a seat in a game that ended at this time."""

    at: float
    looks: SeatLooks


def review_of_game(game: FinishedGame) -> bytes:
    """The review of a game, as JSON. Takes a second or two: it draws every picture of the game."""
    begun, look = game.dealt()
    return msgspec.json.encode(review(begun, game.moves, look))


def seat_looks_of_game(game: FinishedGame, seat: int) -> bytes:
    """The looks of one seat of a game, as JSON."""
    begun, look = game.dealt()
    return msgspec.json.encode(DatedLooks(game.at, seat_looks(begun, game.moves, look, seat)))


def own_eyes_of_seats(seats: list[bytes]) -> bytes:
    """Somebody's own eyes, as JSON, from what `seat_looks_of_game` returned for each of their seats."""
    dated = [msgspec.json.decode(each, type=DatedLooks) for each in seats]
    dated.sort(key=lambda each: each.at)
    return msgspec.json.encode(own_eyes([each.looks for each in dated]))

"""Notifier between processes: NOTIFY after a commit, on a connection of its own.

Inside the write transaction it would make all commits wait for each other. Notifier of one moment go out together. What
is mentioned at a table, such as a reaction, goes the same way, one notice each.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from illusion.tables.stores.base import MIN_COMMIT_INTERVAL_S, StoreFailed
from illusion.tables.stores.postgres.connection import Connection, Line

CHANNEL: Final = "illusion"
MENTIONS: Final = "illusion_mentions"
LONGEST: Final = 7900
"""PostgreSQL takes notices of less than 8,000 bytes."""
CHECK: Final = 5.0
"""Seconds of silence after which it is checked that the line still stands."""


class Notifier:
    """`heard` is called with a table and its last number, also for what this process itself has given.

    `mentioned` is called with a table and what another process said there.
    """

    def __init__(
        self, url: str, heard: Callable[[str, int], object], mentioned: Callable[[str, bytes], object]
    ) -> None:
        self._heard = heard
        self._mentioned = mentioned
        self._line = Line(url, self._listen)
        self._waiting: dict[str, int] = {}
        self._mentions: list[str] = []
        self._given = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._line.close()

    def give(self, table: str, seq: int) -> None:
        self._waiting[table] = max(seq, self._waiting.get(table, 0))
        self._given.set()

    def send_message(self, table: str, said: bytes) -> None:
        self._mentions.append(f"{table} {said.decode()}")
        self._given.set()

    async def _run(self) -> None:
        while True:
            waiting, self._waiting = self._waiting, {}
            mentions, self._mentions = self._mentions, []
            self._given.clear()
            try:
                await self._line.talk(partial(_tell, waiting, mentions))
            except StoreFailed:
                await asyncio.sleep(0.5)  # these hints are lost; whoever needs them finds out by asking
            try:
                async with asyncio.timeout(CHECK):
                    await self._given.wait()
            except TimeoutError:
                continue
            await asyncio.sleep(MIN_COMMIT_INTERVAL_S)

    async def _listen(self, line: Connection) -> None:
        await line.add_listener(CHANNEL, self._take)
        await line.add_listener(MENTIONS, self._take_mention)

    def _take(self, _line: object, _process: int, _channel: str, payload: object) -> None:
        for hint in str(payload).split():
            table, _, seq = hint.rpartition(":")
            self._heard(table, int(seq))

    def _take_mention(self, line: Any, process: int, _channel: str, payload: object) -> None:
        """Whoever speaks on this line hears it, too; here everybody has been told already."""
        if process != line.get_server_pid():
            table, _, said = str(payload).partition(" ")
            self._mentioned(table, said.encode())


async def _tell(waiting: dict[str, int], mentions: list[str], line: Connection) -> None:
    """Several tables in one notice; with none it only makes sure that somebody is there."""
    notices = [""]
    for table, seq in waiting.items():
        hint = f"{table}:{seq} "
        if len(notices[-1]) + len(hint) > LONGEST:
            notices.append("")
        notices[-1] += hint
    await line.execute("SELECT 1") if notices == [""] else None
    for notice in filter(None, notices):
        await line.execute("SELECT pg_notify($1, $2)", CHANNEL, notice)
    for mention in mentions:
        await line.execute("SELECT pg_notify($1, $2)", MENTIONS, mention)

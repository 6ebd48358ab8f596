"""Notifier between processes: NOTIFY after a commit, on a connection of its own.

Inside the write transaction it would make all commits wait for each other. Notifier of one moment go out together. What
is mentioned at a table, such as a reaction, goes the same way, one payload each.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from illusion.tables.stores.base import MIN_COMMIT_INTERVAL_S, Hint, StoreFailed
from illusion.tables.stores.postgres.connection import Connection, ReconnectingConnection

CHANNEL: Final = "illusion_appends"
MESSAGES: Final = "illusion_mentions"
END: Final = "."
"""Behind the last number of a table that has ended."""
MAX_PAYLOAD_BYTES: Final = 7900
"""PostgreSQL takes payloads of less than 8,000 bytes."""
KEEPALIVE_S: Final = 5.0
"""Silence after which the connection is checked."""


class Notifier:
    """`on_append` is called with hints, `on_message` with a table and a message: what other processes have sent."""

    def __init__(
        self, url: str, on_append: Callable[[Hint], object], on_message: Callable[[str, bytes], object]
    ) -> None:
        self._on_append = on_append
        self._on_message = on_message
        self._connection = ReconnectingConnection(url, self._listen)
        self._waiting: dict[str, Hint] = {}
        """The last one of each table."""
        self._messages: list[str] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._connection.close()

    def notify(self, hint: Hint) -> None:
        before = self._waiting.get(hint.table, hint)
        self._waiting[hint.table] = hint._replace(seq=max(before.seq, hint.seq), ended=before.ended or hint.ended)
        self._wake.set()

    def send_message(self, table: str, message: bytes) -> None:
        self._messages.append(f"{table} {message.decode()}")
        self._wake.set()

    async def _run(self) -> None:
        while True:
            waiting, self._waiting = self._waiting, {}
            messages, self._messages = self._messages, []
            self._wake.clear()
            try:
                await self._connection.run(partial(_send, list(waiting.values()), messages))
            except StoreFailed:
                await asyncio.sleep(0.5)  # these hints are lost; other processes find the entries by polling
            try:
                async with asyncio.timeout(KEEPALIVE_S):
                    await self._wake.wait()
            except TimeoutError:
                continue
            await asyncio.sleep(MIN_COMMIT_INTERVAL_S)

    async def _listen(self, line: Connection) -> None:
        await line.add_listener(CHANNEL, self._on_append_payload)
        await line.add_listener(MESSAGES, self._on_message_payload)

    def _on_append_payload(self, line: Any, process: int, _channel: str, payload: object) -> None:
        """Our own notifications come back as well; what they tell is known here."""
        if process == line.get_server_pid():
            return
        writer, *told = str(payload).split(" ")
        for each in told:
            table, _, seq = each.rpartition(":")
            self._on_append(Hint(table, int(seq.removesuffix(END)), writer, seq.endswith(END)))

    def _on_message_payload(self, line: Any, process: int, _channel: str, payload: object) -> None:
        if process != line.get_server_pid():
            table, _, message = str(payload).partition(" ")
            self._on_message(table, message.encode())


async def _send(hints: list[Hint], messages: list[str], line: Connection) -> None:
    """The writer and several tables per notification; without any, only check the connection."""
    payloads: list[str] = []
    for table, seq, _, ended in hints:
        told = f" {table}:{seq}{END if ended else ''}"
        if not payloads or len(payloads[-1]) + len(told) > MAX_PAYLOAD_BYTES:
            payloads.append(hints[-1].writer)
        payloads[-1] += told
    await line.execute("SELECT 1") if not payloads else None
    for payload in payloads:
        await line.execute("SELECT pg_notify($1, $2)", CHANNEL, payload)
    for message in messages:
        await line.execute("SELECT pg_notify($1, $2)", MESSAGES, message)

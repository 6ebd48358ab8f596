"""The shared store: PostgreSQL, for any number of processes.

Appends are committed in groups, and reads are batched into one query. After a commit other processes get a hint by
NOTIFY, on a connection of its own; it may get lost, since readers always read by number.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

import asyncpg

from illusion.tables.stores.base import CHECK_ENTRY, CannotOpen, Claims, Hint, Stale, StoreFailed, ignore
from illusion.tables.stores.batching import Batcher
from illusion.tables.stores.postgres.connection import LOST, Connection, ReconnectingConnection
from illusion.tables.stores.postgres.notify import Notifier
from illusion.tables.stores.postgres.schema import migrate

APPEND: Final = "SELECT append_group($1, $2, $3, $4, $5, $6, $7, $8)"
READ: Final = """
    SELECT log.table_id, log.seq, log.entry FROM unnest($1::TEXT[], $2::INTEGER[]) AS asked (id, after)
    JOIN log ON log.table_id = asked.id AND log.seq > asked.after ORDER BY log.table_id, log.seq
"""
STRIKE_OUT: Final = "SELECT strike_out($1)"
"""A driver, or with NULL all whose leases have expired."""
RENEW: Final = """
    UPDATE drivers SET until = clock_timestamp() + $2 * INTERVAL '1 second'
    WHERE id = $1 AND until > clock_timestamp() RETURNING id
"""
REGISTER: Final = "INSERT INTO drivers VALUES ($1, clock_timestamp() + $2 * INTERVAL '1 second')"
CLAIM: Final = """
    UPDATE tables SET driver = $1 WHERE table_id IN (
        SELECT table_id FROM tables WHERE NOT ended AND (driver IS NULL OR driver = $1) AND table_id = ANY ($2)
        ORDER BY table_id FOR UPDATE
    ) RETURNING table_id
"""
"""Also those that are ours already: opened by us, handed over to us, or the answer to an earlier claim was lost."""
HAND_OVER: Final = "SELECT hand_over($1, $2, $3)"
CLAIM_ANY: Final = """
    UPDATE tables SET driver = $1 WHERE table_id IN (
        SELECT table_id FROM tables WHERE NOT ended AND driver IS NULL
        ORDER BY table_id LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING table_id
"""
LEASE_S: Final = 8.0
"""How long claims last without being renewed."""

RETRY_S: Final = 5.0
"""How long appends and reads are retried while PostgreSQL is away."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Append:
    table: str
    first: int
    entries: Sequence[bytes]
    ended: bool


class PostgresStore:
    """A Store in a PostgreSQL database."""

    shared = True

    def __init__(self, url: str, lease_s: float = LEASE_S, retry_s: float = RETRY_S) -> None:
        self.on_remote_append: Callable[[Hint], object] = ignore
        self.on_remote_message: Callable[[str, bytes], object] = ignore
        self._lease_s = lease_s
        self._retry_s = retry_s
        self._driver = ""
        self._opened: set[str] = set()
        """Tables that we drive since we opened them, until the next claim names them."""
        self._writing = ReconnectingConnection(url)
        self._reading = ReconnectingConnection(url)
        self._claiming = ReconnectingConnection(url)
        self._notifier = Notifier(url, self._on_append, self._on_message)
        self._appends = Batcher(self._append_group, lambda append: append.table)
        self._reads = Batcher(self._read_group, lambda asked: asked[0])

    async def open(self) -> None:
        try:
            await self._claiming.run(migrate)
        except StoreFailed as error:
            raise CannotOpen(str(error)) from None
        except ValueError as error:
            raise CannotOpen(f"its address is not valid: {error}") from None
        self._appends.start()
        self._reads.start()
        self._notifier.start()

    async def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> None:
        if not await self._appends.submit(_Append(table, first, entries, ended)):
            raise Stale
        if first == 1 and not ended and self._driver:
            self._opened.add(table)
        self._notifier.notify(Hint(table, first + len(entries) - 1, self._driver, ended))

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        try:
            return await self._reads.submit((table, after))
        except StoreFailed as error:
            if not isinstance(error.__cause__, asyncpg.DataError):
                raise
            (alone,) = await self._read_group([(table, after)])  # PostgreSQL refused an id, perhaps somebody else's
            return alone

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        sql = "SELECT table_id, seq FROM tables WHERE table_id = ANY ($1)"
        rows = await self._reading.run(lambda connection: connection.fetch(sql, tables))
        return {row["table_id"]: row["seq"] for row in rows}

    def send_message(self, table: str, message: bytes) -> None:
        self._notifier.send_message(table, message)

    async def unfinished(self) -> int:
        sql = "SELECT count(*) FROM tables WHERE NOT ended"
        count: int = await self._reading.run(lambda connection: connection.fetchval(sql))
        return count

    async def tables(self) -> list[str]:
        sql = "SELECT table_id FROM tables ORDER BY table_id"
        return [row["table_id"] for row in await self._reading.run(lambda connection: connection.fetch(sql))]

    async def claim(self, wanted: Collection[str] = (), others: int = 0) -> Claims:
        return await self._claiming.run(lambda connection: self._claim(connection, wanted, others))

    async def hand_over(self, takers: Mapping[str, str]) -> None:
        tables, names = list(takers), list(takers.values())
        await self._claiming.run(lambda connection: connection.execute(HAND_OVER, self._driver, tables, names))

    async def check_writable(self) -> None:
        await self._writing.run(_check)

    async def close(self) -> None:
        for batcher in (self._appends, self._reads):
            await batcher.stop()
        await self._notifier.stop()
        if self._driver:
            with suppress(StoreFailed):  # the lease expires by itself
                await self._claiming.run(lambda connection: connection.execute(STRIKE_OUT, self._driver))
        for connection in (self._writing, self._reading, self._claiming):
            await connection.close()

    def _on_append(self, hint: Hint) -> None:
        self.on_remote_append(hint)

    def _on_message(self, table: str, message: bytes) -> None:
        self.on_remote_message(table, message)

    async def _append_group(self, group: Sequence[_Append]) -> list[bool]:
        """Returns which were stored. If the answer got lost, the group is sent again, and entries found there count."""
        tries = 0

        async def append(connection: Connection) -> set[str]:
            nonlocal tries
            tries += 1
            return await _append(connection, self._driver, group)

        stored = await self._with_retries(self._writing, append)
        if tries == 1:
            return [append.table in stored for append in group]
        there = await self._read_group([(append.table, append.first - 1) for append in group])
        return [
            append.table in stored or log[: len(append.entries)] == list(append.entries)
            for append, log in zip(group, there, strict=True)
        ]

    async def _read_group(self, group: Sequence[tuple[str, int]]) -> list[list[bytes]]:
        ids, afters = zip(*group, strict=True)
        found: dict[str, list[bytes]] = {id: [] for id in ids}
        for row in await self._with_retries(self._reading, lambda connection: connection.fetch(READ, ids, afters)):
            found[row["table_id"]].append(row["entry"])
        return [found[id] for id in ids]

    async def _with_retries(
        self, connection: ReconnectingConnection, query: Callable[[Connection], Awaitable[Result]]
    ) -> Result:
        """Retry for a while if PostgreSQL has gone away: it may be restarting."""
        give_up = time.monotonic() + self._retry_s
        while True:
            try:
                return await connection.run(query)
            except StoreFailed as error:
                if time.monotonic() > give_up or not isinstance(error.__cause__, LOST):
                    raise
                await asyncio.sleep(0.1)

    async def _claim(self, connection: Connection, wanted: Collection[str], others: int) -> Claims:
        """A lease (Gray and Cheriton, 1989). An expired one is never renewed: the process registers under a new id.

        Renewing a lease and deleting an expired one lock the same row, so whichever comes first decides. Whether a
        table is free stands in its own row: PostgreSQL looks at that row again once it has locked it, but not at
        rows joined to it, which may be older than another process's claim.
        """
        began = time.monotonic()
        await connection.execute(STRIKE_OUT, None)
        expired = not (self._driver and await connection.fetchval(RENEW, self._driver, self._lease_s))
        if expired:
            self._driver = secrets.token_hex(8)
            await connection.execute(REGISTER, self._driver, self._lease_s)
        opened = tuple(self._opened)
        wanted = {*wanted, *opened}
        rows = [*await connection.fetch(CLAIM, self._driver, wanted)] if wanted else []
        if others:
            rows += await connection.fetch(CLAIM_ANY, self._driver, others)
        self._opened.difference_update(opened)
        return Claims([row["table_id"] for row in rows], began + self._lease_s, expired)


async def _append(connection: Connection, driver: str, group: Sequence[_Append]) -> set[str]:
    rows = [(append.table, seq, entry) for append in group for seq, entry in enumerate(append.entries, append.first)]
    stored = await connection.fetchval(
        APPEND,
        driver,
        [append.table for append in group],
        [append.first for append in group],
        [len(append.entries) for append in group],
        [append.ended for append in group],
        [table for table, _, _ in rows],
        [seq for _, seq, _ in rows],
        [entry for _, _, entry in rows],
    )
    return set(stored or ())


async def _check(connection: Connection) -> None:
    """Open a table and take it back within the same transaction: nobody else sees it, but it takes the same room."""
    table = f"check {secrets.token_hex(8)}"
    async with connection.transaction():
        await _append(connection, "", [_Append(table, 1, [CHECK_ENTRY], ended=True)])
        await connection.execute("DELETE FROM log WHERE table_id = $1", table)
        await connection.execute("DELETE FROM tables WHERE table_id = $1", table)

"""The store when one process is outgrown: PostgreSQL, shared by any number of processes.

One writer commits whatever has gathered in one go, one reader asks for whatever has gathered in one query. After a
commit the others get a hint on a connection of its own; it may be lost, for readers always read by number.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

from illusion.tables.stores.base import CannotOpen, Claims, Stale, StoreFailed, ignore
from illusion.tables.stores.batching import Batcher
from illusion.tables.stores.postgres.connection import LOST, Connection, Line
from illusion.tables.stores.postgres.notify import Notifier
from illusion.tables.stores.postgres.schema import migrate

APPEND: Final = "SELECT append_group($1, $2, $3, $4, $5, $6, $7)"
READ: Final = """
    SELECT log.table_id, log.seq, log.entry FROM unnest($1::TEXT[], $2::INTEGER[]) AS asked (id, after)
    JOIN log ON log.table_id = asked.id AND log.seq > asked.after ORDER BY log.table_id, log.seq
"""
BURY: Final = "DELETE FROM drivers WHERE until < clock_timestamp()"
RENEW: Final = """
    UPDATE drivers SET until = clock_timestamp() + $2 * INTERVAL '1 second'
    WHERE id = $1 AND until > clock_timestamp() RETURNING id
"""
ENLIST: Final = "INSERT INTO drivers VALUES ($1, clock_timestamp() + $2 * INTERVAL '1 second')"
CLAIM: Final = """
    UPDATE tables SET driver = $1 WHERE table_id IN (
        SELECT table_id FROM tables LEFT JOIN drivers ON drivers.id = tables.driver
        WHERE NOT ended AND drivers.id IS NULL ORDER BY table_id LIMIT $2 FOR UPDATE OF tables SKIP LOCKED
    ) RETURNING table_id
"""
AT_ONCE: Final = 256
"""Tables taken up by one claim, so that others get their share."""

LEASE: Final = 8.0
"""Seconds that claims last without being renewed."""

PATIENCE: Final = 5.0
"""Seconds for which appending and reading are tried again while PostgreSQL is away."""

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

    def __init__(self, url: str, lease: float = LEASE, patience: float = PATIENCE) -> None:
        self.on_remote_append: Callable[[str, int], object] = ignore
        self.on_remote_message: Callable[[str, bytes], object] = ignore
        self._lease = lease
        self._patience = patience
        self._driver = ""
        self._writing = Line(url)
        self._reading = Line(url)
        self._claiming = Line(url)
        self._hints = Notifier(url, self._hinted, self._mentioned)
        self._appends = Batcher(self._append_group, lambda append: append.table)
        self._reads = Batcher(self._read_group, lambda asked: asked[0])

    async def open(self) -> None:
        try:
            await self._claiming.talk(migrate)
        except StoreFailed as error:
            raise CannotOpen(str(error)) from None
        except ValueError as error:
            raise CannotOpen(f"its address is not one: {error}") from None
        self._appends.start()
        self._reads.start()
        self._hints.start()

    async def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> None:
        if not await self._appends.ask(_Append(table, first, entries, ended)):
            raise Stale
        self._hints.give(table, first + len(entries) - 1)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        return await self._reads.ask((table, after))

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        sql = "SELECT table_id, seq FROM tables WHERE table_id = ANY ($1)"
        rows = await self._reading.talk(lambda line: line.fetch(sql, tables))
        return {row["table_id"]: row["seq"] for row in rows}

    def send_message(self, table: str, said: bytes) -> None:
        self._hints.send_message(table, said)

    async def unfinished(self) -> int:
        sql = "SELECT count(*) FROM tables WHERE NOT ended"
        count: int = await self._reading.talk(lambda line: line.fetchval(sql))
        return count

    async def tables(self) -> list[str]:
        sql = "SELECT table_id FROM tables ORDER BY table_id"
        return [row["table_id"] for row in await self._reading.talk(lambda line: line.fetch(sql))]

    async def claim(self) -> Claims:
        return await self._claiming.talk(self._claim)

    async def close(self) -> None:
        for gathering in (self._appends, self._reads):
            await gathering.stop()
        await self._hints.stop()
        if self._driver:
            with suppress(StoreFailed):  # then the claims run out by themselves
                await self._claiming.talk(lambda line: line.execute("DELETE FROM drivers WHERE id = $1", self._driver))
        for line in (self._writing, self._reading, self._claiming):
            await line.close()

    def _hinted(self, table: str, seq: int) -> None:
        self.on_remote_append(table, seq)

    def _mentioned(self, table: str, said: bytes) -> None:
        self.on_remote_message(table, said)

    async def _append_group(self, group: Sequence[_Append]) -> list[bool]:
        """Whether each was stored. If an answer was lost, the group is sent again; entries that are there count."""
        tries = 0

        async def append(line: Connection) -> set[str]:
            nonlocal tries
            tries += 1
            return await _append(line, group)

        stored = await self._patiently(self._writing, append)
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
        for row in await self._patiently(self._reading, lambda line: line.fetch(READ, ids, afters)):
            found[row["table_id"]].append(row["entry"])
        return [found[id] for id in ids]

    async def _patiently(self, line: Line, about: Callable[[Connection], Awaitable[Result]]) -> Result:
        """Try again for a while if PostgreSQL has gone away: it may be just starting anew."""
        give_up = time.monotonic() + self._patience
        while True:
            try:
                return await line.talk(about)
            except StoreFailed as error:
                if time.monotonic() > give_up or not isinstance(error.__cause__, LOST):
                    raise
                await asyncio.sleep(0.1)

    async def _claim(self, line: Connection) -> Claims:
        """A driver whose time ran out is never revived, but comes back under another name.

        Renewing and burying lock the driver's row: whichever comes first decides, and a claim goes by the row alone.
        """
        began = time.monotonic()
        await line.execute(BURY)
        anew = not (self._driver and await line.fetchval(RENEW, self._driver, self._lease))
        if anew:
            self._driver = secrets.token_hex(8)
            await line.execute(ENLIST, self._driver, self._lease)
        rows = await line.fetch(CLAIM, self._driver, AT_ONCE)
        return Claims([row["table_id"] for row in rows], began + self._lease, anew)


async def _append(line: Connection, group: Sequence[_Append]) -> set[str]:
    rows = [(append.table, seq, entry) for append in group for seq, entry in enumerate(append.entries, append.first)]
    stored = await line.fetchval(
        APPEND,
        [append.table for append in group],
        [append.first for append in group],
        [len(append.entries) for append in group],
        [append.ended for append in group],
        [table for table, _, _ in rows],
        [seq for _, seq, _ in rows],
        [entry for _, _, entry in rows],
    )
    return set(stored or ())

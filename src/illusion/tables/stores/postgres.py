"""The shared store: PostgreSQL, for any number of servers.

The log's primary key decides races: of two servers that append the same number one gets Stale. Everything else may be
wrong for a moment without harm: hints by NOTIFY may get lost, and leases only say which server runs a table's bots.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg

from illusion.tables.stores import CannotOpen, Hint, StoreFailed, StoreObserver
from illusion.tables.stores.postgres_layout import Connection, join
from illusion.tables.stores.sqlite import Append, GroupCommit

Query: TypeAlias = Callable[[Connection], Awaitable["Result"]]
Result = TypeVar("Result")

APPEND: Final = """
    WITH asked AS (
        SELECT * FROM unnest($2::TEXT[], $3::INTEGER[], $4::INTEGER[], $5::BYTEA[], $6::BOOLEAN[])
        AS asked (id, first, seq, entry, ends)
    ), won AS (
        INSERT INTO log SELECT id, seq, entry FROM asked
        WHERE seq = first AND (first = 1 OR EXISTS (SELECT FROM log WHERE table_id = id AND log.seq = first - 1))
        ORDER BY id COLLATE "C" ON CONFLICT DO NOTHING RETURNING table_id
    ), others AS (
        INSERT INTO log SELECT id, seq, entry FROM asked JOIN won ON table_id = id WHERE seq > first
    ), opened AS (
        INSERT INTO tables SELECT id, ends, $1::TEXT FROM asked JOIN won ON table_id = id WHERE seq = 1
    ), grown AS (
        UPDATE tables SET server = $1, ended = ended OR ends FROM asked JOIN won ON table_id = id
        WHERE tables.table_id = id AND seq = first AND first > 1 AND (server <> $1 OR ends)
    )
    SELECT id, pg_notify('illusion_appended', concat_ws(' ', $1, id, max(seq), bool_or(ends)::INTEGER))
    FROM asked JOIN won ON table_id = id GROUP BY id
"""
"""Who inserts the first number of an append inserts all of it. Rows are inserted in order, so groups never deadlock."""

READ: Final = "SELECT entry FROM log WHERE table_id = $1 AND seq > $2 ORDER BY seq"
HEADS: Final = """
    SELECT id, last.seq FROM unnest($1::TEXT[]) AS id,
    LATERAL (SELECT seq FROM log WHERE table_id = id ORDER BY seq DESC LIMIT 1) AS last
"""
RENEW: Final = """
    INSERT INTO servers VALUES ($1, clock_timestamp() + $2 * INTERVAL '1 second')
    ON CONFLICT (id) DO UPDATE SET until = EXCLUDED.until
"""
CLAIM: Final = """
    UPDATE tables SET server = $1 WHERE table_id IN (
        SELECT table_id FROM tables WHERE NOT ended AND {} FOR UPDATE SKIP LOCKED
    ) RETURNING table_id
"""
FREE: Final = "server NOT IN (SELECT id FROM servers WHERE until > clock_timestamp())"
CLAIM_WANTED: Final = CLAIM.format(f"table_id = ANY ($2) AND (server = $1 OR {FREE})")
"""Includes tables that this server has already: an answer may have got lost."""
CLAIM_OTHERS: Final = CLAIM.format(f"{FREE} LIMIT $2")
CHECK: Final = """
    INSERT INTO log VALUES ('check {0}', 1, decode(repeat('00', 200), 'hex'));
    DELETE FROM log WHERE table_id = 'check {0}';
"""
"""One transaction. About as long as a move."""

ANSWER_TIMEOUT_S: Final = 5.0
"""The network may be cut without an error."""
RETRY_S: Final = 0.1

LOST: Final = (
    OSError,  # a timeout is one, too
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
)
"""Errors worth a retry: PostgreSQL has gone away or is starting."""

LEASE_S: Final = 8.0
"""A server counts as dead this long after it last renewed its lease."""
PATIENCE_S: Final = 5.0
"""Appends and reads wait this long for PostgreSQL to come back."""


class PostgresStore:
    """A Store in a PostgreSQL database."""

    shared = True

    def __init__(self, url: str, lease_s: float = LEASE_S, patience_s: float = PATIENCE_S) -> None:
        self._lease_s = lease_s
        self._patience_s = patience_s
        self._server = secrets.token_hex(8)
        self._observer: StoreObserver | None = None
        self._writing = ReconnectingConnection(url, join)
        self._reading = ReconnectingConnection(url, self._listen)
        self._appends = GroupCommit(self._commit)
        self._sending: set[asyncio.Task[object]] = set()

    async def open(self, observer: StoreObserver | None = None, /) -> None:
        self._observer = observer
        try:
            for connection in (self._writing, self._reading):
                await connection.run(lambda connected: connected.execute("SELECT 1"))
        except StoreFailed as error:
            raise CannotOpen(str(error)) from None
        except ValueError as error:
            raise CannotOpen(f"its address is not valid: {error}") from None

    def append(self, table: str, first: int, entries: Sequence[bytes], *, ended: bool = False) -> Awaitable[None]:
        return self._appends.append(table, first, entries, ended=ended)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        return [entry for (entry,) in await self._fetch(READ, table, after)]

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        return dict(await self._fetch(HEADS, tables))

    def send_message(self, table: str, message: bytes) -> None:
        payload = f"{self._server} {table} {message.decode()}"
        sending = asyncio.create_task(self._fetch("SELECT pg_notify('illusion_message', $1)", payload))
        self._sending.add(sending)
        sending.add_done_callback(self._sent)

    async def unfinished(self) -> int:
        ((count,),) = await self._fetch("SELECT count(*) FROM tables WHERE NOT ended")
        return int(count)

    async def tables(self) -> list[str]:
        return [table for (table,) in await self._fetch("SELECT table_id FROM tables ORDER BY table_id")]

    async def claim(self, wanted: Collection[str] = (), others: int = 0) -> list[str]:
        await self._fetch(RENEW, self._server, self._lease_s)
        claimed = [*await self._fetch(CLAIM_WANTED, self._server, wanted)] if wanted else []
        if others:
            claimed += await self._fetch(CLAIM_OTHERS, self._server, others)
        return [table for (table,) in claimed]

    async def check_writable(self) -> None:
        await self._writing.run(lambda connection: connection.execute(CHECK.format(self._server)))

    async def close(self) -> None:
        await self._appends.close()
        with suppress(StoreFailed):  # the lease expires by itself
            await self._writing.run(lambda line: line.execute("DELETE FROM servers WHERE id = $1", self._server))
        for connection in (self._writing, self._reading):
            await connection.close()

    async def _fetch(self, sql: str, *parameters: object) -> list[Any]:
        return await self._reading.run(lambda connection: connection.fetch(sql, *parameters), self._patience_s)

    async def _commit(self, group: list[Append]) -> set[str]:
        """Idempotent, since the group is sent again if an answer was lost: entries that are there count as stored."""
        rows = [(a.table, a.first, seq, entry, a.ended) for a in group for seq, entry in enumerate(a.entries, a.first)]
        columns = [list(column) for column in zip(*rows, strict=True)]
        tries = 0

        async def append(connection: Connection) -> list[Any]:
            nonlocal tries
            tries += 1
            return await connection.fetch(APPEND, self._server, *columns)

        stored = {table for table, _ in await self._writing.run(append, self._patience_s)}
        if tries > 1:
            for each in group:
                if each.table not in stored:
                    there = await self.read(each.table, each.first - 1)
                    if there[: len(each.entries)] == list(each.entries):
                        stored.add(each.table)
        return stored

    async def _listen(self, connection: Connection) -> None:
        await join(connection)
        await connection.add_listener("illusion_appended", self._on_appended)
        await connection.add_listener("illusion_message", self._on_message)

    def _on_appended(self, _connection: object, _process: int, _channel: str, payload: object) -> None:
        server, table, seq, ended = str(payload).split(" ")
        if self._observer is not None and server != self._server:
            self._observer.appended(Hint(table, int(seq), ended == "1"))

    def _on_message(self, _connection: object, _process: int, _channel: str, payload: object) -> None:
        server, table, message = str(payload).split(" ", 2)
        if self._observer is not None and server != self._server:
            self._observer.message(table, message.encode())

    def _sent(self, sending: "asyncio.Task[object]") -> None:
        self._sending.discard(sending)
        if not sending.cancelled():
            sending.exception()  # no warning: a message may get lost


class ReconnectingConnection:
    """Runs one query at a time. `on_connect` is called with each new connection."""

    def __init__(self, url: str, on_connect: Callable[[Connection], Awaitable[object]]) -> None:
        self._url = url
        self._on_connect = on_connect
        self._connection: Connection | None = None
        self._lock = asyncio.Lock()

    async def run(self, query: "Query[Result]", patience_s: float = 0.0) -> Result:
        """Run a query; while PostgreSQL is away, retry for `patience_s` seconds.

        Cancelling the caller does not interrupt the query, so that the connection stays usable.
        """
        running = asyncio.create_task(self._run(query, patience_s))
        running.add_done_callback(lambda task: task.cancelled() or task.exception())  # no warning if the caller is gone
        return await asyncio.shield(running)

    async def close(self) -> None:
        async with self._lock:
            if self._connection is not None:
                with suppress(*LOST):
                    await self._connection.close(timeout=1)

    async def _run(self, query: "Query[Result]", patience_s: float) -> Result:
        give_up = asyncio.get_running_loop().time() + patience_s
        while True:
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT_S), self._lock:
                    return await self._try(query)
            except LOST as error:
                if asyncio.get_running_loop().time() >= give_up:
                    raise StoreFailed(str(error) or "PostgreSQL does not answer") from error
            except (asyncpg.PostgresError, CannotOpen) as error:
                raise StoreFailed(str(error)) from error
            await asyncio.sleep(RETRY_S)

    async def _try(self, query: "Query[Result]") -> Result:
        """Run a query once. After any error the connection is dropped."""
        try:
            if self._connection is None or self._connection.is_closed():
                self._connection = await asyncpg.connect(self._url)
                await self._on_connect(self._connection)
            return await query(self._connection)
        except BaseException:
            self._disconnect()
            raise

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

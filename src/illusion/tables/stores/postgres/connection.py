"""A connection to PostgreSQL that reconnects after every failure."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, TypeVar

import asyncpg

from illusion.tables.stores.base import StoreFailed

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Result = TypeVar("Result")

ANSWER_TIMEOUT_S: Final = 5.0
"""The network may be cut without an error."""

LOST: Final = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
)
"""PostgreSQL has gone away or is just starting: worth a retry."""

FAILURES: Final = (*LOST, asyncpg.PostgresError)


class ReconnectingConnection:
    """Runs one query function at a time. `on_connect` is called first with each new connection."""

    def __init__(self, url: str, on_connect: Callable[[Connection], Awaitable[object]] | None = None) -> None:
        self._url = url
        self._on_connect = on_connect
        self._connection: Connection | None = None
        self._lock = asyncio.Lock()
        self._closing: set[asyncio.Task[None]] = set()

    async def run(self, query: Callable[[Connection], Awaitable[Result]]) -> Result:
        """A cancelled caller does not interrupt the query, so that the connection stays usable."""
        running = asyncio.create_task(self._run(query))
        running.add_done_callback(lambda task: task.exception())
        return await asyncio.shield(running)

    async def _run(self, query: Callable[[Connection], Awaitable[Result]]) -> Result:
        """After any error the connection is not used again."""
        async with self._lock:
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT_S):
                    return await query(await self._connected())
            except FAILURES as error:
                self._disconnect()
                raise StoreFailed(str(error) or "PostgreSQL does not answer") from error
            except BaseException:
                self._disconnect()
                raise

    async def close(self) -> None:
        async with self._lock:
            self._disconnect()
            await asyncio.gather(*self._closing)

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(self._url, timeout=ANSWER_TIMEOUT_S)
            if self._on_connect is not None:
                await self._on_connect(self._connection)
        return self._connection

    def _disconnect(self) -> None:
        """Close in the background, so that the next caller can reconnect at once."""
        if self._connection is not None:
            closing = asyncio.create_task(_close(self._connection))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
            self._connection = None


async def _close(connection: Connection) -> None:
    try:
        await connection.close(timeout=1)
    except FAILURES:
        connection.terminate()

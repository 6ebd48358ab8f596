"""A connection to PostgreSQL that is made anew after every failure."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar

import asyncpg

from illusion.tables.stores.store import StoreFailed

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Query: TypeAlias = Callable[[Connection], Awaitable["Result"]]
Result = TypeVar("Result")

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
"""PostgreSQL has gone away or is just starting: worth a retry."""


class ReconnectingConnection:
    """Runs one query at a time. `on_connect` is called first with each new connection."""

    def __init__(self, url: str, on_connect: Callable[[Connection], Awaitable[object]] | None = None) -> None:
        self._url = url
        self._on_connect = on_connect
        self._connection: Connection | None = None
        self._lock = asyncio.Lock()

    async def run(self, query: "Query[Result]", patience_s: float = 0.0) -> Result:
        """While PostgreSQL is away, try again for so many seconds: it may be restarting.

        A cancelled caller does not interrupt the query, so that the connection stays usable.
        """
        running = asyncio.create_task(self._run(query, patience_s))
        running.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may ask any more
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
            except asyncpg.PostgresError as error:
                raise StoreFailed(str(error)) from error
            await asyncio.sleep(RETRY_S)

    async def _try(self, query: "Query[Result]") -> Result:
        """After any error the connection is not used again."""
        try:
            if self._connection is None or self._connection.is_closed():
                self._connection = await asyncpg.connect(self._url)
                if self._on_connect is not None:
                    await self._on_connect(self._connection)
            return await query(self._connection)
        except BaseException:
            self._disconnect()
            raise

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

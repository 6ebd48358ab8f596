"""A line to PostgreSQL that mends itself: one connection, opened anew after every failure."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, TypeVar

import asyncpg

from illusion.tables.stores.base import StoreFailed

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Result = TypeVar("Result")

ANSWER: Final = 5.0
"""Seconds after which an answer is not waited for any more: the network may be cut without anybody being told."""

LOST: Final = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
)
"""PostgreSQL has gone away, or is just coming back: worth trying again."""

FAILURES: Final = (*LOST, asyncpg.PostgresError)


class Line:
    """One conversation at a time. `greet` is said first on each new connection."""

    def __init__(self, url: str, greet: Callable[[Connection], Awaitable[object]] | None = None) -> None:
        self._url = url
        self._greet = greet
        self._connection: Connection | None = None
        self._talking = asyncio.Lock()
        self._leaving: set[asyncio.Task[None]] = set()

    async def talk(self, about: Callable[[Connection], Awaitable[Result]]) -> Result:
        """Whoever goes away does not interrupt: a conversation is finished, so that the next one can begin."""
        talking = asyncio.create_task(self._talk(about))
        talking.add_done_callback(lambda talk: talk.exception())
        return await asyncio.shield(talking)

    async def _talk(self, about: Callable[[Connection], Awaitable[Result]]) -> Result:
        """Whatever goes wrong, this connection is not used again."""
        async with self._talking:
            try:
                async with asyncio.timeout(ANSWER):
                    return await about(await self._connected())
            except FAILURES as error:
                self._hang_up()
                raise StoreFailed(str(error) or "PostgreSQL does not answer") from error
            except BaseException:
                self._hang_up()
                raise

    async def close(self) -> None:
        async with self._talking:
            self._hang_up()
            await asyncio.gather(*self._leaving)

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(self._url, timeout=ANSWER)
            if self._greet is not None:
                await self._greet(self._connection)
        return self._connection

    def _hang_up(self) -> None:
        """Politely, but beside: whoever talks next need not wait for it."""
        if self._connection is not None:
            leaving = asyncio.create_task(_farewell(self._connection))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)
            self._connection = None


async def _farewell(connection: Connection) -> None:
    try:
        await connection.close(timeout=1)
    except FAILURES:
        connection.terminate()

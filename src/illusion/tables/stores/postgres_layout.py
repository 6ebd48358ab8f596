"""The schema of the PostgreSQL database, and its migrations; its backup into an SQLite file, and back.

Every open store shares the advisory lock IN_USE; whoever changes the layout, or restores, has it alone. Both happen in
one transaction, and what was there stays in a schema of its own (PostgreSQL's word for a folder of tables).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeAlias

import asyncpg

from illusion.tables.stores import CannotOpen
from illusion.tables.stores import layout as sqlite_layout
from illusion.tables.stores.layout import Layout, check_pages, connected

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

VERSION: Final = 3
SCHEMA: Final = """
    CREATE TABLE log (
        table_id TEXT COLLATE "C",
        seq INTEGER,
        entry BYTEA NOT NULL,
        PRIMARY KEY (table_id, seq)
    );
    CREATE TABLE tables (
        table_id TEXT COLLATE "C" PRIMARY KEY,
        ended BOOLEAN NOT NULL,
        server TEXT NOT NULL -- who stored its last entry, or has claimed it since
    );
    CREATE INDEX unfinished ON tables (table_id) WHERE NOT ended;
    CREATE TABLE servers (id TEXT PRIMARY KEY, until TIMESTAMPTZ NOT NULL); -- a lease (Gray and Cheriton, 1989)
    CREATE TABLE illusion_schema (version INTEGER NOT NULL);
"""
LAYOUT: Final = Layout(VERSION, SCHEMA, {})
LOG: Final = logging.getLogger("illusion")

SCHEMA_LOCK: Final = 0x111051
"""The advisory lock held while the layout is made or changed."""
IN_USE: Final = 0x111052
BATCH: Final = 1000
"""Rows in memory at once."""
NOT_OURS: Final = "its layout is not one that this Illusion knows"
OLDER: Final = "its layout is of an older Illusion: start this one, which copies it and then changes it"

OWN_TABLES: Final = """
    SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r'
    AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('illusion_schema'))
"""
SIZE: Final = f"SELECT sum(pg_total_relation_size(name::REGCLASS)) FROM ({OWN_TABLES}) AS t (name)"  # noqa: S608  # nosec B608
LOGS: Final = """
    SELECT table_id, seq, entry, CASE WHEN seq = 1 AND NOT ended THEN 1 END
    FROM log JOIN tables USING (table_id) ORDER BY table_id, seq
"""
TABLES: Final = """
    INSERT INTO tables SELECT table_id, NOT table_id = ANY ($1::TEXT[]), '' FROM log WHERE seq = 1
"""


class SharedOutlook(NamedTuple):
    """What opening a database with this version of the program would do."""

    version: int
    """The version of its layout; 0 for an empty database."""
    steps: Sequence[int]
    """The versions that it would be upgraded to, in order."""
    tables: int
    size: int
    """Bytes for a copy."""


async def outlook(url: str) -> SharedOutlook:
    """Checks a database without changing anything. Raises CannotOpen for a layout that this version cannot use."""
    async with _connected(url) as connection:
        version = await _version(connection)
        if not version:
            return SharedOutlook(0, (), 0, 0)
        steps = LAYOUT.steps_from(version)
        tables = await connection.fetchval("SELECT count(*) FROM log WHERE seq = 1 AND table_id NOT LIKE '%-%'")
        size = await connection.fetchval(SIZE)
        return SharedOutlook(version, steps, tables, int(size))


async def join(connection: Connection) -> None:
    """Share a database from now on, as long as the connection lasts; an empty one gets its layout.

    Raises CannotOpen for another layout: also when a connection comes back and somebody changed it meanwhile.
    """
    await connection.execute("SELECT pg_advisory_lock_shared($1)", IN_USE)
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", SCHEMA_LOCK)
        version = await _version(connection)
        if not version:
            await _make(connection)
        elif LAYOUT.steps_from(version):
            raise CannotOpen(OLDER)
        await connection.execute("DELETE FROM servers WHERE until < clock_timestamp() - INTERVAL '1 day'")


def upgrade(url: str) -> None:
    """Upgrade a database to the current layout, after copying it, in one transaction. Raises CannotOpen."""
    with ThreadPoolExecutor(1) as thread:  # in this one an event loop may run
        thread.submit(asyncio.run, _upgrade(url)).result()


async def _upgrade(url: str) -> None:
    async with _connected(url) as connection, connection.transaction():
        if not await _steps(connection):
            return
        await connection.execute("SELECT pg_advisory_xact_lock($1)", SCHEMA_LOCK)
        steps = await _steps(connection)  # another server may have been first
        if not steps:
            return
        await _alone(connection)
        aside = await _new_schema(connection, f"before_schema_{steps[-1]}")
        for name in await _own_tables(connection):
            await connection.execute(f"CREATE TABLE {aside}.{name} (LIKE {name} INCLUDING ALL)")
            await connection.execute(f"INSERT INTO {aside}.{name} SELECT * FROM {name}")  # noqa: S608  # nosec B608
        try:
            for step in steps:
                await connection.execute(LAYOUT.upgrades[step])
                await connection.execute("UPDATE illusion_schema SET version = $1", step)
        except asyncpg.PostgresError as error:
            raise CannotOpen(f"it could not be brought to schema {steps[-1]}, and is as it was: {error}") from None
    LOG.warning("database-upgraded")


async def backup(url: str, target: str) -> None:
    """Write all logs of one moment into a new SQLite database, while people play. Raises CannotOpen."""
    sqlite_layout.make_new(target)
    async with _connected(url) as connection, connection.transaction(isolation="repeatable_read", readonly=True):
        version = await _version(connection)
        if not version:
            raise CannotOpen("it holds no tables of Illusion")
        if LAYOUT.steps_from(version):
            raise CannotOpen(OLDER)
        with closing(connected(target, "mode=rw")) as file, file:
            file.execute("BEGIN")
            rows = list[asyncpg.Record]()
            async for row in connection.cursor(LOGS, prefetch=BATCH):
                rows.append(row)
                if len(rows) == BATCH:
                    file.executemany(sqlite_layout.INSERT, rows)
                    rows.clear()
            file.executemany(sqlite_layout.INSERT, rows)
    check_pages(target)


async def restore(url: str, source: str) -> str | None:
    """Put the tables of an SQLite file in place of what is there; returns the schema where that is kept, if any was.

    Raises CannotOpen, having changed nothing, also if a server uses the database.
    """
    async with _connected(url) as connection, connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", SCHEMA_LOCK)
        await _alone(connection)
        aside = None
        if own := await _own_tables(connection):
            aside = await _new_schema(connection, f"before_{datetime.now(UTC):%Y_%m_%d_%H%M}")
            for name in own:
                await connection.execute(f"ALTER TABLE {name} SET SCHEMA {aside}")
        await _make(connection)
        with closing(connected(source, "mode=ro")) as file:
            rows = file.execute("SELECT table_id, seq, entry FROM log")
            await connection.copy_records_to_table("log", records=rows)
            unfinished = [table for (table,) in file.execute("SELECT table_id FROM log WHERE unfinished")]
        await connection.execute(TABLES, unfinished)
        return aside


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Connection]:
    """A connection of its own. Whatever fails raises CannotOpen."""
    try:
        connection = await asyncpg.connect(url)
        try:
            yield connection
        finally:
            await connection.close(timeout=1)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
        raise CannotOpen(str(error) or "PostgreSQL does not answer") from None
    except ValueError as error:
        raise CannotOpen(f"its address is not valid: {error}") from None


async def _version(connection: Connection) -> int:
    """The version of the layout, 0 if there is none. Raises CannotOpen for another program's tables."""
    if not await _own_tables(connection):
        return 0
    version: int | None = await connection.fetchval("SELECT version FROM illusion_schema")
    if not version:
        raise CannotOpen(NOT_OURS)
    return version


async def _steps(connection: Connection) -> Sequence[int]:
    version = await _version(connection)
    return LAYOUT.steps_from(version) if version else ()


async def _own_tables(connection: Connection) -> list[str]:
    """The names of our tables, of whatever version. Raises CannotOpen for another program's."""
    own = [name for (name,) in await connection.fetch(OWN_TABLES)]
    if not own and await connection.fetchval("SELECT to_regclass('log')") is not None:
        raise CannotOpen(NOT_OURS)
    return own


async def _make(connection: Connection) -> None:
    await connection.execute(LAYOUT.schema)
    await connection.execute("INSERT INTO illusion_schema VALUES ($1)", LAYOUT.version)


async def _alone(connection: Connection) -> None:
    """Nobody else may open the database until the transaction ends. Raises CannotOpen if somebody has."""
    if not await connection.fetchval("SELECT pg_try_advisory_xact_lock($1)", IN_USE):
        raise CannotOpen("another Illusion is using it; end all that do first")


async def _new_schema(connection: Connection, name: str) -> str:
    """An empty schema of that name, with a number appended if it is taken."""
    taken = {each for (each,) in await connection.fetch("SELECT nspname FROM pg_namespace")}
    free = next(each for each in (name, *(f"{name}_{n}" for n in range(2, 1000))) if each not in taken)
    await connection.execute(f"CREATE SCHEMA {free}")
    return free

"""The schema of the PostgreSQL store and its migrations."""

from typing import Final

import asyncpg

from illusion.tables.stores.migrations import missing

SCHEMA: Final = (
    """
    CREATE TABLE tables (
        table_id TEXT COLLATE "C" PRIMARY KEY,
        seq INTEGER NOT NULL,
        ended BOOLEAN NOT NULL,
        driver TEXT
    ) WITH (fillfactor = 70);
    CREATE INDEX unfinished ON tables (table_id) WHERE NOT ended;

    CREATE TABLE log (
        table_id TEXT COLLATE "C" NOT NULL,
        seq INTEGER NOT NULL,
        entry BYTEA NOT NULL,
        PRIMARY KEY (table_id, seq)
    );

    CREATE TABLE drivers (id TEXT PRIMARY KEY, until TIMESTAMPTZ NOT NULL);

    -- A group of appends to different tables in one transaction; returns the tables whose number was the next one.
    -- The rows of `tables` are locked in one order everywhere, so two groups never wait for each other in a circle.
    CREATE FUNCTION append_group(
        ids TEXT[], firsts INTEGER[], counts INTEGER[], ends BOOLEAN[], owners TEXT[], seqs INTEGER[], entries BYTEA[]
    ) RETURNS TEXT[] LANGUAGE plpgsql AS $$
    DECLARE stored TEXT[];
    BEGIN
        PERFORM FROM tables WHERE table_id = ANY (ids) ORDER BY table_id FOR UPDATE;
        WITH asked AS (
            SELECT * FROM unnest(ids, firsts, counts, ends) AS asked (id, first, count, ends)
        ), opened AS (
            INSERT INTO tables (table_id, seq, ended)
            SELECT id, count, asked.ends FROM asked WHERE first = 1 ORDER BY id COLLATE "C"
            ON CONFLICT DO NOTHING RETURNING table_id
        ), grown AS (
            UPDATE tables SET seq = seq + count, ended = ended OR asked.ends
            FROM asked WHERE table_id = id AND first > 1 AND seq = first - 1 RETURNING table_id
        ) SELECT array_agg(table_id) INTO stored FROM (TABLE opened UNION ALL TABLE grown) AS fresh;
        INSERT INTO log SELECT * FROM unnest(owners, seqs, entries) AS made (owner, seq, entry)
        WHERE owner = ANY (stored);
        RETURN stored;
    END $$;
    """,
    # A table is free when it has no driver; before, when its driver was not in `drivers`.
    "UPDATE tables SET driver = NULL WHERE driver NOT IN (SELECT id FROM drivers)",
    # Whoever opens a table drives it. A driver's row is locked before rows of `tables`, everywhere: either a table that
    # is being opened is seen by whoever strikes its driver out, or the opener sees that it was struck out. Each
    # statement of a function sees what was committed before it, which the parts of one statement do not.
    """
    CREATE FUNCTION append_group(
        opener TEXT,
        ids TEXT[], firsts INTEGER[], counts INTEGER[], ends BOOLEAN[], owners TEXT[], seqs INTEGER[], entries BYTEA[]
    ) RETURNS TEXT[] LANGUAGE plpgsql AS $$
    DECLARE stored TEXT[]; driving TEXT;
    BEGIN
        IF 1 = ANY (firsts) THEN
            SELECT id INTO driving FROM drivers WHERE id = opener AND until > clock_timestamp() FOR KEY SHARE;
        END IF;
        PERFORM FROM tables WHERE table_id = ANY (ids) ORDER BY table_id FOR UPDATE;
        WITH asked AS (
            SELECT * FROM unnest(ids, firsts, counts, ends) AS asked (id, first, count, ends)
        ), opened AS (
            INSERT INTO tables (table_id, seq, ended, driver)
            SELECT id, count, asked.ends, driving FROM asked WHERE first = 1 ORDER BY id COLLATE "C"
            ON CONFLICT DO NOTHING RETURNING table_id
        ), grown AS (
            UPDATE tables SET seq = seq + count, ended = ended OR asked.ends
            FROM asked WHERE table_id = id AND first > 1 AND seq = first - 1 RETURNING table_id
        ) SELECT array_agg(table_id) INTO stored FROM (TABLE opened UNION ALL TABLE grown) AS fresh;
        INSERT INTO log SELECT * FROM unnest(owners, seqs, entries) AS made (owner, seq, entry)
        WHERE owner = ANY (stored);
        RETURN stored;
    END $$;

    -- Strike out one driver or, without a name, all whose lease has expired; their tables are free.
    CREATE FUNCTION strike_out(name TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
    DECLARE gone TEXT[];
    BEGIN
        WITH struck AS (
            DELETE FROM drivers WHERE id = name OR (name IS NULL AND until < clock_timestamp()) RETURNING id
        ) SELECT array_agg(id) INTO gone FROM struck;
        IF gone IS NOT NULL THEN
            PERFORM FROM tables WHERE NOT ended AND driver = ANY (gone) ORDER BY table_id FOR UPDATE;
            UPDATE tables SET driver = NULL WHERE NOT ended AND driver = ANY (gone);
        END IF;
    END $$;

    -- Tables of one driver are another one's from now on, or free where that one's lease has ended.
    CREATE FUNCTION hand_over(giver TEXT, ids TEXT[], takers TEXT[]) RETURNS VOID LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM FROM drivers WHERE id = ANY (takers) ORDER BY id FOR KEY SHARE;
        PERFORM FROM tables WHERE table_id = ANY (ids) ORDER BY table_id FOR UPDATE;
        UPDATE tables SET driver = (SELECT id FROM drivers WHERE id = given.taker AND until > clock_timestamp())
        FROM unnest(ids, takers) AS given (table_id, taker)
        WHERE tables.table_id = given.table_id AND driver = giver AND NOT ended;
    END $$;
    """,
)

MIGRATION_LOCK: Final = 0x111051
"""The advisory lock held during a migration."""


async def migrate(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """All missing migrations in one transaction, by one process at a time; the others wait and find nothing to do."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
        await connection.execute("CREATE TABLE IF NOT EXISTS illusion_schema (version INTEGER NOT NULL)")
        version = await connection.fetchval("SELECT version FROM illusion_schema") or 0
        for script in missing(SCHEMA, version):
            await connection.execute(script)
        if version < len(SCHEMA):
            await connection.execute("DELETE FROM illusion_schema")
            await connection.execute("INSERT INTO illusion_schema VALUES ($1)", len(SCHEMA))

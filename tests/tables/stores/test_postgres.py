"""What PostgreSQL promises beyond the contract: claims that pass on, hints, schema versions, lost answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
from harness.postgres import Cluster
from harness.tables.stores import open_store

from illusion.tables import CannotOpen, Stale, Store, StoreFailed, store_at
from illusion.tables.stores.base import Hint
from illusion.tables.stores.postgres.store import CLAIM_ANY, PostgresStore

FROM_GATE = "SELECT table_id FROM gate, tables"
WAITING_FOR_A_LOCK = "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@asynccontextmanager
async def connected(database: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(database)
    try:
        yield connection
    finally:
        await connection.close()


async def test_a_table_is_driven_by_one_process_until_it_stops(postgres: str) -> None:
    async with open_store(postgres) as one:
        async with open_store(postgres) as other:
            for n in range(10):
                await one.append(f"t{n}", 1, [b"a"])
            claims = await asyncio.gather(one.claim(others=100), other.claim(others=100))
            taken = [table for claim in claims for table in claim.tables]
            assert len(taken) == len(set(taken))
            rest = await asyncio.gather(one.claim(others=100), other.claim(others=100))
            taken += [table for claim in rest for table in claim.tables]
            assert sorted(taken) == [f"t{n}" for n in range(10)]
            others = {table for claim in (claims[1], rest[1]) for table in claim.tables}
        assert set((await one.claim(others=100)).tables) == others  # it has stopped, so they are free at once


async def test_a_claim_that_began_earlier_takes_nothing_from_one_that_ended_sooner(postgres: str) -> None:
    """Another process registers and claims while this claim, begun before, waits for its first row."""
    async with open_store(postgres) as one, connected(postgres) as slow, connected(postgres) as gate:
        await one.append("t", 1, [b"a"])
        await slow.execute("INSERT INTO drivers VALUES ('slow', clock_timestamp() + INTERVAL '1 minute')")
        waits = "SELECT pg_advisory_xact_lock_shared(7)"
        slowly = CLAIM_ANY.replace("SELECT table_id FROM tables", f"WITH gate AS MATERIALIZED ({waits}) {FROM_GATE}")
        await gate.execute("SELECT pg_advisory_lock(7)")
        claiming = asyncio.create_task(slow.fetch(slowly, "slow", 10))
        async with asyncio.timeout(20):
            while not await gate.fetchval(f"SELECT count(*) {WAITING_FOR_A_LOCK}"):
                await asyncio.sleep(0.01)
        assert (await one.claim(others=100)).tables == ["t"]
        await gate.execute("SELECT pg_advisory_unlock(7)")
        assert await claiming == []


async def test_a_process_that_falls_silent_loses_its_claims_for_good(postgres: str) -> None:
    silent, other = PostgresStore(postgres, lease_s=0.2), PostgresStore(postgres)
    await silent.open()
    await other.open()
    await silent.append("t", 1, [b"a"])
    assert (await silent.claim(others=100)).tables == ["t"]
    assert (await other.claim(others=100)).tables == []
    async with asyncio.timeout(20):
        while not (taken := await other.claim(others=100)).tables:
            await asyncio.sleep(0.05)
    assert taken.tables == ["t"]
    woken = await silent.claim(others=100)
    assert (woken.tables, woken.renewed_too_late) == ([], True)
    await silent.close()
    await other.close()


async def test_an_id_that_postgresql_refuses_fails_for_nobody_else(postgres: str) -> None:
    """N4: text has no NUL there, and reads are asked together."""
    async with open_store(postgres) as store:
        await asyncio.gather(*(store.append(f"t{n}", 1, [b"a"]) for n in range(3)))
        reads = await asyncio.gather(
            *(store.read(table) for table in ("t0", "t\0", "t1", "\ud800", "t2")), return_exceptions=True
        )
    assert reads[::2] == [[b"a"]] * 3
    assert [type(read) for read in reads[1::2]] == [StoreFailed] * 2


async def test_a_hint_reaches_the_other_process(postgres: str) -> None:
    async with open_store(postgres) as one, open_store(postgres) as other:
        heard: asyncio.Queue[Hint] = asyncio.Queue()
        other.on_remote_append = heard.put_nowait
        async with asyncio.timeout(20):
            while heard.empty():  # the other one may not have begun to listen
                await one.append("again", 1 + len(await one.read("again")), [b"a"])
                await asyncio.sleep(0.05)
            await one.append("t", 1, [b"a", b"b", b"c"])
            while (hint := await heard.get()).table == "again":
                pass
            assert hint == ("t", 3, "", False)  # it has no name, since it has claimed nothing
            await one.append("t", 4, [b"d"], ended=True)
            assert await heard.get() == ("t", 4, "", True)


async def test_hints_of_many_tables_at_once_all_arrive(postgres: str) -> None:
    """They are more than one notification can carry."""
    async with open_store(postgres) as one, open_store(postgres) as other:
        heard: set[str] = set()
        own: list[str] = []
        one.on_remote_append = lambda hint: own.append(hint.table)
        other.on_remote_append = lambda hint: heard.add(hint.table)
        names = {f"{n:040}" for n in range(500)}
        async with asyncio.timeout(20):
            while "first" not in heard:  # the other one may not have begun to listen
                await one.append("first", 1 + len(await one.read("first")), [b"a"])
                await asyncio.sleep(0.05)
            await asyncio.gather(*(one.append(name, 1, [b"a"]) for name in names))
            while len(heard) <= len(names):
                await asyncio.sleep(0.02)
        assert heard == names | {"first"}
        assert own == []  # nobody is told of what they wrote themselves


async def test_whoever_opens_a_table_drives_it(postgres: str) -> None:
    async with open_store(postgres) as one, open_store(postgres) as other:
        for store in (one, other):
            await store.claim()
        await one.append("t", 1, [b"a"])
        await one.append("ended", 1, [b"a", b"z"], ended=True)
        assert (await other.claim(["t"], 100)).tables == []
        assert (await one.claim()).tables == ["t"]
        assert (await one.claim()).tables == []


async def test_whoever_opens_a_table_when_its_lease_is_gone_leaves_it_free(postgres: str) -> None:
    """Nobody would ever strike out a driver that is struck out already."""
    silent = PostgresStore(postgres, lease_s=0.05)
    await silent.open()
    async with open_store(postgres) as other:
        await silent.claim()
        await asyncio.sleep(0.1)
        await other.claim()
        await silent.append("t", 1, [b"a"])
        assert (await other.claim(["t"])).tables == ["t"]
        assert (await silent.claim(["t"])).tables == []
    await silent.close()


async def test_a_table_that_is_opened_while_its_driver_is_struck_out_becomes_free(postgres: str) -> None:
    """Whoever strikes it out waits for the one that opens, and then sees the new table."""
    async with open_store(postgres) as other, connected(postgres) as opener, connected(postgres) as observer:
        await opener.execute("INSERT INTO drivers VALUES ('late', clock_timestamp() + INTERVAL '1 second')")
        async with opener.transaction():
            await opener.execute("SELECT append_group('late', '{t}', '{1}', '{1}', '{false}', '{t}', '{1}', '{a}')")
            await asyncio.sleep(1.1)
            striking = asyncio.create_task(other.claim())
            async with asyncio.timeout(20):
                while not await observer.fetchval(f"SELECT count(*) {WAITING_FOR_A_LOCK}"):
                    await asyncio.sleep(0.02)
        await striking
        assert (await other.claim(["t"])).tables == ["t"]


async def test_a_table_is_handed_over_by_its_driver_alone_and_to_one_that_lives(postgres: str) -> None:
    async with open_store(postgres) as one, open_store(postgres) as other, open_store(postgres) as third:
        names: dict[str, str] = {}
        third.on_remote_append = lambda hint: names.update({hint.table: hint.writer})
        for store in (one, other, third):
            await store.claim()
        async with asyncio.timeout(20):
            while len(names) < 2:
                for name, store in (("one", one), ("other", other)):
                    await store.append(name, 1 + len(await store.read(name)), [b"a"])
                await asyncio.sleep(0.05)
        await one.append("t", 1, [b"a"])
        await one.append("u", 1, [b"a"])
        await third.hand_over({"t": names["other"]})
        assert "t" not in (await other.claim(["t"])).tables  # it was not the third one's to give
        await one.hand_over({"t": names["other"], "u": "nobody"})
        assert (await other.claim(["t"])).tables == ["t"]
        assert (await third.claim(["t", "u"])).tables == ["u"]


async def test_a_database_of_a_newer_version_is_left_alone(postgres: str) -> None:
    async with open_store(postgres):
        pass
    async with connected(postgres) as connection:
        await connection.execute("UPDATE illusion_schema SET version = 99")
    with pytest.raises(CannotOpen, match=r"made by a newer Illusion \(schema 99"):
        await store_at(postgres).open()


async def test_an_answer_that_was_lost_counts_if_the_entry_is_there(cluster: Cluster, postgres: str) -> None:
    """All connections are cut again and again while numbers are written; each is stored once, in order."""
    written, cuts = 0, 0

    async def write(store: Store) -> None:
        nonlocal written
        while cuts < 12:  # however fast or slow the machine is
            await store.append("t", written + 1, [b"%d" % (written + 1)])
            written += 1

    async with open_store(postgres) as store:
        writing = asyncio.create_task(write(store))
        while cuts < 12:
            await asyncio.to_thread(cluster.cut, postgres)
            cuts += 1
            seen = written
            while written < seen + 3 and not writing.done():
                await asyncio.sleep(0.01)
        await writing
        assert await store.read("t") == [b"%d" % n for n in range(1, written + 1)]


async def test_what_another_wrote_while_the_answer_was_lost_is_stale(postgres: str) -> None:
    """Our append waits for a lock and loses its connection; it is sent again, after another process has written."""
    ours = PostgresStore(postgres, retry_s=60)
    await ours.open()
    await ours.append("t", 1, [b"a"])
    async with connected(postgres) as other, connected(postgres) as observer:
        async with other.transaction():
            await other.execute("LOCK TABLE tables IN EXCLUSIVE MODE")
            appending = asyncio.create_task(ours.append("t", 2, [b"ours"]))
            async with asyncio.timeout(20):
                while not await observer.fetchval(f"SELECT count(*) {WAITING_FOR_A_LOCK}"):
                    await asyncio.sleep(0.02)
            await observer.execute(f"SELECT pg_terminate_backend(pid) {WAITING_FOR_A_LOCK}")
            await other.execute("SELECT append_group('{t}', '{2}', '{1}', '{false}', '{t}', '{2}', '{theirs}')")
        with pytest.raises(Stale):
            await appending
        assert await ours.read("t") == [b"a", b"theirs"]
    await ours.close()

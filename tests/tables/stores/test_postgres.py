"""What the shared store promises beside the contract: claims that go over, hints, versions, lost answers."""

import asyncio

import asyncpg
import pytest
from harness.postgres import Cluster

from illusion.tables import CannotOpen, Stale, store_at
from illusion.tables.stores.postgres.store import PostgresStore
from tests.tables.stores.test_contract import opened


def test_a_table_is_driven_by_one_process_until_it_stops(postgres: str) -> None:
    async def story() -> None:
        async with opened(postgres) as one:
            async with opened(postgres) as other:
                for n in range(10):
                    await one.append(f"t{n}", 1, [b"a"])
                claims = await asyncio.gather(one.claim(), other.claim())
                taken = [table for claim in claims for table in claim.tables]
                assert len(taken) == len(set(taken))
                rest = await asyncio.gather(one.claim(), other.claim())
                taken += [table for claim in rest for table in claim.tables]
                assert sorted(taken) == [f"t{n}" for n in range(10)]
                others = {table for claim in (claims[1], rest[1]) for table in claim.tables}
            assert set((await one.claim()).tables) == others  # it has stopped, so they are free at once

    asyncio.run(story())


def test_a_process_that_falls_silent_loses_its_claims_for_good(postgres: str) -> None:
    async def story() -> None:
        silent, other = PostgresStore(postgres, lease=0.2), PostgresStore(postgres)
        await silent.open()
        await other.open()
        await silent.append("t", 1, [b"a"])
        assert (await silent.claim()).tables == ["t"]
        assert (await other.claim()).tables == []
        while not (taken := await other.claim()).tables:
            await asyncio.sleep(0.05)
        assert taken.tables == ["t"]
        woken = await silent.claim()
        assert (woken.tables, woken.anew) == ([], True)
        await silent.close()
        await other.close()

    asyncio.run(story())


def test_a_hint_reaches_the_other_process(postgres: str) -> None:
    async def story() -> None:
        async with opened(postgres) as one, opened(postgres) as other:
            heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
            other.on_remote_append = lambda table, seq: heard.put_nowait((table, seq))
            await one.append("early", 1, [b"a"])
            while heard.empty():  # the other one may not have begun to listen
                await one.append("again", 1 + len(await one.read("again")), [b"a"])
                await asyncio.sleep(0.05)
            await one.append("t", 1, [b"a", b"b", b"c"])
            async with asyncio.timeout(20):
                while await heard.get() != ("t", 3):
                    pass

    asyncio.run(story())


def test_hints_of_many_tables_at_once_all_arrive(postgres: str) -> None:
    """More than one notice can carry."""

    async def story() -> None:
        async with opened(postgres) as one:
            heard: set[str] = set()
            one.on_remote_append = lambda table, _: heard.add(table)
            await one.append("first", 1, [b"a"])
            while "first" not in heard:
                await asyncio.sleep(0.02)
            names = {f"{n:040}" for n in range(500)}
            await asyncio.gather(*(one.append(name, 1, [b"a"]) for name in names))
            async with asyncio.timeout(20):
                while not names <= heard:
                    await asyncio.sleep(0.02)

    asyncio.run(story())


def test_a_database_of_a_newer_version_is_left_alone(postgres: str) -> None:
    async def story() -> None:
        async with opened(postgres):
            pass
        connection = await asyncpg.connect(postgres)
        await connection.execute("UPDATE illusion_schema SET version = 99")
        await connection.close()
        with pytest.raises(CannotOpen, match=r"made by a newer Illusion \(schema 99"):
            await store_at(postgres).open()

    asyncio.run(story())


def test_an_answer_that_was_lost_counts_if_the_entry_is_there(cluster: Cluster, postgres: str) -> None:
    """Every connection is cut again and again while numbers are written; each is stored once, in order."""

    async def story() -> None:
        async with opened(postgres) as store:
            writing = asyncio.create_task(_write(store, 300))
            cuts = 0
            while not writing.done():
                await asyncio.to_thread(cluster.cut, postgres)
                await asyncio.sleep(0.05)
                cuts += 1
            await writing
            assert cuts > 1
            assert await store.read("t") == [b"%d" % n for n in range(1, 301)]

    async def _write(store: object, count: int) -> None:
        assert isinstance(store, PostgresStore)
        for n in range(1, count + 1):
            await store.append("t", n, [b"%d" % n])

    asyncio.run(story())


def test_what_another_wrote_while_the_answer_was_lost_is_stale(postgres: str) -> None:
    async def story() -> None:
        async with opened(postgres) as one, opened(postgres) as other:
            assert isinstance(one, PostgresStore)
            await one.append("t", 1, [b"a"])
            await other.append("t", 2, [b"theirs"])
            one._writing._hang_up()
            with pytest.raises(Stale):
                await one.append("t", 2, [b"ours"])

    asyncio.run(story())

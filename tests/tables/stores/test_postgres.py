"""What PostgreSQL promises beyond the contract: leases that pass on, hints, schema versions, lost answers."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from harness.postgres import Cluster, connected
from harness.tables.services import open_store
from harness.wire import wire_to

from illusion.tables import CannotOpen, Stale, Store, StoreFailed, store_at
from illusion.tables.stores import Hint
from illusion.tables.stores import postgres as postgres_module
from illusion.tables.stores.postgres import PostgresStore

WAITING_FOR_A_LOCK = "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


async def until(holds: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(20):
        while not await holds():
            await asyncio.sleep(0.02)


class Ears:
    """Notes what other servers are said to have done."""

    def __init__(self) -> None:
        self.hints: asyncio.Queue[Hint] = asyncio.Queue()
        self.messages: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()

    def appended(self, hint: Hint) -> None:
        self.hints.put_nowait(hint)

    def message(self, table: str, message: bytes) -> None:
        self.messages.put_nowait((table, message))


async def test_tables_of_a_server_that_stops_are_free_at_once_and_each_is_claimed_once(postgres: str) -> None:
    names = [f"t{n}" for n in range(40)]
    async with open_store(postgres) as first:
        await first.claim()
        for name in names:
            await first.append(name, 1, [b"a"])
        async with open_store(postgres) as one:
            assert await one.claim(names, others=100) == []
    async with open_store(postgres) as one, open_store(postgres) as other:
        claimed: list[str] = []
        while len(claimed) < len(names):
            for some in await asyncio.gather(one.claim(names[:9], others=3), other.claim(names[5:], others=2)):
                claimed += some
            claimed = list(dict.fromkeys(claimed))  # one may be told again of its own
        for store in (one, other):
            assert await store.claim(others=100) == []


async def test_hints_reach_the_other_server_alone(cluster: Cluster, postgres: str) -> None:
    """All of many at once, and those after PostgreSQL cut all connections and somebody asked for anything."""
    here, there, names = Ears(), Ears(), [f"{n:040}" for n in range(500)]
    async with open_store(postgres, here) as one, open_store(postgres, there) as other, asyncio.timeout(20):
        await one.append("t", 1, [b"a", b"b", b"c"])
        await one.append("t", 4, [b"d"], ended=True)
        one.send_message("t", b'{"wow": 1}')
        assert [await there.hints.get() for _ in range(2)] == [Hint("t", 3), Hint("t", 4, ended=True)]
        assert await there.messages.get() == ("t", b'{"wow": 1}')
        await asyncio.gather(*(one.append(name, 1, [b"a"]) for name in names))
        assert {(await there.hints.get()).table for _ in names} == set(names)
        await asyncio.to_thread(cluster.cut, postgres)
        assert await other.unfinished() == 500
        await one.append(names[0], 2, [b"b"])
        assert await there.hints.get() == Hint(names[0], 2)
    assert here.hints.empty()
    assert here.messages.empty()


async def test_a_database_of_another_layout_is_refused(postgres: str) -> None:
    async with open_store(postgres):
        pass
    for change, sentence in (
        ("UPDATE illusion_schema SET version = 99", r"made by a newer Illusion \(schema 99"),
        ("UPDATE illusion_schema SET version = 1", "its layout is not one that this Illusion knows"),
        ("DROP TABLE illusion_schema", "its layout is not one that this Illusion knows"),
    ):
        async with connected(postgres) as connection:
            await connection.execute(change)
        with pytest.raises(CannotOpen, match=sentence):
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
    """Our append waits for another server's, and loses its connection; it is sent again when that one is stored."""
    ours = PostgresStore(postgres, patience_s=60)
    await ours.open()
    await ours.append("t", 1, [b"a"])
    async with connected(postgres) as other, connected(postgres) as observer:
        async with other.transaction():
            await other.execute("INSERT INTO log VALUES ('t', 2, 'theirs')")
            appending = asyncio.ensure_future(ours.append("t", 2, [b"ours", b"ours, too"]))
            await until(lambda: observer.fetchval(f"SELECT count(*) {WAITING_FOR_A_LOCK}"))
            await observer.execute(f"SELECT pg_terminate_backend(pid) {WAITING_FOR_A_LOCK}")
        with pytest.raises(Stale):
            await appending
        assert await ours.read("t") == [b"a", b"theirs"]
    await ours.close()


async def test_a_caller_that_hangs_up_or_asks_for_an_impossible_id_does_not_break_the_connection(postgres: str) -> None:
    def pids() -> Awaitable[list[int]]:
        sql = "SELECT array_agg(pid ORDER BY pid) FROM pg_stat_activity WHERE datname = current_database()"
        return observer.fetchval(sql)

    async with open_store(postgres) as store, connected(postgres) as observer:
        await store.append("t", 1, [b"a"])
        before = await pids()
        for turns in range(8):
            reading = asyncio.ensure_future(store.read("t"))
            for _ in range(turns):
                await asyncio.sleep(0)
            reading.cancel()
        assert await store.read("t") == [b"a"]
        assert await pids() == before
        told = await asyncio.gather(store.read("t"), store.read("a\0b"), store.read("t"), return_exceptions=True)
        assert [type(each) for each in told] == [list, StoreFailed, list]


async def test_everybody_who_waits_for_a_postgresql_that_hangs_is_told_at_once(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after another would wait for longer than this test."""
    with wire_to(cluster.port) as wire:
        store = PostgresStore(cluster.database().replace(f":{cluster.port}/", f":{wire.port}/"), patience_s=0)
        await store.open()
        await store.append("t", 1, [b"a"])
        wire.freeze()
        asked = [store.append("t", 2, [b"b"]), *(store.read("t") for _ in range(50))]
        with monkeypatch.context() as hasty:
            hasty.setattr(postgres_module, "ANSWER_TIMEOUT_S", 1.0)
            async with asyncio.timeout(40):
                assert {type(told) for told in await asyncio.gather(*asked, return_exceptions=True)} == {StoreFailed}
        wire.mend()
        assert (await store.read("t"))[:1] == [b"a"]
        await store.close()

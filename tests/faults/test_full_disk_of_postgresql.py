"""PostgreSQL without room, for its tables or even for its own log: a clear error, no loss, and on again with room."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from subprocess import CalledProcessError

import pytest
from harness.crowd import Crowd
from harness.disks import Disk
from harness.postgres import Cluster
from harness.servers import Server

from tests.faults.serving import complained_of_its_store_alone, served

TABLES = 6
MEGABYTES = 96
"""TableCache for a cluster with one database of ours, and for an evening of moves."""


@pytest.fixture
def disk() -> Iterator[Disk]:
    disk = Disk(MEGABYTES)
    yield disk
    disk.remove()


@pytest.fixture
def cramped(disk: Disk) -> Iterator[Cluster]:
    """A cluster that lies on the small disk as a whole."""
    cluster = Cluster(disk.folder / "data")
    yield cluster
    cluster.remove()


def test_tables_that_cannot_grow(disk: Disk, cramped: Cluster) -> None:
    """PostgreSQL stays up and says no, so who asks is told at once, and everybody can still look on."""

    async def story(server: Server) -> None:
        async with Crowd(server.url, TABLES) as crowd:
            await crowd.more(20)
            await asyncio.to_thread(cramped.sql, "SELECT pg_switch_wal()")  # its own log has a whole new file left
            await crowd.more(20)
            disk.fill()
            await refused(crowd, 20)
            for table in (evening.table for evening in crowd.evenings if evening.ears):
                assert (await crowd.client.get(f"/api/tables/{table}")).status_code == 200
            assert cramped.process.poll() is None
            disk.free()
            await nothing_is_lost(crowd, server)

    with served(cramped.database()) as server:
        asyncio.run(story(server))


def test_a_write_ahead_log_that_cannot_grow(disk: Disk, cramped: Cluster) -> None:
    """PostgreSQL panics, cannot recover without room, and gives up; somebody starts it again when there is room."""

    async def story(server: Server) -> None:
        async with Crowd(server.url, TABLES) as crowd:
            await crowd.more(40)
            disk.fill()
            await asyncio.to_thread(use_up_log, disk, cramped)
            await refused(crowd, 1)
            disk.free()
            await asyncio.to_thread(cramped.start)
            await nothing_is_lost(crowd, server)

    with served(cramped.database(), "--workers", "2") as server:
        asyncio.run(story(server))


async def refused(crowd: Crowd, times: int) -> None:
    """Wait until so many more requests were told that the store failed; any other error would be raised here."""
    goal = crowd.refusals.get("store-failed", 0) + times
    await crowd.until(lambda: crowd.refusals.get("store-failed", 0) >= goal)


def use_up_log(disk: Disk, cluster: Cluster) -> None:
    """Begin new files of the log until there is none to be had; the moves that are made meanwhile need them."""
    while cluster.process.poll() is None:
        with suppress(CalledProcessError):
            cluster.sql("SELECT pg_switch_wal()")
        disk.fill()  # nor does anybody get what is thrown away in between
        time.sleep(0.05)


async def nothing_is_lost(crowd: Crowd, server: Server) -> None:
    """Play goes on by itself; then the server forgets all it knew, so that only what is stored can be told."""
    await crowd.more(40)
    await asyncio.to_thread(server.kill)
    complained_of_its_store_alone(server)
    assert server.said
    await asyncio.to_thread(server.start)
    crowd.newcomers()
    await crowd.more(10)
    await crowd.agree()

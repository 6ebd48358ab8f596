"""PostgreSQL without room, for its tables or even for its own log: a clear error, no loss, and on again with room."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from subprocess import CalledProcessError

import pytest
from harness.faults.crowd import Crowd
from harness.faults.disks import Disk
from harness.faults.serving import complained_of_its_store_alone, health_becomes, served
from harness.postgres import Cluster
from harness.servers import Server

TABLES = 6
MEGABYTES = 96
"""Enough for a cluster with one database of ours and some hundred moves."""


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


async def test_tables_that_cannot_grow(disk: Disk, cramped: Cluster) -> None:
    """PostgreSQL stays up and refuses to write, so clients get an error at once and everybody can still look on."""
    with served(cramped.database()) as server:
        async with Crowd(TABLES, server.url) as crowd:
            await crowd.more(20)
            await asyncio.to_thread(cramped.sql, "SELECT pg_switch_wal()")  # its own log has a whole new file left
            await crowd.more(20)
            disk.fill()
            await refused(crowd, 20)
            await asyncio.to_thread(health_becomes, server, 503)
            for table in (evening.table for evening in crowd.evenings if evening.ears):
                assert (await crowd.client().get(f"/api/tables/{table}")).status_code == 200
            assert cramped.process.poll() is None
            disk.free()
            await asyncio.to_thread(health_becomes, server, 200)
            await play_on_and_restart(crowd, server)
            assert await crowd.agree() >= TABLES


async def test_a_write_ahead_log_that_cannot_grow(disk: Disk, cramped: Cluster) -> None:
    """PostgreSQL panics, cannot recover without room, and gives up; somebody starts it again when there is room."""
    with served(cramped.database()) as server:
        async with Crowd(TABLES, server.url) as crowd:
            await crowd.more(40)
            disk.fill()
            await asyncio.to_thread(use_up_log, disk, cramped)
            await refused(crowd, 1)
            disk.free()
            await asyncio.to_thread(cramped.start)
            await play_on_and_restart(crowd, server)
            assert await crowd.agree() >= TABLES


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


async def play_on_and_restart(crowd: Crowd, server: Server) -> None:
    """Play goes on by itself; then the server is killed, so that it knows only what is stored."""
    await crowd.more(40)
    await asyncio.to_thread(server.kill)
    complained_of_its_store_alone(server)
    assert server.said
    await asyncio.to_thread(server.start)
    crowd.newcomers()
    await crowd.more(10)

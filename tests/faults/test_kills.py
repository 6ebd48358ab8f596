"""Kill -9 at random moments under load: nothing acknowledged is lost, nothing happens twice, everybody comes back."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.faults.crowd import Crowd
from harness.faults.serving import served
from harness.postgres import Cluster
from harness.servers import Seat, Server, opened, play_beside_bots
from harness.sweeps import sweep

ROUNDS = sweep(2, 100)
TABLES = 6


async def kill_again_and_again(crowd: Crowd, *servers: Server) -> None:
    """In each round moves are made, and then a server dies; play goes on at the other one, if there is one."""
    rng = random.Random(ROUNDS)
    for _ in range(ROUNDS):
        await crowd.more(rng.randint(1, 60))
        await asyncio.sleep(rng.random() * 0.05)
        server = rng.choice(servers)
        await asyncio.to_thread(server.kill)
        if len(servers) > 1:
            await crowd.more(rng.randint(1, 30))
        await asyncio.to_thread(server.start)
    await crowd.more(20)


async def test_a_server_on_sqlite(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        async with Crowd(TABLES, server.url) as crowd:
            await kill_again_and_again(crowd, server)
            assert await crowd.agree() >= TABLES


async def test_two_servers_on_postgresql(postgres: str) -> None:
    """Without a proxy that would send the people of a table to the same one."""
    with served(postgres) as one, served(postgres) as other:
        async with Crowd(TABLES, one.url, other.url) as crowd:
            await kill_again_and_again(crowd, one, other)
            assert await crowd.agree() >= TABLES


@pytest.fixture
def mortal() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.remove()


async def test_postgresql_itself(mortal: Cluster) -> None:
    """Appends and reads wait for it to come back, so that the players hardly notice."""
    rng, database = random.Random(ROUNDS), mortal.database()
    with served(database) as one, served(database) as other:
        async with Crowd(TABLES, one.url, other.url) as crowd:
            for _ in range(max(2, ROUNDS // 5)):
                await crowd.more(rng.randint(1, 60))
                await asyncio.to_thread(mortal.kill)
                await asyncio.sleep(rng.random())
                await asyncio.to_thread(mortal.start)
            await crowd.more(20)
            assert await crowd.agree() >= TABLES


def test_bots_of_a_server_that_was_killed_are_moved_by_the_other_one(postgres: str) -> None:
    with served(postgres) as one, served(postgres) as other:
        (ana,) = opened(one, 3, bots=["keen", "casual"], variant="twelve-rounds")
        ana.post("start")
        play_beside_bots(ana, until_seq=15)
        one.kill()
        ana = Seat(other, ana.table, ana.token)
        play_beside_bots(ana, until_seq=10_000)
        assert ana.view()["over"]
        one.start()

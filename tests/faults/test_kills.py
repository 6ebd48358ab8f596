"""Kill -9 at random moments under load: nothing acknowledged is lost, nothing happens twice, everybody comes back."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from harness.faults.crowd import Crowd
from harness.faults.serving import served
from harness.postgres import Cluster
from harness.servers import Server
from harness.sweeps import sweep

ROUNDS = sweep(2, 100)
TABLES = 6


async def kill_again_and_again(crowd: Crowd, servers: list[Server]) -> None:
    """In each round moves are made, and then one of the servers dies and is started again a little later."""
    rng = random.Random(ROUNDS)
    for _ in range(ROUNDS):
        await crowd.more(rng.randint(1, 60))
        await asyncio.sleep(rng.random() * 0.05)
        server = rng.choice(servers)
        await asyncio.to_thread(server.kill)
        if len(servers) > 1:  # the others go on
            await crowd.more(rng.randint(0, 10))
        await asyncio.to_thread(server.start)
    await crowd.more(20)


async def test_a_server_on_sqlite(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        async with Crowd(TABLES, server.url) as crowd:
            await kill_again_and_again(crowd, [server])
            assert await crowd.agree() >= TABLES


async def test_one_of_two_servers_on_postgresql(postgres: str) -> None:
    with served(postgres) as one, served(postgres) as other:
        async with Crowd(TABLES, one.url, other.url) as crowd:
            await kill_again_and_again(crowd, [one, other])
            assert await crowd.agree() >= TABLES


@pytest.fixture
def mortal() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.remove()


async def test_postgresql_itself(mortal: Cluster) -> None:
    """Appends and reads wait for it to come back, so that the players hardly notice."""
    rng, database = random.Random(ROUNDS), mortal.database()
    with ExitStack() as servers:
        urls = [servers.enter_context(served(database)).url for _ in range(2)]
        async with Crowd(TABLES, *urls) as crowd:
            for _ in range(max(2, ROUNDS // 5)):
                await crowd.more(rng.randint(1, 60))
                await asyncio.to_thread(mortal.kill)
                await asyncio.sleep(rng.random())
                await asyncio.to_thread(mortal.start)
            await crowd.more(20)
            assert await crowd.agree() >= TABLES

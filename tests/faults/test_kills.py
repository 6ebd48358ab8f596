"""Kill -9 at random moments under load: nothing acknowledged is lost, nothing happens twice, everybody comes back."""

import asyncio
import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.faults.crowd import Crowd
from harness.faults.serving import served
from harness.postgres import Cluster
from harness.processes import worker_pids
from harness.servers import Server
from harness.sweeps import sweep

ROUNDS = sweep(2, 100)
TABLES = 6


async def kill_again_and_again(server: Server, crowd: Crowd, rounds: int) -> None:
    """In each round moves are made, and then some process dies, or all of them."""
    rng = random.Random(rounds)
    for _ in range(rounds):
        await crowd.more(rng.randint(1, 60))
        await asyncio.sleep(rng.random() * 0.05)
        working = worker_pids(server.process.pid)
        if working and rng.random() < 0.5:
            os.kill(rng.choice(working), signal.SIGKILL)
        else:
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
    await crowd.more(20)


async def test_a_server_on_sqlite(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        async with Crowd(server.url, TABLES) as crowd:
            await kill_again_and_again(server, crowd, ROUNDS)
            assert await crowd.agree() >= TABLES


async def test_a_server_with_two_workers_on_postgresql(postgres: str) -> None:
    with served(postgres, "--workers", "2") as server:
        async with Crowd(server.url, TABLES) as crowd:
            await kill_again_and_again(server, crowd, ROUNDS)
            assert await crowd.agree() >= TABLES


@pytest.fixture
def mortal() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.remove()


async def test_postgresql_itself(mortal: Cluster) -> None:
    """Appends and reads wait for it to come back, so that the players hardly notice."""
    rng = random.Random(ROUNDS)
    with served(mortal.database(), "--workers", "2") as server:
        async with Crowd(server.url, TABLES) as crowd:
            for _ in range(max(2, ROUNDS // 5)):
                await crowd.more(rng.randint(1, 60))
                await asyncio.to_thread(mortal.kill)
                await asyncio.sleep(rng.random())
                await asyncio.to_thread(mortal.start)
            await crowd.more(20)
            assert await crowd.agree() >= TABLES

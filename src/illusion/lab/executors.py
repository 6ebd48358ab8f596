"""Executors to play many games on: processes of this machine, or a Dask cluster.

The arena takes any `concurrent.futures.Executor`, so those of Ray, loky or mpi4py will do as well.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Final

from illusion.extras import how_to_install

ANSWER_SECONDS: Final = 5


class NoCluster(Exception):
    """The message says, in a sentence, why the cluster cannot be used."""


@contextmanager
def executor(jobs: int, on: str | None = None) -> Iterator[Executor]:
    """`jobs` processes of this machine (1: a thread of this process), or the Dask workers of the scheduler `on`."""
    if on is not None:
        with _cluster(on) as workers:
            yield workers
    elif jobs == 1:
        with ThreadPoolExecutor(1) as thread:
            yield thread
    else:  # not by fork, which JAX's threads do not survive
        with ProcessPoolExecutor(jobs, get_context("spawn")) as processes:
            yield processes


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client  # noqa: PLC0415  (an extra)
        from distributed.comm import connect  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        if missing.name != "distributed":
            raise
        raise NoCluster(f"a cluster needs the extra 'cluster': run {how_to_install('cluster')}") from None

    async def ask() -> None:
        """Checks that somebody answers: `Client` would wait forever for a server that is no scheduler."""
        answered = await asyncio.wait_for(connect(address, timeout=ANSWER_SECONDS), ANSWER_SECONDS)
        await answered.close()

    try:
        asyncio.run(ask())
    except (OSError, ValueError, MemoryError):  # MemoryError: a web server's answer is read as a length
        raise NoCluster(f"no Dask scheduler answers at {address}") from None
    with Client(address, set_as_default=False) as client:
        try:
            client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        except TimeoutError:
            raise NoCluster(f"no worker has joined the scheduler at {address}: run dask worker {address}") from None
        yield client.get_executor()

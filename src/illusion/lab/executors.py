"""Where many games are played: processes of this machine, or a Dask cluster.

What plays many games takes any `concurrent.futures.Executor`, so those of Ray, loky or mpi4py do as well.
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
    """A sentence that says why a cluster cannot be used."""


@contextmanager
def executor(jobs: int, on: str | None = None) -> Iterator[Executor]:
    """So many processes of this machine (one: this process), or the workers of the Dask scheduler at this address."""
    if on is not None:
        with _cluster(on) as workers:
            yield workers
    elif jobs == 1:
        with ThreadPoolExecutor(1) as thread:
            yield thread
    else:  # JAX has threads, and threads do not survive a fork
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
        """A client would wait forever for a server that is no scheduler."""
        answered = await asyncio.wait_for(connect(address, timeout=ANSWER_SECONDS), ANSWER_SECONDS)
        await answered.close()

    try:
        asyncio.run(ask())
    except (OSError, ValueError, MemoryError):  # a web server's answer reads like an announcement of exabytes
        raise NoCluster(f"no Dask scheduler answers at {address}") from None
    with Client(address, set_as_default=False) as client:
        try:
            client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        except TimeoutError:
            raise NoCluster(f"no worker has joined the scheduler at {address}: run dask worker {address}") from None
        yield client.get_executor()

"""How long each address keeps the event loop to itself: nobody else is answered meanwhile."""

import asyncio
import tempfile
from pathlib import Path
from time import thread_time
from typing import Final

from harness.siege.addresses import all_there_is
from harness.siege.inside import serving

from illusion.web import Limits

MOST_MS: Final = 5.0
ROUNDS: Final = 4
"""Everything is asked so many times; the shortest counts, so that nothing is counted that is loaded once."""
SHOWN: Final = 8


class Steps:
    """The longest step of the event loop, in seconds of CPU. For asyncio's own loop, which is written in Python."""

    def __init__(self) -> None:
        self.longest = 0.0
        run = asyncio.Handle._run  # noqa: SLF001

        def timed(step: asyncio.Handle) -> None:
            began = thread_time()
            run(step)
            self.longest = max(self.longest, thread_time() - began)

        setattr(asyncio.Handle, "_run", timed)  # noqa: B010


async def longest_steps() -> list[tuple[float, str]]:
    """Of each address, in milliseconds."""
    rounds = list[list[float]]()
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder), Limits.lifted()) as inside:
            steps, guest, names = Steps(), inside.guest(rounds=1), list[str]()
            for _ in range(ROUNDS):
                took = list[float]()
                asked = await all_there_is(guest)
                for each in asked:
                    await asyncio.sleep(0.01)
                    steps.longest = 0
                    await guest.ask(*each)
                    took.append(steps.longest * 1000)
                rounds.append(took)
                names = [f"{method} {path}" for method, path, *_ in asked]
    return sorted(zip(map(min, *rounds), names, strict=True), reverse=True)


def report() -> int:
    """Prints the longest; returns how many are too long."""
    found = asyncio.run(longest_steps())
    print(f"The longest steps of the event loop by address, of {len(found)}; at most {MOST_MS:g} ms of CPU are the aim")
    for took, name in found[:SHOWN]:
        print(f"  {took:6.1f} ms  {name}{'  **missed**' if took > MOST_MS else ''}", flush=True)
    return sum(took > MOST_MS for took, _ in found)

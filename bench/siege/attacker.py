"""The guest's process: prepares, says `ready`, attacks when it is told `go`, and says as JSON what it was answered."""

import asyncio
import resource
import sys
from collections.abc import Sequence
from typing import Final

import msgspec
import uvloop
from harness.siege import SCENARIOS
from harness.siege.guest import Guest, Own

SOURCE: Final = "127.0.0.2"
"""Another address than the honest pair's; Linux gives the whole network 127/8 to loopback."""


class Task(msgspec.Struct):
    """What to attack, and for how long."""

    scenario: str
    port: int
    seconds: float
    known: Sequence[Own] = ()


class Told(msgspec.Struct):
    """How often the guest got which status; `cut` is a connection that was closed instead of an answer."""

    answers: dict[str, int]
    received_bytes: int


async def main(task: Task) -> None:
    async def wait_for_the_word() -> None:
        print("ready", flush=True)
        assert await asyncio.to_thread(sys.stdin.readline) == "go\n"

    guest = Guest(task.port, seconds=task.seconds, source=SOURCE, known=task.known, wait_for_the_word=wait_for_the_word)
    await SCENARIOS[task.scenario].attack(guest)
    await guest.leave()
    print(msgspec.json.encode(Told(dict(guest.answers), guest.received_bytes)).decode(), flush=True)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(main(msgspec.json.decode(sys.argv[1], type=Task)))

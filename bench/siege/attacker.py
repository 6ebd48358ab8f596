"""The attacker's process: prepares, prints `ready`, attacks at the command `go`, and prints its answers as JSON."""

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
"""Another address than the honest people's; Linux gives the whole network 127/8 to loopback."""


class Attack(msgspec.Struct):
    """What to attack, and for how long."""

    scenario: str
    port: int
    seconds: float
    known: Sequence[Own] = ()


class Told(msgspec.Struct):
    """Counts of answers by status."""

    answers: dict[str, int]
    received_bytes: int
    secrets: list[str]


async def wait_for_the_word() -> None:
    print("ready", flush=True)
    assert await asyncio.to_thread(sys.stdin.readline) == "go\n"


async def main(attack: Attack) -> None:
    guest = Guest(
        attack.port, seconds=attack.seconds, source=SOURCE, known=attack.known, wait_for_the_word=wait_for_the_word
    )
    await SCENARIOS[attack.scenario].attack(guest)
    await guest.leave()
    told = Told(dict(guest.answers), guest.received_bytes, guest.secrets)
    print(msgspec.json.encode(told).decode(), flush=True)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvloop.run(main(msgspec.json.decode(sys.argv[1], type=Attack)))

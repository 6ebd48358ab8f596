"""A scenario: an attack, with the finding of the security review that it tests."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from harness.siege.guest import WITHIN_LIMITS, Guest, Own

Requests = Callable[[int], bytes]
"""A request for each number."""
Begin = Callable[[Guest], Awaitable[Requests | None]]
"""Prepares within the limits. Then it returns requests to send, or it calls `guest.ready()` and attacks by itself."""
Preparation = Callable[[Guest], Awaitable[list[Own]]]
"""A long preparation: it is done at a server without limits, which is then restarted."""
Begins = TypeVar("Begins", bound=Begin)


@dataclass(frozen=True)
class Scenario:
    """An attack, described by its docstring."""

    name: str
    about: str
    finding: str
    """Its number in the review: H1 to H6, M1, M2, L1 …; a hyphen for none."""
    begin: Begin
    per_second: float = WITHIN_LIMITS
    lines: int = 8
    """How many connections send the requests."""
    prepared: Preparation | None = None
    from_the_start: bool = False
    """Whether the server's start is part of the attack, so that no quiet time precedes it."""
    holds_bare: bool = False
    """Whether others must not be affected even without a proxy."""

    async def attack(self, guest: Guest) -> None:
        requests = await self.begin(guest)
        if requests is not None:
            await guest.ready()
            await guest.flood(requests, per_second=self.per_second, lines=self.lines)


SCENARIOS: Final[dict[str, Scenario]] = {}


def scenario(finding: str, **fields: Any) -> Callable[[Begins], Begins]:
    """Decorator: makes a function a scenario of its name."""

    def register(begin: Begins) -> Begins:
        name = begin.__name__.replace("_", "-")
        SCENARIOS[name] = Scenario(name, begin.__doc__ or "", finding, begin, **fields)
        return begin

    return register

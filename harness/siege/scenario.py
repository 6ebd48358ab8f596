"""A scenario: one way to spoil the evening, with the finding of the security review that it plays."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final

from harness.siege.guest import WITHIN_LIMITS, Guest, Own

Attack = Callable[[Guest], Awaitable[None]]
"""Prepares within the limits, calls `guest.ready()`, and attacks until `guest.goes_on()` says no."""
Preparation = Callable[[Guest], Awaitable[list[Own]]]
"""What took the guest longer than a scenario lasts: it is done at a server without limits, which is then restarted."""
Requests = Callable[[int], bytes]
"""A request for each number."""


@dataclass(frozen=True)
class Scenario:
    """One attack. Its docstring says what is tried."""

    name: str
    about: str
    finding: str
    """Its number in the review: H1 to H6, M1, M2, L1 …; a hyphen where it was tried besides."""
    attack: Attack
    prepared: Preparation | None
    from_the_start: bool
    """Whether the server's start itself is the attack, so that no quiet time comes before."""
    holds_bare: bool
    """Whether others notice nothing even without a proxy in front."""


SCENARIOS: Final[dict[str, Scenario]] = {}


def scenario(
    finding: str,
    *,
    prepared: Preparation | None = None,
    from_the_start: bool = False,
    holds_bare: bool = False,
) -> Callable[[Attack], Attack]:
    """The decorated attack is a scenario of its name."""

    def register(attack: Attack) -> Attack:
        name = attack.__name__.replace("_", "-")
        about = (attack.__doc__ or "").partition("\n")[0]
        SCENARIOS[name] = Scenario(name, about, finding, attack, prepared, from_the_start, holds_bare)
        return attack

    return register


def flood(
    finding: str,
    *,
    per_second: float | None = WITHIN_LIMITS,
    lines: int = 8,
    prepared: Preparation | None = None,
    holds_bare: bool = False,
) -> Callable[[Callable[[Guest], Awaitable[Requests]]], Attack]:
    """The decorated function prepares, and returns the requests that the guest then sends on a few connections."""

    def register(begin: Callable[[Guest], Awaitable[Requests]]) -> Attack:
        @scenario(finding, prepared=prepared, holds_bare=holds_bare)
        @wraps(begin)
        async def attack(guest: Guest) -> None:
            request = await begin(guest)
            await guest.ready()
            await guest.flood(request, per_second=per_second, lines=lines)

        return attack

    return register

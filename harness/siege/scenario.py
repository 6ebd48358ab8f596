"""A scenario: an attack, with the finding of the security review that it tests."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final

from harness.siege.guest import WITHIN_LIMITS, Guest, Own

Attack = Callable[[Guest], Awaitable[None]]
"""Prepares within the limits, calls `guest.ready()`, and attacks while `guest.goes_on()`."""
Preparation = Callable[[Guest], Awaitable[list[Own]]]
"""A long preparation: it is done at a server without limits, which is then restarted."""
Requests = Callable[[int], bytes]
"""A request for each number."""


@dataclass(frozen=True)
class Scenario:
    """An attack, described by its docstring."""

    name: str
    about: str
    finding: str
    """Its number in the review: H1 to H6, M1, M2, L1 …; a hyphen for none."""
    attack: Attack
    prepared: Preparation | None
    from_the_start: bool
    """Whether the server's start is part of the attack, so that no quiet time precedes it."""
    holds_bare: bool
    """Whether others must not be affected even without a proxy."""


SCENARIOS: Final[dict[str, Scenario]] = {}


def scenario(
    finding: str,
    *,
    prepared: Preparation | None = None,
    from_the_start: bool = False,
    holds_bare: bool = False,
) -> Callable[[Attack], Attack]:
    """Decorator: makes an attack a scenario of its name."""

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
    """Decorator for a function that prepares, and returns requests for the guest to send on a few connections."""

    def register(begin: Callable[[Guest], Awaitable[Requests]]) -> Attack:
        @scenario(finding, prepared=prepared, holds_bare=holds_bare)
        @wraps(begin)
        async def attack(guest: Guest) -> None:
            request = await begin(guest)
            await guest.ready()
            await guest.flood(request, per_second=per_second, lines=lines)

        return attack

    return register

"""A scenario: one way to spoil the evening, with the finding of the security review that it plays."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from harness.siege.guest import Guest, Own

Attack = Callable[[Guest], Awaitable[None]]
"""Prepares within the limits, calls `guest.ready()`, and attacks until `guest.goes_on()` says no."""
Preparation = Callable[[Guest], Awaitable[list[Own]]]
"""What took the guest longer than a scenario lasts: it is done at a server without limits, which is then restarted."""


@dataclass(frozen=True)
class Scenario:
    """One attack. Its docstring says what is tried."""

    name: str
    finding: str
    """Its number in the review: H1 to H6, M1, M2, L1 …; a hyphen where it was tried besides."""
    attack: Attack
    prepared: Preparation | None = None
    from_the_start: bool = False
    """Whether the server's start itself is the attack, so that no quiet time comes before."""

    @property
    def about(self) -> str:
        return (self.attack.__doc__ or "").partition("\n")[0]

"""How much memory each process holds, and whether it grows."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from bench.load.process import GONE, drawing, family, held

WARM_SHARE = 1 / 3
"""Of a process's life, in which caches fill; its slope is that of the rest."""
FEWEST = 4
"""Samples that a slope needs."""


class Sample(NamedTuple):
    """After so many minutes, so many megabytes."""

    minute: float
    mb: float


@dataclass
class Life:
    """One process, or all of PostgreSQL's."""

    role: str
    samples: list[Sample] = field(default_factory=list)

    @property
    def slope(self) -> float | None:
        """Megabytes an hour, once its caches have filled."""
        settled = self.samples[round(len(self.samples) * WARM_SHARE) :]
        return None if len(settled) < FEWEST else slope(settled) * 60


def slope(samples: Sequence[Sample]) -> float:
    """Megabytes a minute, by least squares."""
    middle = sum(each.minute for each in samples) / len(samples)
    mean = sum(each.mb for each in samples) / len(samples)
    spread = sum((each.minute - middle) ** 2 for each in samples)
    return sum((each.minute - middle) * (each.mb - mean) for each in samples) / spread


def role(command: bytes, *, draws: bool = False) -> str:
    """What a process of our server does, from its command line."""
    if draws:
        return "drawing"
    if b"spawn_main" in command:
        return "worker"
    return "helper" if b"resource_tracker" in command else "supervisor"


class Memory:
    """The lives of a server's processes and of its database."""

    def __init__(self, server: int) -> None:
        self.server = server
        self.lives: dict[int, Life] = {}
        self.database = Life("PostgreSQL")

    def sample(self, minute: float, database: int) -> dict[str, float]:
        """The megabytes of each role now. `database` is PostgreSQL's first process, another one after it was killed."""
        now: dict[str, float] = defaultdict(float)
        for pid in family(self.server):
            with suppress(*GONE):
                mb, command = held(pid) / 1024, Path(f"/proc/{pid}/cmdline").read_bytes()
                life = self.lives.setdefault(pid, Life(role(command, draws=pid in drawing(self.server))))
                life.samples.append(Sample(minute, mb))
                now[life.role] += mb
        for pid in family(database):
            with suppress(*GONE):
                now[self.database.role] += held(pid) / 1024
        self.database.samples.append(Sample(minute, now[self.database.role]))
        return dict(now)

    def all(self) -> list[Life]:
        return [*self.lives.values(), self.database]

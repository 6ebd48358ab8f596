"""The size of sweeps: a sample in `make test`, everything in `make faults`."""

import os
from typing import TypeVar

Amount = TypeVar("Amount")


def sweep(part: Amount, whole: Amount) -> Amount:
    """The cases for this run."""
    return whole if "ILLUSION_LONG_SWEEPS" in os.environ else part

"""How much a long sweep tries: a part of it in `make test`, all of it in `make faults`."""

import os
from typing import TypeVar

Amount = TypeVar("Amount")


def sweep(part: Amount, whole: Amount) -> Amount:
    """What to try now."""
    return whole if "ILLUSION_LONG_SWEEPS" in os.environ else part

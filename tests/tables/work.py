"""What workers are given to do in tests. Each of their processes imports this module, so it needs little."""

import os
import signal
from pathlib import Path


def double(number: int) -> int:
    return 2 * number


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def deadly(folder: str, deaths: int) -> bytes:
    """No process survives it, or only a few do not: each leaves a file."""
    tries = len(os.listdir(folder))
    Path(folder, str(tries)).touch()
    if tries < deaths:
        die()
    return str(tries).encode()


def fail() -> bytes:
    raise ZeroDivisionError

"""The command `illusion`, run as people run it."""

import subprocess
import sys

TIMEOUT_S = 300
"""For a command that should have ended and did not."""


def run_illusion(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end, in a process of its own; what it printed is captured as text."""
    command = [sys.executable, "-m", "illusion", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)

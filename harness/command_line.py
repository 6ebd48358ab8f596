"""The command `illusion`, run as people run it."""

import subprocess
import sys


def run_illusion(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end, in a process of its own; what it printed is captured as text."""
    return subprocess.run([sys.executable, "-m", "illusion", *arguments], capture_output=True, text=True, check=False)

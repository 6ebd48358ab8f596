"""The command `illusion`, run as people run it."""

import subprocess
import sys

import pytest

from illusion.cli import main

TIMEOUT_S = 300
"""Timeout for a command."""
LONGEST_SENTENCE = 600
"""Characters, most of them for the names of files and of options."""


def run_illusion(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end, in a process of its own; what it printed is captured as text."""
    command = [sys.executable, "-m", "illusion", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The message of a refusing command: one line, perhaps with its usage. It runs in this process."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    said = capsys.readouterr()
    assert said.out == ""
    if isinstance(ended.value.code, str):  # Python prints it and ends with status 1
        sentence = ended.value.code
    else:
        assert ended.value.code == 2
        *_, sentence = said.err.splitlines()
    assert sentence.startswith("illusion")
    assert "\n" not in sentence
    assert len(sentence) < LONGEST_SENTENCE
    return sentence

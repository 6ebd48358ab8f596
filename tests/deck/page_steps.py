"""The numbered steps of a page in docs/, followed in a copy of the repository.

A `python` block is the whole of the file that its step names first, a `diff` block changes that file, and a `sh` block
is run.
"""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
COPIED = ("src", "tests", "harness", "tools", "pyproject.toml", "README.md")


class Block(NamedTuple):
    """A block of code of a step."""

    kind: str
    text: str
    file: Path
    """The file that the step names first."""


def copy_repository(to: Path) -> None:
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, to / name)


def section(page: Path, heading: str) -> str:
    """The text under a heading of the second level."""
    (text,) = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page.read_text(), re.MULTILINE | re.DOTALL)
    return str(text)


def follow(text: str, repository: Path) -> Iterator[Block]:
    """Do what the blocks of a text say, one after another."""
    for block in _blocks(text, repository):
        if block.kind == "python":
            block.file.write_text(block.text)
        elif block.kind == "diff":
            block.file.write_text(_patched(block.file.read_text(), block.text))
        else:
            for command in block.text.splitlines():
                run(command, repository)
        yield block


def undo(text: str, repository: Path) -> None:
    """Take back what the blocks of a text say, where it has been done already: someone may have tried the page."""
    for kind, block, file in _blocks(text, repository):
        if kind == "python":
            file.unlink(missing_ok=True)
        elif kind == "diff":
            written = file.read_text()
            for old, new in _hunks(block):
                written = written.replace(new, old)
            file.write_text(written)


def run(command: str, repository: Path) -> str:
    """Run a command of the page with this Python, on the copied sources; returns what it printed."""
    python = command.replace(".venv/bin/python", f'"{sys.executable}"')
    environment = {**os.environ, "PYTHONPATH": str(repository / "src")}
    ran = subprocess.run(  # noqa: S602  (a line of our own page)
        python, shell=True, cwd=repository, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


def _blocks(text: str, repository: Path) -> Iterator[Block]:
    for step in re.split(r"^(?=\d+\. )", text, flags=re.MULTILINE)[1:]:
        named = re.findall(r"`([\w./]+\.py)`", step)
        for kind, block in re.findall(r"^ *```(python|diff|sh)\n(.*?)^ *```$", step, re.MULTILINE | re.DOTALL):
            yield Block(kind, textwrap.dedent(block), repository / named[0] if named else repository)


def _patched(text: str, diff: str) -> str:
    """The text with each hunk's old lines, which must occur exactly once, replaced by its new lines."""
    for old, new in _hunks(diff):
        assert text.count(old) == 1, f"these lines should occur once:\n{old}"
        text = text.replace(old, new)
    return text


def _hunks(diff: str) -> Iterator[tuple[str, str]]:
    """The old and the new lines of each hunk."""
    for hunk in re.split(r"^@@.*\n", diff, flags=re.MULTILINE)[1:]:
        lines = hunk.splitlines(keepends=True)
        yield (
            "".join(line[1:] for line in lines if line[0] in " -"),
            "".join(line[1:] for line in lines if line[0] in " +"),
        )

"""Pages of docs/ that say how to change the program, followed word for word in a copy of it.

A `diff` block changes the file that was named last, as in "in `path`"; a `python` block is that file or, if it is there
already, comes at its end; a `sh` block is run.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
STEP: Final = re.compile(
    r"(?:\b[Ii]n|\bend of|\bWrite)\s+`(?P<path>[\w/.-]+\.\w+)`|^ *```(?P<kind>python|diff|sh)\n(?P<text>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A block of code on a page, and the file it is for."""

    kind: str
    text: str
    file: Path


def copied(to: Path, *names: str) -> Path:
    """A copy of these files and folders of the repository."""
    for name in names:
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        else:
            shutil.copy(ROOT / name, to / name)
    return to


def run(copy: Path, *arguments: str, **environment: str) -> str:
    """Run this Python on the copied sources; returns what it printed."""
    path = os.pathsep.join([str(copy / "src"), str(copy)])
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        # a file that changes twice within a second would be taken from the cache of its bytecode
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def section(page: str, heading: str) -> str:
    """The text under a heading of the second level."""
    (text,) = re.findall(
        rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL
    )
    return str(text)


def follow(text: str, copy: Path) -> Iterator[Block]:
    """Apply the blocks of a text in order."""
    for block in _blocks(text, copy):
        if block.kind == "sh":
            for command in block.text.splitlines():
                run(copy, *shlex.split(command.removeprefix(".venv/bin/python ")))
        elif block.kind == "diff":
            block.file.write_text(patched(block.file.read_text(), block.text))
        else:
            before = f"{block.file.read_text()}\n\n" if block.file.exists() else ""
            block.file.write_text(before + block.text)
        yield block


def undo(text: str, copy: Path) -> None:
    """Undo the blocks of a text that have been applied: somebody may have tried the page."""
    for kind, block, file in _blocks(text, copy):
        if kind == "python":
            written = file.read_text() if file.exists() else ""
            if written == block:
                file.unlink()
            elif written:
                file.write_text(written.removesuffix(f"\n\n{block}"))
        elif kind == "diff":
            written = file.read_text()
            for old, new in _hunks(block):
                written = written.replace(new, old)
            file.write_text(written)


def patched(text: str, diff: str) -> str:
    """The text with each hunk's old lines, which must occur exactly once, replaced by its new lines."""
    for old, new in _hunks(diff):
        assert text.count(old) == 1, f"this is not in the file, or more than once:\n{old}"
        text = text.replace(old, new)
    return text


def _blocks(text: str, copy: Path) -> Iterator[Block]:
    file = copy
    for step in STEP.finditer(text):
        if step["path"]:
            file = copy / step["path"]
        else:
            yield Block(step["kind"], textwrap.dedent(step["text"]), file)


def _hunks(diff: str) -> Iterator[tuple[str, str]]:
    """The old and the new lines of each hunk; a diff without `@@` is one."""
    for hunk in filter(None, re.split(r"^@@.*\n", diff, flags=re.MULTILINE)):
        lines = hunk.splitlines(keepends=True)
        yield (
            "".join(line[1:] for line in lines if line[0] != "+"),
            "".join(line[1:] for line in lines if line[0] != "-"),
        )

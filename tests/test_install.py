"""`tools/setup/venv`, which `make play` and `make test` run first, says clearly why it failed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from harness.sweeps import sweep

HERE = Path(__file__).parent.parent


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A checkout without anything installed."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "README.md", "LICENSE"):
        shutil.copy(HERE / name, tmp_path)
    for name in ("locks", "src", "tools"):
        shutil.copytree(HERE / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def make(clone: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "-C", str(clone), "--no-print-directory", *arguments]
    return subprocess.run(
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("goal", ["play", "test"])
def test_a_python_that_is_too_old_is_named(clone: Path, goal: str) -> None:
    """A stand-in answers as Python 3.9 does: no machine has every old Python."""
    old = clone / "python3.9"
    old.write_text('#!/bin/sh\ncase "$2" in *print*) echo 3.9.2 ;; *) exit 1 ;; esac\n')
    old.chmod(0o755)
    told = make(clone, goal, f"PYTHON={old}")
    assert told.returncode != 0
    assert "illusion: Python 3.11 or newer is needed; this machine has 3.9.2." in told.stderr
    assert not (clone / ".venv").exists()


def test_a_python_that_is_not_there_is_named(clone: Path) -> None:
    told = make(clone, "play", "PYTHON=python-nowhere")
    assert told.returncode != 0
    assert "illusion: Python 3.11 or newer is needed; no Python was found at python-nowhere." in told.stderr


@pytest.mark.parametrize("goal", sweep(["test"], ["play", "test"]))
def test_a_missing_network_is_named_and_the_next_try_can_succeed(clone: Path, goal: str) -> None:
    """The package index is a closed port of this machine, which pip meets as it meets a missing network."""
    told = make(
        clone,
        goal,
        PIP_CONFIG_FILE=os.devnull,
        PIP_INDEX_URL="http://127.0.0.1:9/simple",
        PIP_FIND_LINKS="",
        PIP_EXTRA_INDEX_URL="",
        PIP_NO_CACHE_DIR="1",
        PIP_RETRIES="0",
    )
    assert told.returncode != 0
    assert "illusion: The package index cannot be reached." in told.stderr
    assert "Traceback" not in told.stderr
    assert not (clone / ".venv" / f"ready-to-{goal}").exists()

"""`make audit` asks others about the dependencies, who may be out of reach."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

AUDIT = Path(__file__).parent.parent / "tools" / "audit.py"


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--required"], 1)])
def test_without_a_network_it_says_that_nothing_was_checked(options: list[str], status: int) -> None:
    """A closed port of this machine stands for the network."""
    away = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"), "http://127.0.0.1:9")
    told = subprocess.run(
        [sys.executable, AUDIT, *options],
        env={**os.environ, **away, "NO_PROXY": "", "no_proxy": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == status, told.stderr
    assert "the dependencies were NOT checked" in told.stdout

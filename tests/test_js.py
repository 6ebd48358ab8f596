"""How the JavaScript checks are reached: they are left out only where there is no Node.js, and never in CI."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent.parent
SH = shutil.which("sh") or "/bin/sh"


@pytest.fixture
def without_node(tmp_path: Path) -> dict[str, str]:
    """An environment whose PATH has what a shell script needs, and no Node.js."""
    (tmp_path / "dirname").symlink_to(shutil.which("dirname") or "/usr/bin/dirname")
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "ILLUSION_REQUIRE_NODE")}
    return kept | {"PATH": str(tmp_path)}


def checked(environment: dict[str, str]) -> tuple[int, str]:
    script = HERE / "tools" / "setup" / "js"
    done = subprocess.run([SH, script], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_without_node_one_sentence_says_how_to_get_the_checks(without_node: dict[str, str]) -> None:
    status, said = checked(without_node)
    assert status == 0
    assert said.startswith("illusion: the JavaScript checks were left out because there is no Node.js here")
    assert "make js" in said
    assert "CI" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("ci", [{"CI": "true"}, {"ILLUSION_REQUIRE_NODE": "1"}])
def test_in_ci_they_are_never_left_out(without_node: dict[str, str], ci: dict[str, str]) -> None:
    assert checked(without_node | ci)[0] == 1
    assert "ILLUSION_REQUIRE_NODE=1" in (HERE / ".ci" / "run").read_text()


@pytest.mark.parametrize("folder", ["tests/js", "bench/lighthouse", "bench/peers"])
def test_the_npm_lock_names_no_registry_and_hashes_everything(folder: str) -> None:
    lock = (HERE / folder / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert lock.count('"node_modules/') == lock.count('"integrity": "sha512-')

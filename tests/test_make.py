"""`make play`, `test`, `js`, `audit` and `release`: they say what is missing, and what is published is described."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from harness.followed_pages import copied
from harness.sweeps import sweep
from tools import audit
from tools.setup.release import NotReady, bill_of_materials, notes

ROOT = Path(__file__).parent.parent
NEEDED = ("Makefile", "pyproject.toml", "requirements.lock", "locks", "tools")
CLOSED = "http://127.0.0.1:9"
"""A port where nobody listens, which programs meet as they meet a missing network."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout without anything installed."""
    clone = copied(tmp_path_factory.mktemp("clone"), *NEEDED)
    (clone / "src" / "illusion").mkdir(parents=True)
    return copied(clone, "src/illusion/__init__.py")


def make(clone: Path, *arguments: str) -> str:
    command = ["make", "-C", str(clone), "--no-print-directory", *arguments]
    told = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert told.returncode != 0
    assert "Traceback" not in told.stderr
    return told.stderr


def test_a_python_that_is_too_old_or_not_there_is_named(clone: Path) -> None:
    """A stand-in answers as Python 3.9 does: no machine has every old Python."""
    old = clone / "python3.9"
    old.write_text('#!/bin/sh\ncase "$2" in *print*) echo 3.9.2 ;; *) exit 1 ;; esac\n')
    old.chmod(0o755)
    needed = "illusion: Python 3.11 or newer is needed"
    for goal in ("play", "test"):
        assert f"{needed}; this machine has 3.9.2." in make(clone, goal, f"PYTHON={old}")
    assert f"{needed}; no Python was found at python-nowhere." in make(clone, "play", "PYTHON=python-nowhere")
    assert not (clone / ".venv").exists()


@pytest.mark.parametrize("goal", sweep(["test"], ["play", "test"]))
def test_a_missing_network_is_named_and_leaves_an_environment_without_anything(
    clone: Path, goal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next try can succeed; and of such an environment there is a valid list of what is installed with the game."""
    settings = {"CONFIG_FILE": os.devnull, "INDEX_URL": f"{CLOSED}/simple", "NO_CACHE_DIR": "1", "RETRIES": "0"}
    for name, value in {**settings, "FIND_LINKS": "", "EXTRA_INDEX_URL": ""}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    assert "illusion: The package index cannot be reached." in make(clone, goal)
    assert not (clone / ".venv" / f"ready-to-{goal}").exists()
    file = clone / "bill.cdx.json"
    assert bill_of_materials(clone / ".venv" / "bin" / "python", file) == 0  # nothing but pip, which is none of ours
    bill = json.loads(file.read_text("utf-8"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "play-illusion")


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--required"], 1)])
def test_an_audit_without_a_network_says_that_nothing_was_checked(
    options: list[str], status: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"):
        monkeypatch.setenv(name, CLOSED)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(sys, "argv", ["audit.py", *options])
    monkeypatch.setattr(audit, "SERVICES", audit.SERVICES[:1])
    with pytest.raises(SystemExit) as ended:
        audit.main()
    assert ended.value.code == status
    assert "the dependencies were NOT checked" in capsys.readouterr().out


@pytest.mark.parametrize(("ci", "status"), [({}, 0), ({"CI": "true"}, 1), ({"ILLUSION_REQUIRE_NODE": "1"}, 1)])
def test_without_node_one_sentence_says_how_to_get_the_checks_which_ci_requires(
    tmp_path: Path, ci: dict[str, str], status: int
) -> None:
    """The PATH has what a shell script needs, and no Node.js."""
    (tmp_path / "dirname").symlink_to(shutil.which("dirname") or "/usr/bin/dirname")
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "ILLUSION_REQUIRE_NODE")}
    command = [shutil.which("sh") or "/bin/sh", str(ROOT / "tools/setup/js")]
    environment = kept | {"PATH": str(tmp_path)} | ci
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == status
    assert ran.stderr.startswith("illusion: the JavaScript checks were left out because there is no Node.js here")
    assert re.fullmatch(r".*make js.*CI.*\n", ran.stderr)
    assert "ILLUSION_REQUIRE_NODE=1" in (ROOT / ".ci" / "run").read_text()


def test_a_release_s_notes_are_the_section_of_its_version() -> None:
    changes = "# Changelog\n\n## 1.1.0\n\n- More.\n\n## 1.0.0\n\n- All.\n\n### For hosts\n\n- Much.\n"
    assert notes(changes, "1.1.0") == "- More.\n"
    assert notes(changes, "1.0.0") == "- All.\n\n### For hosts\n\n- Much.\n"
    for version in ("1.0", "2.0.0"):
        with pytest.raises(NotReady, match=f"CHANGELOG.md has no section of {version}"):
            notes(changes, version)


def test_what_others_programs_read_is_valid_by_their_schema(capsys: pytest.CaptureFixture[str]) -> None:
    from check_jsonschema import main as checked  # type: ignore[import-untyped]  # noqa: PLC0415 - it takes a second

    files = {
        "github-workflows": (".github/workflows/ci.yml", ".github/workflows/release.yml"),
        "dependabot": (".github/dependabot.yml",),
        "compose-spec": ("compose.yaml",),
    }
    for schema, names in files.items():
        arguments = ["--builtin-schema", f"vendor.{schema}", *(str(ROOT / name) for name in names)]
        assert checked(arguments, standalone_mode=False) == 0, capsys.readouterr()


def test_a_tag_publishes_what_make_release_made_without_a_stored_password() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    jobs = workflow["jobs"]
    assert "make release" in [step.get("run") for step in jobs["build"]["steps"]]
    assert jobs["index"]["permissions"] == {"id-token": "write"}
    assert jobs["index"]["needs"] == "build"
    assert not [step for step in jobs["index"]["steps"] if "password" in step.get("with", {})]
    (image,) = (step["with"] for step in jobs["image"]["steps"] if "build-push" in step.get("uses", ""))
    assert image["platforms"] == "linux/amd64,linux/arm64"
    labels = re.findall(r"org\.opencontainers\.image\.(\w+)=", (ROOT / "Dockerfile").read_text("utf-8"))
    assert sorted(labels) == ["authors", "description", "licenses", "title"]

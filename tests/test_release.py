"""`make release` and the workflows: what they refuse and promise. It was run as a whole before this was written."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tools.setup.release import NotReady, bill_of_materials, notes

ROOT = Path(__file__).parent.parent
CHANGES = "# Changelog\n\n## 1.1.0\n\n- More.\n\n## 1.0.0\n\n- All.\n\n### For hosts\n\n- Much.\n"


def test_the_notes_are_the_section_of_the_version() -> None:
    assert notes(CHANGES, "1.1.0") == "- More.\n"
    assert notes(CHANGES, "1.0.0") == "- All.\n\n### For hosts\n\n- Much.\n"


@pytest.mark.parametrize("version", ["1.0", "2.0.0"])
def test_a_version_without_a_section_is_not_ready(version: str) -> None:
    with pytest.raises(NotReady, match=f"CHANGELOG.md has no section of {version}"):
        notes(CHANGES, version)


def test_the_list_of_what_is_installed_is_valid_and_names_what_the_game_needs(tmp_path: Path) -> None:
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    file = tmp_path / "bill.cdx.json"
    assert bill_of_materials(python, file) == 0  # an empty environment: nothing but pip, which is none of ours
    bill = json.loads(file.read_text("utf-8"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "play-illusion")


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("vendor.github-workflows", ".github/workflows/ci.yml"),
        ("vendor.github-workflows", ".github/workflows/release.yml"),
        ("vendor.dependabot", ".github/dependabot.yml"),
        ("vendor.compose-spec", "compose.yaml"),
    ],
)
def test_what_others_programs_read_is_valid_by_their_schema(schema: str, file: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(ROOT / file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "ok -- validation done\n")


def test_a_tag_publishes_what_make_release_made_without_a_stored_password() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    jobs = workflow["jobs"]
    assert "make release" in [step.get("run") for step in jobs["build"]["steps"]]
    assert jobs["index"]["permissions"] == {"id-token": "write"}
    assert jobs["index"]["needs"] == "build"
    assert not [step for step in jobs["index"]["steps"] if "password" in step.get("with", {})]
    (image,) = (step["with"] for step in jobs["image"]["steps"] if "build-push" in step.get("uses", ""))
    assert image["platforms"] == "linux/amd64,linux/arm64"


def test_the_image_says_what_it_is() -> None:
    labels = re.findall(r"org\.opencontainers\.image\.(\w+)=", (ROOT / "Dockerfile").read_text("utf-8"))
    assert sorted(labels) == ["authors", "description", "licenses", "title"]

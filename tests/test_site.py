"""The documents as a site: built without the network and without a warning, whole, and loading nothing else."""

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
import yaml

from illusion import bots, deck, lab, rules
from illusion.web.api import OPERATIONS

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With every way out closed: the proxy of all schemes is a port where nobody listens."""
    folder = tmp_path_factory.mktemp("site")
    closed = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    ran = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, **closed, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "WARNING" not in ran.stdout + ran.stderr
    return folder


def test_a_page_that_leads_nowhere_or_that_nothing_leads_to_is_an_error(tmp_path: Path) -> None:
    """`--quiet` would hide warnings from `--strict`, too."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home\n\n[there](nowhere.md), [or there](#nowhere)\n")
    (tmp_path / "docs" / "alone.md").write_text("# Alone\n")
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    config |= {"nav": ["index.md"], "hooks": [], "plugins": []}
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(config))
    command = [sys.executable, "-m", "mkdocs", "build"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert {"'nowhere.md'", "'#nowhere'", "alone.md"} <= set(re.findall(r"'[\w.#]+'|alone\.md", ran.stderr))
    assert "Aborted with 3 warnings in strict mode!" in ran.stdout


def page(site: Path, name: str) -> str:
    return unescape((site / f"{name}.html").read_text("utf-8"))


def test_every_document_is_a_page(site: Path) -> None:
    built = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    assert built >= {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert built >= {"index", "contributing", "changes", "security", "bench", "examples/my_bot", "api", "gallery"}


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """Links may lead out; scripts, styles, pictures and faces may not come in."""
    for path in site.rglob("*.html"):
        tags = re.findall(r"<(?:script|link|img|iframe|source)\b[^>]*>", path.read_text("utf-8"))
        assert len(tags) > 3
        assert not [tag for tag in tags if re.search(r"""(?:src|href)=["']?(?:https?:)?//""", tag)], path
    for path in site.rglob("*.css"):
        assert not re.search(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", path.read_text("utf-8")), path


def test_the_reference_has_every_public_name(site: Path) -> None:
    for module in (rules, bots, deck, lab):
        shown = page(site, f"reference/{module.__name__.rpartition('.')[2]}")
        assert [name for name in module.__all__ if f'id="{module.__name__}.{name}"' not in shown] == []
    for name in ("lab.arena.compete", "bots.entrants.player"):
        assert f'id="illusion.{name}"' in page(site, "reference/lab"), name


def test_the_api_is_laid_out_operation_by_operation(site: Path) -> None:
    shown = page(site, "api")
    assert [each for each in OPERATIONS if f"{each.method.upper()} {each.path}<" not in shown] == []
    targets = set(re.findall(r'href="#([\w-]+)"', shown))
    assert len(targets) > 20
    assert targets <= set(re.findall(r'id="([\w-]+)"', shown))


def test_the_gallery_shows_a_whole_deck(site: Path) -> None:
    pictures = re.findall(r"src=['\"](gallery/\d+\.svg)", page(site, "gallery"))
    assert len(set(pictures)) == 98
    assert (site / pictures[0]).read_text("utf-8").startswith("<svg")


def test_every_command_among_the_figures_is_there() -> None:
    commands = re.findall(r"`([^`]+)`", (ROOT / "docs" / "figures.md").read_text("utf-8"))
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for words in (command.split() for command in commands):
        match words:
            case ["make", goal, *_]:
                assert re.search(rf"^{goal}:", makefile, re.MULTILINE), goal
            case ["python", "-m", module, *_]:
                assert (ROOT / module.replace(".", "/")).with_suffix(".py").is_file() or (ROOT / module).is_dir(), (
                    module
                )
            case ["python", file, *_] | ["pytest", file]:
                assert (ROOT / file).is_file(), file

"""What is published is complete: a game is played from the wheel, the source archive passes its own tests, and the
documents are a site, built without the network and without a warning, which loads nothing from elsewhere.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from html import unescape
from pathlib import Path

import pytest
import yaml

from illusion import __version__, bots, deck, lab, rules
from illusion.web.api import OPERATIONS

HERE = Path(__file__).parent.parent
FOLDERS = (".ci", "bench", "docs", "examples", "harness", "locks", "src", "tests", "tools")
FILES = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "mkdocs.yml",
    "pyproject.toml",
    "requirements.lock",
)
NOT_OURS = {"__pycache__", "node_modules"}
QUICK_TESTS = ("tests/rules/test_turn.py", "tests/rules/test_recorded.py", "docs/rules.md")


def files_in(folder: Path) -> set[str]:
    """Relative to the root of the checkout."""
    return {
        path.relative_to(HERE).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not NOT_OURS & set(path.parts)
    }


def run(*command: str | Path, cwd: Path, status: int = 0, **environment: str) -> str:
    ran = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert ran.returncode == status, ran.stdout
    return ran.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "hatchling", "build", "--directory", folder, cwd=HERE)
    return folder


def test_the_wheel_holds_every_file_of_the_package(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.name.startswith(f"play_illusion-{__version__}-")
    with zipfile.ZipFile(wheel) as archive:
        packed = {f"src/{name}" for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == files_in(HERE / "src")
    assert {Path(name).suffix for name in packed} >= {".py", ".html", ".css", ".js", ".svg", ".png", ".po", ".json"}


def test_a_game_is_played_from_the_wheel_in_an_empty_environment(built: Path, tmp_path: Path) -> None:
    """The environment sees the installed dependencies, but not the editable Illusion beside them."""
    (wheel,) = built.glob("*.whl")
    venv.create(tmp_path / "env", symlinks=True)
    python = tmp_path / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", "--quiet"]
    run(*pip, wheel, cwd=tmp_path)
    (own,) = (tmp_path / "env").glob("lib/python*/site-packages")
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    asked = "import illusion.extras; print(illusion.__file__, illusion.extras.how_to_install('print'), sep='\\n')"
    where, how = run(python, "-c", asked, cwd=tmp_path, PYTHONPATH="").splitlines()
    assert Path(where).is_relative_to(own)
    assert how == f'"{python}" -m pip install "play-illusion[print] @ {wheel.as_uri()}"'
    for command in ("illusion", "play-illusion"):  # the second for `uvx play-illusion`
        assert run(python.with_name(command), "--version", cwd=tmp_path, PYTHONPATH="") == f"illusion {__version__}\n"
    told = run(sys.executable, HERE / "tools" / "setup" / "check_installation.py", python, "--no-print", cwd=tmp_path)
    assert told.startswith(f"illusion {__version__}\nplayed a game")
    assert "As promised" in told
    assert "drew 98 pictures" in told


def test_the_source_archive_is_complete_and_passes_its_own_tests(built: Path, tmp_path: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # not in Python 3.11.2, which Debian 12 has
        archive.extractall(tmp_path)  # noqa: S202  (it was made just now)
    root = tmp_path / f"play_illusion-{__version__}"
    unpacked = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert unpacked >= set().union(FILES, *(files_in(HERE / folder) for folder in FOLDERS))
    assert not any(name.startswith(".venv") for name in unpacked)
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *QUICK_TESTS]
    assert " passed" in run(*pytest, cwd=root, PYTHONPATH=str(root / "src"))


def test_what_a_registry_shows_of_the_readme_points_at_nothing_that_is_not_there(built: Path) -> None:
    """A registry's page has no files beside it: no pictures of ours, and links only to other sites."""
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        _, _, shown = archive.read(name).decode().partition("\n\n")
    links = re.findall(r"\]\(([^)]*)\)", shown)
    assert len(links) >= 1
    assert all(link.startswith("https://") for link in links)
    assert "uvx --from GAME illusion play" in shown
    assert "docs/rules.md: the rules" in shown


def test_the_first_commands_of_the_readme_need_no_git_and_no_make() -> None:
    """Before any other; `make release` runs each of them in an empty environment, which needs the network."""
    commands = re.findall(r"```sh\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
    assert commands[0] == "uvx --from GAME illusion play\n"
    assert commands[1].splitlines()[0] == "pipx run --spec GAME illusion play"
    assert re.fullmatch(
        "pip install GAME .*\nillusion play .*python -m illusion", commands[1].split("\n", 1)[1].strip()
    )
    assert not re.search("git|make", "".join(commands[:2]))
    assert "make play" in commands[2]


TAKEN_FROM = (r"(?:pip|pipx|tool) install ([^|\n]*)", r"(?:--from|--spec|--with|uvx|pipx run)[ =]+(\S+)")
"""All words after an `install`, and the one word after the others, behind which a command follows."""


def test_nothing_tells_people_to_install_illusion_by_that_name() -> None:
    """It is somebody else's in the registry."""
    for name in sorted(set().union(FILES, *(files_in(HERE / folder) for folder in FOLDERS))):
        if Path(name).suffix in (".png", ".ico"):
            continue
        text = (HERE / name).read_text()
        for words in (found.split() for pattern in TAKEN_FROM for found in re.findall(pattern, text)):
            assert not any(word.strip("\"'`").partition("[")[0] == "illusion" for word in words), f"{name}: {words}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With every way out closed: the proxy of all schemes is a port where nobody listens."""
    folder = tmp_path_factory.mktemp("site")
    build, closed = (sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder), "http://127.0.0.1:9"
    proxies = {"http_proxy": closed, "https_proxy": closed, "HTTP_PROXY": closed, "HTTPS_PROXY": closed}
    assert "WARNING" not in run(*build, cwd=HERE, status=0, NO_MKDOCS_2_WARNING="1", **proxies)
    return folder


def test_a_page_that_leads_nowhere_or_that_nothing_leads_to_is_an_error(tmp_path: Path) -> None:
    """`--quiet` would hide warnings from `--strict`, too."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home\n\n[there](nowhere.md), [or there](#nowhere)\n")
    (tmp_path / "docs" / "alone.md").write_text("# Alone\n")
    config = yaml.safe_load((HERE / "mkdocs.yml").read_text("utf-8"))
    config |= {"nav": ["index.md"], "hooks": [], "plugins": []}
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(config))
    told = run(sys.executable, "-m", "mkdocs", "build", cwd=tmp_path, status=1)
    assert {"'nowhere.md'", "'#nowhere'", "alone.md"} <= set(re.findall(r"'[\w.#]+'|alone\.md", told))
    assert "Aborted with 3 warnings in strict mode!" in told


def page(site: Path, name: str) -> str:
    return unescape((site / f"{name}.html").read_text("utf-8"))


def test_every_document_is_a_page(site: Path) -> None:
    built = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    assert built >= {path.stem for path in (HERE / "docs").glob("*.md")}
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
    commands = re.findall(r"`([^`]+)`", (HERE / "docs" / "figures.md").read_text("utf-8"))
    makefile = (HERE / "Makefile").read_text("utf-8")
    for words in (command.split() for command in commands):
        match words:
            case ["make", goal, *_]:
                assert re.search(rf"^{goal}:", makefile, re.MULTILINE), goal
            case ["python", "-m", module, *_]:
                assert (HERE / module.replace(".", "/")).with_suffix(".py").is_file() or (HERE / module).is_dir(), (
                    module
                )
            case ["python", file, *_] | ["pytest", file]:
                assert (HERE / file).is_file(), file

"""What we write down about the code is true: rule numbers, pure rules, who imports whom, locks, stable interfaces."""

import ast
import re
import subprocess
import sys
import tomllib
from dataclasses import asdict
from importlib.metadata import packages_distributions
from pathlib import Path
from pkgutil import resolve_name

import pytest

from illusion import __version__
from illusion.cli.arguments import LIMITS
from illusion.web import Limits
from illusion.web.telemetry import Telemetry
from tests.stable import RECORDED, surface

HERE = Path(__file__).parent.parent
RULES = HERE / "src" / "illusion" / "rules"
COMMENT = re.compile(r"^\s*(?://|\*|/\*).*$", re.MULTILINE)
PURE = {"bisect", "collections", "collections.abc", "dataclasses", "enum", "functools", "random", "typing"}


def imports(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_every_rule_is_in_the_code_and_held_by_a_test() -> None:
    written = re.findall(r"^- (R\d\.\d) ", (HERE / "docs" / "rules.md").read_text(), re.MULTILINE)
    assert len(written) >= 25
    code = "".join(path.read_text() for path in RULES.glob("*.py"))
    tests = "".join(path.read_text() for path in (HERE / "tests" / "rules").glob("test_*.py"))
    for number in written:
        part, rule = number[1:].split(".")
        assert re.search(rf"\b{re.escape(number)}\b|R{part}\.\d to R{part}", code), number
        assert re.search(rf"\b{re.escape(number)}\b|_r{part}_{rule}_", tests), number
    assert set(re.findall(r"\bR\d\.\d\b", code + tests)) <= set(written)


@pytest.mark.parametrize("path", sorted(RULES.glob("*.py")), ids=lambda path: path.name)
def test_the_rules_use_nothing_but_a_few_pure_parts_of_the_standard_library(path: Path) -> None:
    """No clock, no files, no network; and of `random` only the type of the generator that is passed in."""
    imported, text = imports(path), path.read_text()
    assert all(name in PURE or name.startswith("illusion.rules") for name in imported), imported
    assert set(re.findall(r"random\.(\w+)", text)) <= {"Random"}
    assert "Random(" not in text


def test_every_own_address_can_be_under_a_path() -> None:
    """Templates and scripts put `at(…)` around it, so that it works at https://club.example/illusion/ as well."""
    web = HERE / "src" / "illusion" / "web"
    for path in (web / "templates").glob("*.html"):
        bare = re.findall(r'(?:href|src|action|formaction)="(?:/|{{ urls\.)[^"]*"', path.read_text())
        assert bare == [], path
    for path in (web / "static" / "js").rglob("*.js"):
        bare = re.findall(r"(?<!at\()(?<!import )(?<!from )['`]/[a-z'`].*", COMMENT.sub("", path.read_text()))
        assert bare == [], path


def test_no_test_module_is_imported_and_nothing_but_tests_imports_tests() -> None:
    """What several tests need lies in `harness/`, or beside them in a module that is no test."""
    for folder in ("src", "harness", "tools", "bench", "examples", "tests"):
        imported = r"\S*\.test_" if folder == "tests" else r"(?:tests\b|\S*\.test_)"
        for path in (HERE / folder).rglob("*.py"):
            assert re.findall(rf"^ *(?:from|import) {imported}.*", path.read_text(), re.MULTILINE) == [], path


def test_the_limits_that_operators_read_about_are_the_real_ones() -> None:
    operating = (HERE / "docs" / "operating.md").read_text()
    written = dict(re.findall(r"^\| `(\w+)` \| .* \| (\d+) \|$", operating, re.MULTILINE))
    assert {name: int(number) for name, number in written.items()} == asdict(Limits())
    assert tuple(written) == LIMITS == Limits.names()
    figures = set(re.findall(r"\billusion_\w+", operating))
    known = Telemetry().text(0).decode()
    assert len(figures) > 5
    assert all(figure.removesuffix("_bucket") in known for figure in figures)


def pinned(lock: Path) -> dict[str, str]:
    """The packages of a lock file: what each line begins with, and all its hashes."""
    requirements = re.split(r"\n(?=[a-z0-9])", lock.read_text().strip())
    return {each.partition(" ")[0]: each.partition("# via")[0] for each in requirements}


LOCKS = (HERE / "requirements.lock", *sorted((HERE / "locks").iterdir()))
JAXMARL = HERE / "tools" / "setup" / "jaxmarl.lock"
EXTRAS = ("club", "cluster", "fast", "notify", "postgres", "print", "rl")


@pytest.mark.parametrize("lock", [*LOCKS, JAXMARL], ids=lambda lock: lock.name)
def test_a_lock_names_no_registry_and_hashes_everything(lock: Path) -> None:
    assert "://" not in lock.read_text()
    assert all("==" in name and "--hash=sha256:" in text for name, text in pinned(lock).items())


@pytest.mark.parametrize("folder", ["tests/js", "bench/lighthouse", "bench/peers"])
def test_the_npm_lock_names_no_registry_and_hashes_everything(folder: str) -> None:
    lock = (HERE / folder / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert lock.count('"node_modules/') == lock.count('"integrity": "sha512-')


def test_what_players_install_is_what_was_tested_and_nothing_else() -> None:
    """The build backend, what the package itself depends on, and the same for each extra; hashes and all."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text())
    wanted = {"build": project["build-system"]["requires"], "play": project["project"]["dependencies"]}
    wanted |= {extra: project["project"]["optional-dependencies"][extra] for extra in EXTRAS}
    tested = pinned(HERE / "requirements.lock")
    assert {lock.stem for lock in LOCKS[1:]} == set(wanted)
    for purpose, named in wanted.items():
        lock = pinned(HERE / "locks" / f"{purpose}.lock")
        names = {re.split("[^a-z0-9-]", each)[0] for each in named}
        assert names <= {name.partition("==")[0] for name in lock}, purpose
        assert {name: hashes(text) for name, text in lock.items()} == {name: hashes(tested[name]) for name in lock}
    installed = {name.partition("==")[0] for name in pinned(HERE / "locks" / "play.lock")}
    assert not installed & {"watchfiles", "python-dotenv", "pyyaml", "pytest", "asyncpg"}


def test_whoever_plays_needs_nothing_that_is_not_installed_for_playing() -> None:
    """All that a server loads belongs to Python, to us, or to a package of `locks/play.lock`."""
    code = (
        "import sys; before = {*sys.modules}; import illusion.cli.serve, illusion.web; print(*{*sys.modules} - before)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ran.stdout.split()} - sys.stdlib_module_names
    owners = packages_distributions()
    packages = {re.sub("[-_.]+", "-", owner).lower() for name in loaded for owner in owners.get(name, ())}
    assert packages >= {"starlette", "uvicorn", "websockets"}
    assert packages <= {name.partition("==")[0] for name in pinned(HERE / "locks" / "play.lock")}


def hashes(text: str) -> set[str]:
    return set(re.findall("--hash=sha256:[0-9a-f]{64}", text))


@pytest.mark.parametrize(
    "name", ["Dockerfile", "tools/setup/venv", "tools/setup/pythons", "README.md", "docs/operating.md"]
)
def test_whoever_is_told_to_install_something_checks_its_hashes(name: str) -> None:
    """pip either checks hashes, or gets nothing from a registry. Who plays from a wheel (`GAME`) takes what fits."""
    text = (HERE / name).read_text().replace("\\\n", " ")
    commands = re.findall(r"(?:pip install|^ +install) (?!GAME\b)(.*)", text, re.MULTILINE)
    assert commands
    for command in commands:
        options = command.split("&&")[0]
        assert "--require-hashes" in options or "--no-deps" in options or "$@" in options, options


def test_cookies_are_read_by_our_own_parser() -> None:
    """Python's takes quadratic time for some values (before 3.11.10 and 3.12.6)."""
    for path in (HERE / "src").rglob("*.py"):
        text = path.read_text()
        assert "request.cookies" not in text, path
        assert "http.cookies" not in text, path


def test_nothing_that_was_promised_is_gone() -> None:
    """docs/stability.md says what it means when this fails."""
    promised = RECORDED.read_text("utf-8").splitlines()
    assert len(promised) > 300
    assert sorted(set(promised) - set(surface())) == []


def test_what_the_promise_to_extensions_names_exists() -> None:
    page = (HERE / "docs" / "stability.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| **for extensions**"))
    for module, *names in re.findall(r"`(illusion\.\w+)\.(\w+)`((?:, `\w+`)*)", row):
        for name in re.findall(r"\w+", " ".join(names)):
            assert resolve_name(f"{module}.{name}"), name


def test_the_change_log_has_a_section_of_this_version_and_its_number_is_semantic() -> None:
    assert re.fullmatch(r"[1-9]\d*\.\d+\.\d+", __version__)
    assert re.search(rf"^## {re.escape(__version__)}$", (HERE / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)

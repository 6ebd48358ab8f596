"""Build a release into dist/, and check it as those who get it will: python tools/setup/release.py [--try]

The wheel and the source archive, built twice with the same bytes; what a registry would say to them (twine); the game
played from the wheel in an empty environment, and opened by the README's first lines; the source archive's own tests; a
list of all that is installed with the game (SBOM, CycloneDX); the change log's section as notes; the hashes of it all.
It uploads nothing: a tag does that (`.github/workflows/release.yml`). `--try` does the same for a version that cannot
be tagged yet. Needs the network and the extra `maintain`.
"""

import argparse
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DIST: Final = ROOT / "dist"
BIN: Final = Path(sys.executable).parent
OWN_TESTS: Final = ("tests/rules", "tests/languages", "tests/deck/test_same_everywhere.py", "README.md", "docs")
"""What the source archive is asked: everything that needs no browser, no proxy and no database."""
ENVIRONMENT: Final = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


class NotReady(Exception):
    """A sentence that says what keeps this from being released."""


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """What a command prints; NotReady with its last lines if it fails."""
    ran = subprocess.run(
        command, cwd=cwd, env={**ENVIRONMENT, **environment}, capture_output=True, text=True, check=False
    )
    if ran.returncode != 0:
        lines = "\n".join((ran.stdout + ran.stderr).splitlines()[-25:])
        raise NotReady(f"{' '.join(map(str, command))} failed:\n{lines}")
    return ran.stdout.strip()


def version() -> str:
    (found,) = re.findall('^__version__ = "(.*)"', (ROOT / "src/illusion/__init__.py").read_text("utf-8"), re.MULTILINE)
    return str(found)


def notes(changelog: str, version: str) -> str:
    """The section of this version. Raises NotReady."""
    found = re.search(rf"^## {re.escape(version)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise NotReady(f"CHANGELOG.md has no section of {version}")
    return found[1].strip() + "\n"


def can_be_tagged(version: str) -> None:
    """Everything is committed, and no other commit has the tag. Raises NotReady."""
    if changed := run("git", "status", "--porcelain"):
        raise NotReady(f"not everything is committed:\n{changed}")
    tag = run("git", "tag", "--list", f"v{version}")
    if tag and run("git", "rev-list", "-n1", tag) != run("git", "rev-parse", "HEAD"):
        raise NotReady(f"v{version} is the tag of another commit: raise the version in src/illusion/__init__.py")


def build(folder: Path) -> dict[str, str]:
    """The hashes of what is built there, by name."""
    run(sys.executable, "-m", "hatchling", "build", "--directory", folder)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def opens(*command: str | Path, cwd: Path) -> None:
    """A command that plays, which is ended once its page has an address."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, cwd=cwd, env=ENVIRONMENT, text=True, **streams) as process:  # type: ignore[call-overload]
        line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    if "Illusion is at http://" not in line:
        raise NotReady(f"{' '.join(map(str, command))} did not open the game:\n{line}{rest}")


def play_from(wheel: Path, sdist: Path, folder: Path) -> Path:
    """As the README says, in a folder where nothing is; returns the Python of the environment with the wheel."""
    python = folder / "an evening in Köln" / "bin" / "python"
    run(sys.executable, "-m", "venv", python.parents[1])
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=folder)
    print(run(sys.executable, ROOT / "tools/setup/check_installation.py", python, "--no-print", cwd=folder))
    quiet = ("--port", "0", "--no-browser", "--database", folder / "tables.db")
    opens(python.with_name("illusion"), "play", *quiet, cwd=folder)
    for game in (wheel, sdist):
        opens(BIN / "uvx", "--quiet", "--from", game, "illusion", "play", *quiet, cwd=folder)
    return python


def own_tests(sdist: Path, folder: Path) -> str:
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # not in Python 3.11.2, which Debian 12 has
        archive.extractall(folder)  # noqa: S202  (made just now)  # nosec B202
    root = next(path for path in folder.iterdir() if path.is_dir())
    pytest = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    return run(*pytest, *OWN_TESTS, cwd=root, PYTHONPATH=str(root / "src")).splitlines()[-1]


def bill_of_materials(python: Path, file: Path) -> int:
    """Writes it; how many packages are in it. What installed them is taken away first."""
    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "setuptools", "pip")
    command = (BIN / "cyclonedx-py", "environment", python, "--pyproject", ROOT / "pyproject.toml")
    run(*command, "--output-reproducible", "--validate", "--output-file", file)
    return len(json.loads(file.read_text("utf-8")).get("components", ()))


def release(*, trying: bool) -> None:
    number = version()
    told = notes((ROOT / "CHANGELOG.md").read_text("utf-8"), number)
    if not trying:
        can_be_tagged(number)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for path in DIST.glob("*"):
            path.unlink()
        hashes = build(DIST)
        if build(folder / "again") != hashes:
            raise NotReady("building twice does not make the same files")
        (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
        print(run(BIN / "twine", "check", "--strict", wheel, sdist))
        (folder / "empty").mkdir()
        python = play_from(wheel, sdist, folder / "empty")
        print("the source archive's tests:", own_tests(sdist, folder / "sdist"))
        bill = DIST / f"play_illusion-{number}.cdx.json"
        print(f"installed, the game included: {bill_of_materials(python, bill)} packages, in {bill.name}")
    (DIST / "notes.md").write_text(told, "utf-8")
    hashes[bill.name] = hashlib.sha256(bill.read_bytes()).hexdigest()
    (DIST / "SHA256SUMS").write_text("".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes)), "utf-8")
    print(f"{number} is in {DIST}. Nothing was uploaded; to publish it: git tag v{number} && git push origin v{number}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--try", action="store_true", dest="trying", help="whether or not it could be tagged")
    try:
        release(trying=parser.parse_args().trying)
    except NotReady as reason:
        sys.exit(f"illusion: not ready: {reason}")


if __name__ == "__main__":
    main()

"""Pin the newest version of every dependency, with hashes and without any registry's name: python tools/setup/lock.py

`requirements.lock` has everything, for tests. `locks/` has the same versions by purpose: the build backend, what
playing takes, and what each extra adds, so that nobody installs what they do not use.
`tools/setup/jaxmarl.lock` is JaxMARL for the test that holds ours against it, without the thirty packages it pins: of
JaxMARL that test takes one base class. Needs uv (in the extra `maintain`).
"""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
JAXMARL = ("jaxmarl", "jaxtyping", "wadler-lindig")
EXTRAS = ("club", "cluster", "fast", "notify", "postgres", "print", "rl")
OPTIONS = ("--quiet", "--upgrade", "--universal", "--generate-hashes", "--python-version=3.11", "--no-header")


def compile_lock(file: str, *what: str, stdin: str | None = None) -> None:
    command = [sys.executable, "-m", "uv", "pip", "compile", *OPTIONS, "--output-file", file, *what]
    if subprocess.run(command, cwd=ROOT, input=stdin, text=True, check=False).returncode != 0:
        sys.exit(f"illusion: {file} could not be made; see above")


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    purposes = {
        "build": project["build-system"]["requires"],
        "play": project["project"]["dependencies"],
        **{extra: project["project"]["optional-dependencies"][extra] for extra in EXTRAS},
    }
    compile_lock("requirements.lock", "--all-extras", "pyproject.toml")
    for purpose, wanted in purposes.items():
        compile_lock(f"locks/{purpose}.lock", "--constraint", "requirements.lock", "-", stdin="\n".join(wanted))
    compile_lock("tools/setup/jaxmarl.lock", "--no-deps", "-", stdin="\n".join(JAXMARL))


if __name__ == "__main__":
    main()

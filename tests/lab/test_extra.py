"""The lab can be imported without PettingZoo, and says how to install it when it is needed."""

import subprocess
import sys


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_importing_the_lab_does_not_import_pettingzoo() -> None:
    ran = python("import sys, illusion.lab; print('pettingzoo' in sys.modules, 'gymnasium' in sys.modules)")
    assert ran.stdout == "False False\n", ran.stderr


def test_a_missing_extra_is_named() -> None:
    ran = python("import sys; sys.modules['pettingzoo'] = None; from illusion.lab import env")
    message = "illusion.lab.env needs the extra 'rl': run pip install --require-hashes -r locks/rl.lock"
    assert ran.stderr.endswith(f"ModuleNotFoundError: {message} in Illusion's source folder\n")


def test_the_lab_has_nothing_else() -> None:
    ran = python("import illusion.lab; illusion.lab.nothing")
    assert ran.stderr.endswith("AttributeError: module 'illusion.lab' has no attribute 'nothing'\n")

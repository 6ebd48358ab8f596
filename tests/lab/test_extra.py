"""The lab can be imported without its extras, and says how to install what is missing when it is needed."""

import subprocess
import sys

import pytest


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_importing_the_lab_does_not_import_pettingzoo() -> None:
    ran = python("import sys, illusion.lab; print('pettingzoo' in sys.modules, 'gymnasium' in sys.modules)")
    assert ran.stdout == "False False\n", ran.stderr


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("env", "pettingzoo", "rl"), ("array_game", "jax", "fast"), ("JaxMARL", "jax", "fast")],
)
def test_a_missing_extra_is_named(name: str, package: str, extra: str) -> None:
    ran = python(f"import sys; sys.modules[{package!r}] = None; from illusion.lab import {name}")
    message = f"illusion.lab.{name} needs the extra '{extra}': run pip install --require-hashes -r locks/{extra}.lock"
    assert ran.stderr.endswith(f"ModuleNotFoundError: {message} in Illusion's source folder\n")


def test_the_lab_has_nothing_else() -> None:
    ran = python("import illusion.lab; illusion.lab.nothing")
    assert ran.stderr.endswith("AttributeError: module 'illusion.lab' has no attribute 'nothing'\n")


def test_the_arena_and_its_command_import_no_extra() -> None:
    ran = python(
        "import sys; import illusion.lab.arena, illusion.cli.arena; "
        "print(*(name in sys.modules for name in ('jax', 'gymnasium', 'pettingzoo')))"
    )
    assert ran.stdout == "False False False\n", ran.stderr

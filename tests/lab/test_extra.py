"""The lab can be imported without its extras, and says how to install what is missing when it is needed."""

import subprocess
import sys

import pytest


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


@pytest.mark.parametrize(("name", "extra"), [("numba", "fast"), ("jax", "gpu")])
def test_a_backend_without_its_extra_says_how_to_install_it(name: str, extra: str) -> None:
    ran = python(
        f"import sys; sys.modules[{name!r}] = None; from illusion.lab.batch.engine import backend; backend({name!r})"
    )
    message = f"The backend {name} needs the extra '{extra}': run pip install --require-hashes -r locks/{extra}.lock"
    assert ran.stderr.endswith(f"CannotPlay: {message} in Illusion's source folder.\n")


def test_the_batch_and_its_environment_import_no_extra() -> None:
    ran = python(
        "import sys; from illusion.lab import batch_env; import illusion.lab.arena; "
        "print(*(name in sys.modules for name in ('numba', 'jax', 'gymnasium')))"
    )
    assert ran.stdout == "False False False\n", ran.stderr

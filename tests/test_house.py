"""What we write down about the house is true: rule numbers, the purity of the rules, the lock file."""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent.parent
RULES = HERE / "src" / "illusion" / "rules"
PURE = {"collections", "collections.abc", "dataclasses", "enum", "functools", "random", "typing"}


def test_every_rule_is_in_the_code_and_held_by_a_test() -> None:
    written = re.findall(r"^- (R\d\.\d) ", (HERE / "docs" / "rules.md").read_text(), re.MULTILINE)
    assert len(written) == 24
    code = "".join(path.read_text() for path in RULES.glob("*.py"))
    tests = "".join(path.read_text() for path in (HERE / "tests" / "rules").glob("test_*.py"))
    for number in written:
        part, rule = number[1:].split(".")
        assert re.search(rf"\b{re.escape(number)}\b|R{part}\.\d to R{part}", code), number
        assert re.search(rf"\b{re.escape(number)}\b|_r{part}_{rule}_", tests), number
    assert set(re.findall(r"\bR\d\.\d\b", code + tests)) <= set(written)


@pytest.mark.parametrize("path", sorted(RULES.glob("*.py")), ids=lambda path: path.name)
def test_the_rules_use_nothing_but_a_few_pure_parts_of_the_standard_library(path: Path) -> None:
    """No clock, no files, no network: none of these modules can be imported by accident."""
    for node in ast.walk(ast.parse(path.read_text())):
        imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        imported += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert all(name in PURE or name.startswith("illusion.rules") for name in imported), imported


@pytest.mark.parametrize("path", sorted(RULES.glob("*.py")), ids=lambda path: path.name)
def test_the_rules_draw_no_lot_of_their_own(path: Path) -> None:
    """Of `random` only the type of the generator passed in is used, and nothing global is drawn or seeded."""
    used = re.findall(r"random\.(\w+)", path.read_text())
    assert set(used) <= {"Random"}
    assert "Random(" not in path.read_text()


def test_the_lock_names_no_registry_and_hashes_everything() -> None:
    lock = (HERE / "requirements.lock").read_text()
    assert "://" not in lock
    requirements = re.split(r"\n(?=[a-z0-9])", lock.strip())
    assert len(requirements) > 10
    assert all("--hash=sha256:" in requirement for requirement in requirements)

"""What docs/stability.md promises is there: with each release tests/stable.txt gets more lines and loses none."""

import re
from pathlib import Path
from pkgutil import resolve_name

from illusion import __version__
from tests.stable import RECORDED, surface

ROOT = Path(__file__).parent.parent


def test_nothing_that_was_promised_is_gone() -> None:
    promised = RECORDED.read_text("utf-8").splitlines()
    assert len(promised) > 300
    assert sorted(set(promised) - set(surface())) == []


def test_what_the_page_names_exists() -> None:
    page = (ROOT / "docs" / "stability.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| **for extensions**"))
    for module, *names in re.findall(r"`(illusion\.\w+)\.(\w+)`((?:, `\w+`)*)", row):
        for name in re.findall(r"\w+", " ".join(names)):
            assert resolve_name(f"{module}.{name}"), name


def test_the_change_log_has_a_section_of_this_version_and_its_number_is_semantic() -> None:
    assert re.fullmatch(r"[1-9]\d*\.\d+\.\d+", __version__)
    assert re.search(rf"^## {re.escape(__version__)}$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)

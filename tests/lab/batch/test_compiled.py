"""What numba compiled is kept, and compiled again when what it is made of changes."""

import sys
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType

import pytest

from illusion.lab.batch.compiled import compiled

SOURCE = """
from typing import NamedTuple

class {name}(NamedTuple):
    arrows: int

def doubled(lane):
    return {times} * lane.arrows

made = {name}(3)
"""


def read(folder: Path, name: str, times: int) -> ModuleType:
    """The module as if it were edited and read by another process."""
    (folder / "edited_lanes.py").write_text(SOURCE.format(name=name, times=times))
    sys.modules.pop("edited_lanes", None)
    invalidate_caches()
    return import_module("edited_lanes")


def test_a_class_that_was_renamed_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numba keeps the class of an argument by its name, and cannot read what it kept when the name is gone."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kept = []
    for name, times in (("Lane", 2), ("Lane", 2), ("Place", 2), ("Place", 5)):
        module = read(tmp_path, name, times)
        doubled = compiled(module.doubled, module)
        assert doubled(module.made) == 3 * times
        kept.append((sum(doubled.stats.cache_hits.values()), sum(doubled.stats.cache_misses.values())))
    sys.modules.pop("edited_lanes")
    assert kept[0] == kept[2] == kept[3] == (0, 1)

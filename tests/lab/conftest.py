"""Decks measured once for all tests of the lab, in a cache of their own."""

import os
from importlib.metadata import version
from pathlib import Path

import pytest

# Batches are so small that compiling is all. XLA ends the process if it does not know one of these names.
QUICKLY_COMPILED = [
    "--xla_backend_optimization_level=0",
    "--xla_llvm_disable_expensive_passes=true",
    "--xla_cpu_parallel_codegen_split_count=1",
]
if version("jax").startswith("0.10."):  # which Python 3.11 has; later ones know no such switch
    QUICKLY_COMPILED.append("--xla_cpu_use_fusion_emitters=false")
os.environ.setdefault("XLA_FLAGS", " ".join(QUICKLY_COMPILED))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all workers."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    cache.mkdir(exist_ok=True)
    return cache


@pytest.fixture(scope="session")
def folder(cache: Path) -> Path:
    """Where the user's cache would keep decks."""
    return cache / "illusion"

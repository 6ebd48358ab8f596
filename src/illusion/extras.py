"""The command that installs a missing extra, by the tool that installed Illusion itself."""

import json
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

DISTRIBUTION: Final = "play-illusion"
"""Illusion's name on PyPI, where `illusion` is another project."""


def how_to_install(extra: str) -> str:
    """The command, to follow "run"."""
    try:
        installed = distribution(DISTRIBUTION)
    except PackageNotFoundError:
        return _in_the_source_folder(extra)
    origin = json.loads(installed.read_text("direct_url.json") or "{}")  # PEP 610: none if it came from a registry
    if origin.get("dir_info", {}).get("editable"):
        return _in_the_source_folder(extra)
    wanted = f'"{DISTRIBUTION}[{extra}] @ {origin["url"]}"' if origin else f'"{DISTRIBUTION}[{extra}]"'
    if (installed.read_text("INSTALLER") or "").strip() == "uv":
        return f"uvx --from {wanted} illusion"
    if Path(sys.prefix, "pipx_metadata.json").exists():
        return f"pipx run --spec {wanted} illusion"
    return f'"{sys.executable}" -m pip install {wanted}'


def _in_the_source_folder(extra: str) -> str:
    return f"pip install --require-hashes -r locks/{extra}.lock in Illusion's source folder"

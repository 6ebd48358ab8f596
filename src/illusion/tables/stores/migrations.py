"""Schema migrations: each script brings a store from one version to the next."""

from collections.abc import Sequence

from illusion.tables.stores.base import CannotOpen


def missing(scripts: Sequence[str], version: int) -> Sequence[str]:
    """The scripts that a store of this version still needs. A store made by a newer program is refused."""
    if version > len(scripts):
        raise CannotOpen(f"it was made by a newer Illusion (schema {version}; this one knows {len(scripts)})")
    return scripts[version:]

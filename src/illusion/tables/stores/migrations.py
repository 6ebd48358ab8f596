"""The versions of a schema: each script makes the next one out of the one before, and runs once in a store's life."""

from collections.abc import Sequence

from illusion.tables.stores.base import CannotOpen


def missing(scripts: Sequence[str], version: int) -> Sequence[str]:
    """The scripts that a store of this version still needs; a store from the future is left alone."""
    if version > len(scripts):
        raise CannotOpen(f"it was made by a newer Illusion (schema {version}; this one knows {len(scripts)})")
    return scripts[version:]

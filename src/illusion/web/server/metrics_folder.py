"""The folder where the workers of one server add up their metrics. A new server removes those of killed ones."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PREFIX: Final = "illusion-figures-"
MARK: Final = "watched"
"""A file that the watching process keeps locked; the lock ends with that process, however it ends."""


@contextmanager
def shared_folder() -> Iterator[str]:
    """A new folder, removed at the end; first, those are removed whose servers were killed before they could."""
    _sweep()
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        unmarked = Path(folder, "new")
        with unmarked.open("w") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX)
            unmarked.rename(Path(folder, MARK))  # so there is never a mark that is not locked yet
            yield folder


def _sweep() -> None:
    """Only folders of our own user, and only marked ones: an unmarked one may be in use."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # its server lives, or another one that starts sweeps it up
            if folder.lstat().st_uid == os.geteuid():
                with (folder / MARK).open() as mark:
                    fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder)

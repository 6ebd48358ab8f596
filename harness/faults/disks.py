"""A file system of a few megabytes that can be filled to the last byte under somebody's work, and given room again."""

import errno
import subprocess
import tempfile
from pathlib import Path

import pytest

BLOCK = bytes(4096)


class Disk:
    """Kept in memory (tmpfs): the kernel says that it is full in the same way as for any other disk."""

    def __init__(self, megabytes: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="illusion-disk-"))
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(self.folder)]
        try:
            subprocess.run(mount, check=True, capture_output=True)
        except (FileNotFoundError, subprocess.CalledProcessError):
            self.folder.rmdir()
            pytest.skip("mounting a small file system is not permitted here; it takes root")
        self._ballast = self.folder / "ballast"

    def fill(self) -> None:
        """Something else on this disk takes all that is left."""
        with self._ballast.open("ab", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(BLOCK)
            except OSError as full:
                if full.errno != errno.ENOSPC:
                    raise

    def free(self) -> None:
        self._ballast.unlink()

    def remove(self) -> None:
        """Out of sight at once, and gone with the last process that has a file open there and is just ending."""
        umount = ["umount", "--lazy", str(self.folder)]
        subprocess.run(umount, check=True)
        self.folder.rmdir()

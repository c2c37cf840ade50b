"""A small disk of its own, which can be filled to the last byte."""

import errno
import subprocess
from pathlib import Path

SIZE = "400m"
BLOCK = bytes(1 << 20)


class SmallDisk:
    """A file system in memory, mounted on a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)], check=True)

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self) -> None:
        """Take every free byte."""
        size = len(BLOCK)
        with self._ballast.open("ab", buffering=0) as ballast:
            while size:
                try:
                    ballast.write(BLOCK[:size])
                except OSError as error:
                    assert error.errno == errno.ENOSPC, error
                    size //= 2

    def free(self) -> None:
        """Give the space back."""
        self._ballast.unlink()

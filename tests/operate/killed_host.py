"""A run of a faked host that is killed at a seam: python -m tests.operate.killed_host FOLDER NOW SEAM"""

import os
import sys
from pathlib import Path

from tests.operate.fake_parts import Host


class KilledHost(Host):
    """A host that is lost at a seam."""

    def __init__(self, folder: Path, now: str, seam: int) -> None:
        super().__init__(folder, now, days=0)
        self.last = seam

    def seam(self, name: str) -> None:
        super().seam(name)
        if len(self.calls) == self.last:
            os._exit(137)


if __name__ == "__main__":
    sys.exit(KilledHost(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])).run())

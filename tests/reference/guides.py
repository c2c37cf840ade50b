"""The worked examples of the guides: blocks of code that begin with the name of a file, in a checkout."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import ROOT
from scripts.snapshot.code_archive import code_files

GUIDES = ("CONTRIBUTING.md", "docs/extending.md", "docs/extending-testbed.md")
BLOCK = re.compile(
    r"^```\w+\n(?:#|//|--) ([\w~-]+/[\w./~-]+)(?:, (before|after|in place of): ([^\n]+))?\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A file of its own, or lines at the line `at` of a file: before it, after it, or in place of it."""

    path: str
    place: str
    at: str
    text: str

    def write(self, root: Path) -> None:
        """Write the file, or add the lines to it."""
        path = root / self.path
        if not self.place:
            assert not path.exists(), f"{self.path} exists already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.text, encoding="utf-8")
            return
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (number,) = (number for number, line in enumerate(lines) if line.strip() == self.at)
        first = number + (self.place == "after")
        lines[first : number + (self.place != "before")] = [self.text]
        path.write_text("".join(lines), encoding="utf-8")


def blocks() -> Iterator[Block]:
    """The blocks of all guides, in their order."""
    for guide in GUIDES:
        for found in BLOCK.findall((ROOT / guide).read_text(encoding="utf-8")):
            yield Block(*found)


def write_checkout(root: Path) -> None:
    """A copy of the code and the pinned snapshot, without the sources of pages, with the blocks added."""
    for name in code_files(ROOT):
        if not name.startswith("site/"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
    (root / "data/snapshots").mkdir(parents=True)
    (root / "data/snapshots/reference").symlink_to(ROOT / "data/snapshots/reference")
    for block in blocks():
        block.write(root)

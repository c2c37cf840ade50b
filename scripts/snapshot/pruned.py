"""pruned.json: the files of trials that are not on this disk, because their published copies suffice.

SHA256SUMS does not list it. The pruned files are those below trials/ that SHA256SUMS lists and that are not
there. Unattended operation writes it when it prunes a cycle (scripts/operate/pruning.py) or restores a host.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import write_text
from scripts.base.records import read_record, to_json
from scripts.snapshot.resources import read_resources

NAME = "pruned.json"


@dataclass(frozen=True)
class Pruned:
    """The day (UTC), where the published copies are, and how much was pruned."""

    date: str
    remote: str
    files: int
    bytes: int


def read_pruned(snapshot: Path) -> Pruned | None:
    """Read pruned.json; None if every file is on this disk.

    Raises:
        UserError: the file is wrong.
    """
    path = snapshot / NAME
    return read_record(Pruned, path) if path.exists() else None


def write_pruned(snapshot: Path, pruned: Pruned) -> None:
    """Write pruned.json, whole or not at all."""
    write_text(snapshot / NAME, json.dumps(to_json(pruned), indent=1) + "\n")


def pruned_sizes(snapshot: Path) -> dict[Path, int]:
    """The bytes of every file of a trial, by datapackage.json; empty if every file is on this disk.

    Raises:
        UserError: datapackage.json is missing or wrong.
    """
    if read_pruned(snapshot) is None:
        return {}
    return {Path(one.path): one.bytes for one in read_resources(snapshot)}


def size_of(snapshot: Path, path: Path, pruned: Mapping[Path, int]) -> int:
    """The bytes of a trial's file, which may be pruned.

    Raises:
        UserError: it is not there, and not pruned.
    """
    if (snapshot / path).is_file():
        return (snapshot / path).stat().st_size
    if path not in pruned:
        raise UserError(f"{snapshot / path}: is missing; fetch the snapshot again")
    return pruned[path]

"""What describes a snapshot to other programs: datapackage.json, croissant.json, ro-crate-metadata.json.

They are written last, because datapackage.json lists every other file with its checksum. The same snapshot
gives the same bytes.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from scripts.base.files import write_text
from scripts.base.records import Json
from scripts.snapshot import crate, croissant, descriptor
from scripts.snapshot.about import listed_files, read_about
from scripts.snapshot.absent import PACKAGE
from scripts.snapshot.checksums import digest
from scripts.snapshot.trial_runs import read_runs


def write_metadata(snapshot: Path, sums: Mapping[Path, str] | None = None) -> dict[Path, str]:
    """Describe a snapshot that has all its other files but SHA256SUMS.

    Args:
        snapshot: the folder.
        sums: the SHA-256 of files, if they are known already.

    Returns:
        The SHA-256 of every file of the snapshot.

    Raises:
        UserError: a file that says what the snapshot is, is missing or wrong.
    """
    about, known = read_about(snapshot), dict(sums or {})
    for name in (croissant.NAME, crate.NAME, PACKAGE):
        (snapshot / name).unlink(missing_ok=True)
    files = listed_files(snapshot, known)
    known = {file.path: file.sha256 for file in files}
    _write(croissant.croissant(about, files), "recordSet", snapshot / croissant.NAME, known)
    _write(crate.crate(about, files, read_runs(snapshot, files)), "@graph", snapshot / crate.NAME, known)
    files = listed_files(snapshot, known)
    _write(descriptor.datapackage(about, files), "resources", snapshot / PACKAGE, known)
    return known


def _write(description: Mapping[str, Json], key: str, path: Path, sums: dict[Path, str]) -> None:
    """Write a description, and keep its checksum. Each item of its longest list has a line."""
    items = description[key]
    assert isinstance(items, list)
    head = _line({name: value for name, value in description.items() if name != key})
    lines = ",\n".join(map(_line, items))
    write_text(path, f"{head[:-1]},{_line(key)}:[\n{lines}\n]}}\n")
    sums[Path(path.name)] = digest(path)


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

"""bundle.tar: whole snapshots in one file. The same snapshots give the same bytes.

Names are sorted. Owner, time and mode are the same for every file.
"""

import tarfile
from collections.abc import Iterable
from pathlib import Path

from scripts.base.files import replacing

BUNDLE = "bundle.tar"


def write_bundle(snapshots: Iterable[Path], bundle: Path) -> None:
    """Write the files of snapshots, each in a folder of its snapshot's name.

    Args:
        snapshots: their folders, in any order. Links in them are followed.
        bundle: the file to write, whole or not at all.
    """
    files = {
        f"{folder.name}/{path.relative_to(folder).as_posix()}": path
        for folder in snapshots
        for path in folder.rglob("*")
        if path.is_file()
    }
    with (
        replacing(bundle) as fresh,
        tarfile.open(fresh, "w", format=tarfile.PAX_FORMAT, encoding="utf-8") as archive,
    ):
        for name in sorted(files):
            _add(archive, name, files[name])


def _add(archive: tarfile.TarFile, name: str, path: Path) -> None:
    """Add a file without what differs between two hosts."""
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = path.stat().st_size, 0o644
    with path.open("rb") as content:
        archive.addfile(entry, content)

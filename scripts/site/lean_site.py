"""A site of only lean snapshots: a clone without other cycles shows it.

The lean snapshots in lean/ of the archive come with the code. They are unpacked into lean/ of the site. A
site that has this folder shows no other cycle. It is never published, and no site of other cycles takes
over any of its files.
"""

from pathlib import Path

from scripts.site.addresses import Place
from scripts.site.previous_site import cycles_of, provisional_of
from scripts.site.snapshots import Snapshot, read_snapshots
from scripts.snapshot.lean_format import LEAN_FOLDER, SUFFIX, unpack


def is_lean_site(site: Path) -> bool:
    """Whether a site shows only lean snapshots."""
    return (site / LEAN_FOLDER).is_dir()


def has_other_cycles(site: Path) -> bool:
    """Whether a site shows a finished or running cycle that is not a lean snapshot."""
    return not is_lean_site(site) and bool(cycles_of(site) or provisional_of(site))


def unpack_lean(archive: Path, site: Path) -> dict[Place, Snapshot]:
    """Unpack the lean snapshots of an archive into a site.

    Raises:
        UserError: a file is damaged or has the name of another snapshot.
    """
    files = sorted((archive / LEAN_FOLDER).glob(f"[!.]*{SUFFIX}"))
    for file in files:
        unpack(file, site / LEAN_FOLDER)
    return read_snapshots(site / LEAN_FOLDER) if files else {}

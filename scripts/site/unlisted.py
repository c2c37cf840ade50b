"""The unlisted pages of a submission: a site of its own, which nothing else links to.

    index.html, cycles/, data/v1/, …     as in the archive, without sitemap, feeds and robots.txt
    captures/                            the trials, as files: the folder works wherever it is copied
    bundle.tar                           the snapshot, whole

The folder belongs at <address of the archive>unlisted/<token>/. It is never a part of the archive.
"""

import re
import tarfile
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import link, replacing
from scripts.site.archive import build_cycles, finish
from scripts.site.assembly import assembling
from scripts.site.headers import UNLISTED_ADDRESSES
from scripts.site.settings import SiteSettings, Unlisted
from scripts.site.snapshots import read_snapshots

TOKEN = re.compile(r"[0-9a-f]{32}")
"""A token: 128 random bits in hexadecimal."""

CAPTURES, BUNDLE = "captures/", "bundle.tar"


def build_unlisted(
    snapshots: Path, token: str, output: Path, settings: SiteSettings, until: str | None = None
) -> None:
    """Make the unlisted site of the snapshots in a folder, whole or not at all.

    The same snapshots, token and day give the same bytes. Captures are hard links to the snapshot where that
    is possible.

    Args:
        snapshots: the folder of the snapshots, all of which become part of it.
        token: what its address ends with.
        output: the folder to make or to replace.
        settings: those of the archive.
        until: the day of the release (ISO 8601), which the pages name; None: they name none.

    Raises:
        UserError: the token or the day is wrong; there is no snapshot, or it is damaged; or `output` is
            something else than an unlisted site.
    """
    output = output.resolve()
    own = _settings_of(settings, token, until)
    by_place = read_snapshots(snapshots)
    if not by_place:
        raise UserError(f"{snapshots}: has no snapshot; freeze the cycle first")
    if output.exists() and any(output.iterdir()) and not (output / BUNDLE).exists():
        raise UserError(f"{output}: is not an unlisted site, so it is not replaced; name another folder")
    with assembling(output) as site:
        published = build_cycles(by_place, site, own)
        for place, snapshot in by_place.items():
            trials = snapshot.folder / "trials"
            for path in (file for file in sorted(trials.rglob("*")) if file.is_file()):
                link(path, site / place.captures(CAPTURES) / path.relative_to(trials))
        finish(
            output, site, own, published, {place: snapshot.tombstone for place, snapshot in by_place.items()}
        )
        _write_bundle([snapshot.folder for snapshot in by_place.values()], site / BUNDLE)


def _settings_of(settings: SiteSettings, token: str, until: str | None) -> SiteSettings:
    """The settings of the archive with another address.

    Raises:
        UserError: the token or the day is wrong.
    """
    if not TOKEN.fullmatch(token):
        raise UserError("token: is not 32 hexadecimal digits in small letters; take it from the submission")
    if until is not None and not _is_day(until):
        raise UserError(f"release: {until!r} is not a day; write it as 2027-01-31")
    address = f"{settings.address}{UNLISTED_ADDRESSES}{token}/"
    return replace(settings, address=address, captures=CAPTURES, doi=None, unlisted=Unlisted(until))


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _write_bundle(snapshots: Iterable[Path], bundle: Path) -> None:
    """Write the files of snapshots, each in a folder of its snapshot's name. The same give the same bytes.

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

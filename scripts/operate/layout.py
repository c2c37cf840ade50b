"""What belongs on the remote: every file of this host with its address there, and the order of sending.

    captures/<campaign>/<label>/<setting>/<pair>/<nn>/…   the trials of a snapshot
    snapshots/<folder>/…                                  the snapshot without its trials
    snapshots/chain.jsonl, successors/…                   the chain and the keys that follow: docs/signing.md
    data/v1/…, cycles/…, services/…, index.html, …        the site, at the addresses that it has
    operate/cycles/<campaign>-<label>.json                the records of cycles
    operate/pages.txt                                     see publishing.py
    unlisted/<token>/…                                    see submissions/unlisted.py

Captures are there also if config/site.yaml names another address for them. That address must lead there.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.operate.context import FOLDER, Context
from scripts.operate.records import CYCLES, read_records
from scripts.site.addresses import REVISION, Place
from scripts.site.headers import FROZEN, UNLISTED_ADDRESSES, headers_of
from scripts.site.lean_site import is_lean_site
from scripts.site.previous_site import cycles_of, tombstones_of
from scripts.site.snapshots import Snapshot, read_snapshots
from scripts.snapshot import signatures
from scripts.snapshot.chain import CHAIN_FILE as CHAIN
from scripts.snapshot.checksums import PRUNED, PUBLISHED_WITHOUT_CHECKSUM, read_checksums
from scripts.snapshot.identity import IDENTITY, SIGNATURE
from scripts.snapshot.signatures import SIGNERS
from scripts.snapshot.signatures import SUCCESSORS as FOLLOWERS

CAPTURES = "captures/"
SNAPSHOTS = "snapshots/"
RECORDS = f"{FOLDER}/{CYCLES}/"
PAGES = f"{FOLDER}/pages.txt"
PERMANENT = (CAPTURES, SNAPSHOTS, "cycles/", "data/", f"{FOLDER}/")
"""What never vanishes from the remote, except files that a tombstone names."""

TRIALS = "trials"
STAGES = ("files", "manifests", "pages of cycles", "other pages", "first page")
SUCCESSORS = f"{SNAPSHOTS}{signatures.SUCCESSORS}/"
CHAIN_FILES = (CHAIN, CHAIN + SIGNATURE)
CHANGING = {*PUBLISHED_WITHOUT_CHECKSUM, *CHAIN_FILES}
"""The files below snapshots/ that may change. Another SHA256SUMS is refused (publishing.py)."""

MANIFESTS = {
    *CHANGING,
    IDENTITY,
    "manifest.parquet",
    "index.json",
    "summary.json",
    "summary.parquet",
}
LAST = ("latest/", FOLDER)
FIRST_PAGE = {"index.html", "feed.xml", "sitemap.xml"}


def stage_of(address: str) -> int:
    """When a file is sent: the index in STAGES. No page is sent before what it shows or leads to."""
    name = address.rpartition("/")[2]
    if address.startswith(LAST) or address in FIRST_PAGE:
        return 4
    if name.endswith((".html", ".xml")):
        return 2 if address.startswith("cycles/") else 3
    return 1 if name in MANIFESTS else 0


def headers_at(address: str) -> dict[str, str]:
    """The type and the cache of an object, as scripts/site/headers.py has them."""
    headers = headers_of(address, CAPTURES)
    return {name: headers[name] for name in ("Content-Type", "Cache-Control")}


def unlisted_headers(address: str) -> dict[str, str]:
    """The type and the cache of an object of an unlisted site."""
    return headers_at(f"{UNLISTED_ADDRESSES}{address}")


def is_frozen(address: str) -> bool:
    """Whether the file at an address never changes."""
    name = address.rpartition("/")[2]
    return headers_at(address)["Cache-Control"] == FROZEN or (
        address.startswith(SNAPSHOTS) and name not in CHANGING and not address.startswith(SUCCESSORS)
    )


def place_of(address: str, folders: Mapping[str, Place]) -> Place | None:
    """The cycle to which a file belongs; None for all others. `folders` are those of the snapshots."""
    parts = address.split("/")
    if parts[0] == "snapshots":
        return folders.get(parts[1])
    if parts[0] == "captures":
        return place_named(parts[1], parts[2])
    if parts[:2] == ["data", "v1"] and len(parts) == 6:
        return place_named(parts[3].removeprefix("campaign="), parts[4].removeprefix("cycle="))
    if parts[0] == "cycles" and len(parts) > 3:
        later = int(parts[3][1:]) if len(parts) > 4 and REVISION.fullmatch(parts[3]) else 1
        return Place(parts[1], parts[2], later)
    return None


def place_named(campaign: str, label: str) -> Place:
    """The cycle of this label, which may end with its revision."""
    cycle, _, revision = label.partition(".r")
    return Place(campaign, cycle, int(revision) if revision.isdigit() else 1)


OUTBOX = "outbox"


@dataclass(frozen=True)
class Layout:
    """What belongs on the remote.

    Attributes:
        files: the file of this disk at each address.
        elsewhere: the files of pruned trials, which must be on the remote already.
        removed: the files that were taken back, which must not be there.
        settled: the cycles whose published copy was verified.
        snapshots: the published snapshots.
    """

    files: Mapping[str, Path]
    elsewhere: frozenset[str]
    removed: frozenset[str]
    settled: frozenset[Place]
    snapshots: Mapping[Place, Path]

    def of_cycle(self, place: Place) -> list[str]:
        """The addresses of the files of a cycle, sorted."""
        folders = {folder.name: place for place, folder in self.snapshots.items()}
        return sorted(address for address in self.files if place_of(address, folders) == place)

    def pruned(self) -> dict[str, Path]:
        """Where each pruned file would be on this disk, by its address."""
        return {
            address: folder / TRIALS / address.removeprefix(captures)
            for place, folder in self.snapshots.items()
            for captures in [place.captures(CAPTURES)]
            for address in self.elsewhere
            if address.startswith(captures)
        }


def layout_of(context: Context) -> Layout:
    """What belongs on the remote, by the site, the snapshots and the records of this host.

    Raises:
        UserError: there is no site, it shows lean snapshots alone, or a file of a snapshot is missing.
    """
    if not (context.public / "index.html").is_file():
        raise UserError(f"{context.public}: is no site; run make site")
    if is_lean_site(context.public):
        problem = "shows lean snapshots, which may be those of others, so it is not published"
        raise UserError(f"{context.public}: {problem}; freeze a cycle, or unpack them, and run make site")
    files = dict(_of_site(context.public))
    files |= {f"{RECORDS}{path.name}": path for path in (context.folder / CYCLES).glob("[!.]*.json")}
    files |= _of_chain(context.snapshots)
    snapshots = _published_snapshots(context)
    removed = {
        _address(place, Path("captures"), file.path)
        for place, tombstone in tombstones_of(context.public).items()
        for file in tombstone.removed
    }
    elsewhere: set[str] = set()
    for place, snapshot in snapshots.items():
        removed |= {_address(place, snapshot.folder, file.path) for file in snapshot.tombstone.removed}
        for path in _listed(snapshot.folder):
            address = _address(place, snapshot.folder, path)
            if (snapshot.folder / path).is_file():
                files[address] = snapshot.folder / path
            elif address not in removed:
                elsewhere.add(_pruned(snapshot.folder, path, address))
    for address in removed:
        files.pop(address, None)
    folders = {place: snapshot.folder for place, snapshot in snapshots.items()}
    return Layout(files, frozenset(elsewhere), frozenset(removed), _settled(context), folders)


@contextmanager
def outbox(context: Context, layout: Layout) -> Iterator[Path]:
    """A folder in which every file of the layout stands at its address, by symbolic links to folders."""
    folder = context.folder / OUTBOX
    shutil.rmtree(folder, ignore_errors=True)
    try:
        targets = {f"{FOLDER}/{CYCLES}": context.folder / CYCLES}
        for path in context.public.iterdir():
            if path.name != CAPTURES.rstrip("/"):
                targets[path.name] = path
        for place, snapshot in layout.snapshots.items():
            targets[place.captures(CAPTURES).rstrip("/")] = snapshot / TRIALS
            targets[f"{SNAPSHOTS}{snapshot.name}"] = snapshot
        targets |= _of_chain(context.snapshots)
        for address, target in targets.items():
            link = folder / address
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(target.resolve())
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _of_site(public: Path) -> Iterator[tuple[str, Path]]:
    """The files of the site by their addresses, without captures."""
    for folder, folders, names in os.walk(public):
        below = Path(folder).relative_to(public)
        folders[:] = [
            name
            for name in folders
            if not (Path(folder) / name).is_symlink() and (below / name).as_posix() != CAPTURES.rstrip("/")
        ]
        for name in names:
            if not name.startswith("."):
                yield (below / name).as_posix(), Path(folder) / name


def _of_chain(snapshots: Path) -> dict[str, Path]:
    """The chain of signed snapshots, and the keys that follow, by their addresses."""
    files = {f"{SNAPSHOTS}{name}": snapshots / name for name in CHAIN_FILES if (snapshots / name).is_file()}
    if not files:
        return {}
    followers = sorted((SIGNERS.parent / FOLLOWERS).glob("[0-9][0-9]*"))
    return files | {f"{SUCCESSORS}{path.name}": path for path in followers}


def _published_snapshots(context: Context) -> dict[Place, Snapshot]:
    """The snapshots from which the pages of the site were built."""
    published = cycles_of(context.public)
    snapshots_by_place = read_snapshots(context.snapshots) if context.snapshots.is_dir() else {}
    return {
        place: snapshot
        for place, snapshot in snapshots_by_place.items()
        if place in published and published[place].checksum == snapshot.checksum
    }


def _listed(snapshot: Path) -> list[str]:
    """Every file of a snapshot, as SHA256SUMS has it, with those that it cannot list."""
    others = [name for name in PUBLISHED_WITHOUT_CHECKSUM if (snapshot / name).is_file()]
    return [path.as_posix() for path in read_checksums(snapshot)] + others


def _address(place: Place, snapshot: Path, path: str) -> str:
    """Where a file of a snapshot stands on the remote."""
    if path.startswith(f"{TRIALS}/"):
        return place.captures(CAPTURES) + path.removeprefix(f"{TRIALS}/")
    return f"{SNAPSHOTS}{snapshot.name}/{path}"


def _pruned(snapshot: Path, path: str, address: str) -> str:
    """The address of a file that is missing, if it was pruned."""
    if not (snapshot / PRUNED).is_file() or not path.startswith(f"{TRIALS}/"):
        raise UserError(f"{snapshot / path}: is missing; restore the snapshot")
    return address


def _settled(context: Context) -> frozenset[Place]:
    """The cycles that were verified after they were published to this remote."""
    remote = context.settings.publish.remote
    return frozenset(
        place_named(record.campaign, record.cycle)
        for record in read_records(context.folder)
        if record.completed is not None and record.remote == remote
    )

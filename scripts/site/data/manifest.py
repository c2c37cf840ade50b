"""manifest.parquet in the folder of a cycle's pages: every file of the cycle with its checksum.

HTML pages are left out, because their status line may change. So is the manifest itself.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa

from scripts.base.files import digest, replacing
from scripts.base.parquet import write_rows
from scripts.model.trials import TrialKey
from scripts.site.addresses import REVISION, Place
from scripts.site.data.summary import JSON, PARQUET
from scripts.snapshot.absent import pruned_sizes, read_tombstone, size_of
from scripts.snapshot.checksums import read_checksums

NAME = "manifest.parquet"

SCHEMA = pa.schema(
    [
        pa.field("address", pa.string(), nullable=False),  # relative to the site's root, or a URL
        pa.field("kind", pa.string(), nullable=False),  # as below, table or other
        pa.field("setting", pa.string()),
        pa.field("pair", pa.string()),
        pa.field("trial", pa.int32()),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
    ]
)

FOLDER_KINDS = {"charts": "chart", "css": "style", "js": "script"}
FILE_KINDS = {
    JSON: "summary",
    PARQUET: "summary",
    "downloads/config.json": "configuration",
    "downloads/cycle.json": "provenance",
}
ENDING_KINDS = {".pcapng.zst": "capture", ".bin.zst": "log", ".json": "record"}
"""The kinds of a trial's files. A record is trial.json, flows.json or qoe.json."""


@dataclass(frozen=True, order=True)
class ManifestEntry:
    """A row of the manifest. Files that belong to no single trial have no setting, pair and trial."""

    address: str
    kind: str
    bytes: int
    sha256: str
    setting: str | None = None
    pair: str | None = None
    trial: int | None = None


def own_files(pages: Path) -> list[Path]:
    """The files below the folder of a cycle's pages, relative to it, without those of later revisions."""
    paths = (path.relative_to(pages) for path in pages.rglob("*") if path.is_file())
    return sorted(path for path in paths if not REVISION.fullmatch(path.parts[0]))


def write_manifest(snapshot: Path, site: Path, pages: Path, place: Place, captures: str) -> None:
    """Write manifest.parquet into the folder of a cycle's pages, after everything else there.

    The files of trials are listed as they were published, also those that were removed or pruned since.

    Args:
        snapshot: the snapshot of the cycle.
        site: the root of the site, whose data/v1/ has the cycle's tables.
        pages: the folder of the cycle's pages.
        place: the cycle.
        captures: the base address of captures.

    Raises:
        UserError: SHA256SUMS of the snapshot is missing, or a file that it lists.
    """
    entries = [
        *_tables(site, place),
        *_files_of_pages(snapshot, pages, place),
        *_files_of_trials(snapshot, place.captures(captures)),
    ]
    rows = [asdict(entry) for entry in sorted(entries, key=lambda entry: entry.address)]
    with replacing(pages / NAME) as fresh:
        write_rows(fresh, pa.Table.from_pylist(rows, schema=SCHEMA))


def _tables(site: Path, place: Place) -> list[ManifestEntry]:
    """The tables in data/v1/."""
    return [
        ManifestEntry(path.relative_to(site).as_posix(), "table", path.stat().st_size, digest(path))
        for form in ("parquet", "csv")
        for path in site.glob(place.table("*", form))
    ]


def _files_of_pages(snapshot: Path, pages: Path, place: Place) -> list[ManifestEntry]:
    """Charts, downloads, styles and summaries."""
    of_trials = {path.name: path for path in (snapshot / "charts/trials").glob("*/*/*")}
    return [
        _entry_of_page(pages, path, place, of_trials.get(path.name) if path.parts[0] == "charts" else None)
        for path in own_files(pages)
        if path.suffix != ".html" and path != Path(NAME)
    ]


def _entry_of_page(pages: Path, path: Path, place: Place, chart: Path | None) -> ManifestEntry:
    """A file in the folder of the pages. `chart` is the same chart of a trial in the snapshot."""
    kind = FILE_KINDS.get(path.as_posix()) or FOLDER_KINDS.get(path.parts[0], "other")
    file = pages / path
    entry = (place.pages + path.as_posix(), kind, file.stat().st_size, digest(file))
    if chart is None:
        return ManifestEntry(*entry)
    setting, pair = chart.parts[-3:-1]
    return ManifestEntry(*entry, setting, pair, int(chart.stem.rpartition("-")[2]))


def _files_of_trials(snapshot: Path, captures: str) -> list[ManifestEntry]:
    """Every published file of a trial, by SHA256SUMS."""
    removed = {entry.path: entry.bytes for entry in read_tombstone(snapshot).removed}
    entries, pruned = [], pruned_sizes(snapshot)
    for path, checksum in read_checksums(snapshot).items():
        if path.parts[0] == "trials":
            name = path.as_posix()
            size = removed[name] if name in removed else size_of(snapshot, path, pruned)
            key = TrialKey.of(path.parent)
            address = captures + path.relative_to("trials").as_posix()
            kind = next((kind for ending, kind in ENDING_KINDS.items() if name.endswith(ending)), "other")
            entries.append(ManifestEntry(address, kind, size, checksum, key.setting, key.pair, key.number))
    return entries

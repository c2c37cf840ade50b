"""manifest.parquet: every file of a cycle once, with its size and checksum."""

import json
import shutil

import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.base.files import digest
from scripts.site.data.manifest import NAME, SCHEMA, write_manifest
from tests.site.data.conftest import PLACES

FIRST, _SECOND, CORRECTED = PLACES
TRIAL = "captures/demo/2026-11-21/8mbps/iperf-bbr~iperf-cubic/01/"


def manifest(root, place=FIRST):
    """The rows by address."""
    table = pq.ParquetFile(root / place.pages / NAME).read()
    assert SCHEMA == table.schema
    return {row["address"]: row for row in table.to_pylist()}


def test_it_lists_every_file_of_the_cycle_and_no_other(archive):
    for place in PLACES:
        published = [
            *(archive.root / place.pages).rglob("*"),
            *archive.root.glob(f"data/v1/*/campaign=demo/cycle={place.label}/*"),
        ]
        below = {path.relative_to(archive.root).as_posix() for path in published if path.is_file()}
        own = {path for path in below if not path.startswith(CORRECTED.pages) or place == CORRECTED}
        captures = {
            place.captures("captures/") + path.relative_to(archive.snapshot / "trials").as_posix()
            for path in (archive.snapshot / "trials").rglob("*")
            if path.is_file()
        }
        expected = {path for path in own if not path.endswith((".html", NAME))} | captures
        assert expected == manifest(archive.root, place).keys()


def test_sizes_and_checksums_are_those_of_the_files(archive):
    for address, row in manifest(archive.root).items():
        trial = archive.snapshot / "trials" / address.removeprefix(FIRST.captures("captures/"))
        path = trial if address.startswith("captures/") else archive.root / address
        assert (path.stat().st_size, digest(path)) == (row["bytes"], row["sha256"])


@pytest.mark.parametrize(
    ("address", "kind", "trial"),
    [
        (f"{TRIAL}client-c1.pcapng.zst", "capture", ("8mbps", "iperf-bbr~iperf-cubic", 1)),
        (f"{TRIAL}queue.bin.zst", "log", ("8mbps", "iperf-bbr~iperf-cubic", 1)),
        (f"{TRIAL}trial.json", "record", ("8mbps", "iperf-bbr~iperf-cubic", 1)),
        (f"{FIRST.pages}charts/share-8mbps.svg", "chart", (None, None, None)),
        (f"{FIRST.pages}charts/trial-8mbps-iperf-bbr-01.svg", "chart", ("8mbps", "iperf-bbr", 1)),
        (f"{FIRST.pages}downloads/config.json", "configuration", (None, None, None)),
        (f"{FIRST.pages}summary.json", "summary", (None, None, None)),
        (FIRST.table("pairs", "csv"), "table", (None, None, None)),
    ],
)
def test_a_file_has_a_kind_and_its_trial(archive, address, kind, trial):
    row = manifest(archive.root)[address]
    assert (kind, *trial) == tuple(row[name] for name in ("kind", "setting", "pair", "trial"))


def written(snapshot, archive, root, captures="captures/"):
    """The rows of another manifest of the first cycle, of a folder without pages."""
    pages = root / FIRST.pages
    pages.mkdir(parents=True, exist_ok=True)
    write_manifest(snapshot, archive.root, pages, FIRST, captures)
    return manifest(root)


def test_captures_elsewhere_are_listed_by_their_url(archive, tmp_path):
    base = "https://captures.example.org/v1/"
    rows = written(archive.snapshot, archive, tmp_path, base)
    captures = {address for address, row in rows.items() if row["kind"] == "capture"}
    assert f"{base}demo/2026-11-21/8mbps/iperf-bbr/01/client-c1.pcapng.zst" in captures
    assert all(address.startswith(base) for address in captures)


def test_a_removed_file_stays_listed_with_what_it_was(archive, tmp_path):
    snapshot = shutil.copytree(archive.snapshot, tmp_path / "snapshot")
    name = "8mbps/iperf-bbr~iperf-cubic/01/queue.bin.zst"
    was = manifest(archive.root)[f"{TRIAL}queue.bin.zst"]
    (snapshot / "trials" / name).unlink()
    with pytest.raises(UserError, match=r"queue\.bin\.zst: is missing"):
        written(snapshot, archive, tmp_path)
    removed = {key: was[key] for key in ("bytes", "sha256")}
    removed |= {"path": f"trials/{name}", "date": "2026-12-24", "reason": "an address"}
    (snapshot / "tombstone.json").write_text(json.dumps({"removed": [removed]}))
    assert was == written(snapshot, archive, tmp_path)[f"{TRIAL}queue.bin.zst"]

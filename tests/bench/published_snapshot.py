"""Publish a generated snapshot of the paper's size: all files with their true sizes, captures full of zeros.

Captures are sparse, so the disk holds only what is in the other files.
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path, PurePosixPath

from scripts.site.addresses import Place
from scripts.snapshot.checksums import files_of, write_checksums
from tests.bench.generated_snapshot import CAMPAIGN, CYCLE

FOLDER = f"{CAMPAIGN}-{CYCLE}"
FULL_RATE = "50mbps"
SLOWER = 8 / 50
"""The captures of the other setting have fewer packets by this."""

SPECIFICATION_BYTES = 1_200
TYPES = {".zst": "application/zstd", ".json": "application/json"}


def publish(snapshot: Path, site: Path) -> None:
    """Complete what `generated_snapshot` wrote, and publish it below the folder of a site.

    Args:
        snapshot: its folder, in the folder of the snapshots.
        site: the folder to make, which `scripts.site.serve` can serve.
    """
    captures = _write_captures(snapshot)
    for trial in sorted((snapshot / "trials").glob("*/*/*")):
        _write_specification(snapshot / "plan/specs" / trial.relative_to(snapshot / "trials"))
    sums = {path: captures.get(path) or _digest(snapshot / path) for path in files_of(snapshot)}
    sums.pop(Path("datapackage.json"))
    resources = [_described(snapshot, path, checksum) for path, checksum in sums.items()]
    (snapshot / "datapackage.json").write_text(json.dumps({"resources": resources}, indent=1))
    write_checksums(snapshot, sums)
    link = site / Place(CAMPAIGN, CYCLE).captures("captures/").rstrip("/")
    link.parent.mkdir(parents=True)
    link.symlink_to(snapshot / "trials")
    (site / "index.html").touch()


def total_bytes(snapshot: Path) -> int:
    """The bytes of all files of a folder."""
    return sum(path.stat().st_size for path in snapshot.rglob("*") if path.is_file())


def solos_of(pair: str) -> list[str]:
    """The solos of the services of a pair."""
    return sorted(set(pair.split("~")))


def cell(listed: dict[PurePosixPath, str], setting: str, pair: str) -> list[PurePosixPath]:
    """The files of all trials of a pair and of its services alone."""
    names = {pair, *solos_of(pair)}
    return sorted(
        path
        for path in listed
        if path.parts[0] == "trials" and path.parts[1] == setting and path.parts[2] in names
    )


def _write_captures(snapshot: Path) -> dict[Path, str]:
    """Write the files of all trials but trial.json, as sparse files; returns their checksums."""
    found = {}
    for one in json.loads((snapshot / "datapackage.json").read_text())["resources"]:
        path = Path(one["path"])
        alone = "~" not in path.parts[2] and path.name == "client-c2.pcapng.zst"
        if path.name == "trial.json" or alone:
            continue
        size = round(one["bytes"] * (1 if path.parts[1] == FULL_RATE else SLOWER))
        with (snapshot / path).open("wb") as stream:
            os.truncate(stream.fileno(), size)
        found[path] = _digest_of_zeros(size)
    return found


def _write_specification(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".json").write_text("x" * SPECIFICATION_BYTES)


def _described(snapshot: Path, path: Path, checksum: str) -> dict[str, object]:
    """What datapackage.json tells of a file."""
    return {
        "name": "-".join(path.parts).lower().replace("~", "."),
        "path": path.as_posix(),
        "mediatype": TYPES.get(path.suffix, "application/octet-stream"),
        "bytes": (snapshot / path).stat().st_size,
        "hash": f"sha256:{checksum}",
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _digest_of_zeros(size: int) -> str:
    digest, piece = hashlib.sha256(), bytes(1 << 20)
    for _ in range(size // len(piece)):
        digest.update(piece)
    digest.update(bytes(size % len(piece)))
    return digest.hexdigest()

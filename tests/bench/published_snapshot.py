"""Complete a generated snapshot of the paper's size with the files that it lacks, and publish it.

Most captures and queue logs are sparse files of zeros, as large as those of the trials that have captures of
their own, or larger in a faster setting. These trials are shorter than the paper's. All other files are there
as they would be, so their share in what is fetched is larger than the paper's.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from scripts.base.files import digest
from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.site.addresses import Place
from scripts.snapshot.checksums import files_of, write_checksums
from tests.bench.generated_snapshot import CAMPAIGN, CYCLE

FOLDER = f"{CAMPAIGN}-{CYCLE}"
RATES = {"50mbps": 50 / 8, "8mbps": 1.0}
"""How many packets a trial of a setting has, against one of the trials with captures of their own."""

SPECIFICATION = {"what": "the specification of a trial", "padding": "x" * 1_200}
TYPES = {".zst": "application/zstd", ".json": "application/json"}


def publish(snapshot: Path, site: Path, measured: Mapping[TrialKey, Path]) -> None:
    """Complete what `generated_snapshot` wrote, and make a site whose captures are its trials.

    Args:
        snapshot: its folder, in the folder of the snapshots.
        site: the folder to make.
        measured: the published files of the trials that have captures of their own.
    """
    captures = _write_captures(snapshot, measured)
    _write_plan(snapshot)
    sums = {path: captures.get(path) or digest(snapshot / path) for path in files_of(snapshot)}
    sums.pop(Path("datapackage.json"))
    resources = [_described(snapshot, path, checksum) for path, checksum in sums.items()]
    (snapshot / "datapackage.json").write_text(json.dumps({"resources": resources}, indent=1))
    write_checksums(snapshot, sums)
    link = site / Place(CAMPAIGN, CYCLE).captures("captures/").rstrip("/")
    link.parent.mkdir(parents=True)
    link.symlink_to(snapshot / "trials")
    (site / "index.html").touch()


def bytes_of(folder: Path) -> int:
    """The bytes of all files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _write_captures(snapshot: Path, measured: Mapping[TrialKey, Path]) -> dict[Path, str]:
    """Write the files of all trials but trial.json; returns their checksums. A solo has one capture."""
    found, largest = {}, {}
    for key, published in measured.items():
        shutil.copytree(published, snapshot / "trials" / key.path, dirs_exist_ok=True)
        for file in published.iterdir():
            largest[file.name] = max(largest.get(file.name, 0), file.stat().st_size)
    for one in json.loads((snapshot / "datapackage.json").read_text())["resources"]:
        path = Path(one["path"])
        alone = "~" not in path.parts[2] and path.name == "client-c2.pcapng.zst"
        if path.name == "trial.json" or alone or TrialKey.of(path.parent) in measured:
            continue
        size = largest.get(path.name, one["bytes"])
        if path.suffix == ".zst":
            size = round(size * RATES[path.parts[1]])
        with (snapshot / path).open("wb") as stream:
            os.truncate(stream.fileno(), size)
        found[path] = _digest_of_zeros(size)
    return found


def _write_plan(snapshot: Path) -> None:
    """Write plan.csv, and the specification of every trial."""
    keys = sorted(TrialKey.of(path.parent) for path in (snapshot / "trials").glob("*/*/*/trial.json"))
    for key in keys:
        path = snapshot / "plan/specs" / key.path.with_suffix(".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(SPECIFICATION))
    planned = [key for key in keys if key.pair != CALIBRATION]
    lines = [PlanLine(order, 1, key, 600) for order, key in enumerate(planned, start=1)]
    write_plan_table(lines, snapshot / "plan/plan.csv")


def _described(snapshot: Path, path: Path, checksum: str) -> dict[str, object]:
    """What datapackage.json tells of a file."""
    return {
        "name": "-".join(path.parts).lower().replace("~", "."),
        "path": path.as_posix(),
        "mediatype": TYPES.get(path.suffix, "application/octet-stream"),
        "bytes": (snapshot / path).stat().st_size,
        "hash": f"sha256:{checksum}",
    }


@cache
def _digest_of_zeros(size: int) -> str:
    return hashlib.sha256(bytes(size)).hexdigest()

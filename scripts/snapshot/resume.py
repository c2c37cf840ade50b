"""Go on with a cycle from its lean snapshot, here or elsewhere: finished trials are not measured again.

The folder of the cycle gets plan/, the record and the rows of every trial, and resumed/, which has the tables
that the rows come from (scripts/tables/resumed_rows.py). `make cycle` then measures the rest, and freezes the
cycle into a lean snapshot again, because the earlier trials have no captures here.

Earlier calibrations count for no host: another one precedes the first trial in each round and setting.
"""

import os
import shutil
import time
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.locks import scratch_folder
from scripts.extract.trial_files import TRIAL_JSON
from scripts.model.comparison import FOLDER as COMPARED
from scripts.model.comparison import RECOGNITION
from scripts.model.cycle_names import store_cycle_name
from scripts.model.resumed import FOLDER as RESUMED
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.snapshot.about import read_datapackage
from scripts.snapshot.absent import verify_checksums
from scripts.snapshot.identity import Identity, read_identity
from scripts.snapshot.lean_format import LEFT_OUT, group_of, write_left_out
from scripts.snapshot.part import FMP, TRIAL_LEVEL
from scripts.tables.resumed_rows import write_resumed_rows


def resume(snapshot: Path, cycle: Path) -> Identity:
    """Make the folder of a cycle from its lean snapshot, whole or not at all.

    Args:
        snapshot: the folder of the snapshot.
        cycle: data/<campaign>/<cycle>, which must not exist. It becomes the campaign's current cycle.

    Returns:
        The identity of the snapshot.

    Raises:
        UserError: the snapshot is damaged or not lean, or the folder exists or has other names.
    """
    verify_checksums(snapshot)
    identity = read_identity(snapshot)
    if identity.kind != "lean":
        raise UserError(f"{snapshot}: is not lean; only a lean snapshot has what a cycle goes on from")
    if (cycle.absolute().parent.name, cycle.name) != (identity.campaign, identity.cycle):
        place = f"…/{identity.campaign}/{identity.cycle}"
        raise UserError(f"{cycle}: cannot be the folder of this cycle; its trials name it, so give {place}")
    if cycle.exists():
        raise UserError(f"{cycle}: exists already; go on there (make cycle), or move it away")
    with scratch_folder(cycle.parent) as scratch:
        cycle_from(snapshot, scratch / "cycle").rename(cycle)
    store_cycle_name(cycle.parent, cycle.name)
    return identity


def cycle_from(snapshot: Path, cycle: Path) -> Path:
    """Make the folder of a cycle from a snapshot, lean or full, and return it.

    All files have the same time, so that Snakemake makes none of them again.

    Raises:
        UserError: a table of the snapshot lacks something.
    """
    identity = read_identity(snapshot)
    shutil.copytree(snapshot / "plan", cycle / "plan", copy_function=shutil.copyfile)
    if identity.incomplete is not None:
        (cycle / "plan/plan.csv").unlink()
    if (snapshot / COMPARED).is_dir():
        shutil.copytree(snapshot / COMPARED, cycle / COMPARED, copy_function=shutil.copyfile)
    resumed = cycle / RESUMED
    complete = [] if identity.incomplete else [FMP, RECOGNITION]
    for table in (*TRIAL_LEVEL, CALIBRATION, *complete):
        if (snapshot / f"tables/{table}.parquet").is_file():
            _copy(snapshot / f"tables/{table}.parquet", resumed / f"tables/{table}.parquet")
    for record in sorted((snapshot / "trials").glob(f"*/*/*/{TRIAL_JSON}")):
        key = TrialKey.of(record.parent)
        for folder in (resumed / "trials", cycle / "trials", cycle / "published"):
            _copy(record, folder / key.path / TRIAL_JSON)
        write_resumed_rows(resumed, key, cycle / "rows" / key.path)
        stamp = cycle / "stamps" / key.path
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    _keep_left_out(snapshot, resumed)
    now_ns = time.time_ns()
    for path in cycle.rglob("*"):
        os.utime(path, ns=(now_ns, now_ns))
    return cycle


def _keep_left_out(snapshot: Path, resumed: Path) -> None:
    """Keep what was left out of the trials; of a full snapshot, what a lean one leaves out."""
    if read_identity(snapshot).kind == "lean":
        shutil.copyfile(snapshot / LEFT_OUT, resumed / LEFT_OUT)
        return
    files = [
        file
        for file in read_datapackage(snapshot)
        if file.path.parts[0] == "trials" and file.path.name != TRIAL_JSON
    ]
    reason = f"captures, logs and observations of trials: the full snapshot {snapshot.name} has them"
    write_left_out(resumed, [group_of(reason, files, of_trials=True)])


def _copy(source: Path, target: Path) -> None:
    """Copy a file: as a link, it would change together with the snapshot."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)

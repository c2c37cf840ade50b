"""Rebuild tables and charts, or a part of them, from a plan and trials, by the steps that made them first."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.files import ROOT, link
from scripts.base.processes import running
from scripts.charts.cycle_files import write_cycle_charts, write_named_charts
from scripts.charts.trial_charts import chosen_of, draw_trial, write_trial_charts
from scripts.model.campaign import read_campaign
from scripts.model.comparison import FOLDER as COMPARED
from scripts.model.plan_file import read_plan, write_plan_table
from scripts.model.trials import TrialKey
from scripts.snapshot.identity import DESCRIPTION, read_identity
from scripts.snapshot.part import CYCLE_CHARTS, ROWS, TRIAL_CHARTS, SnapshotPart
from scripts.snapshot.trials_so_far import mark_provisional
from scripts.tables.cycle import make_tables
from scripts.tables.table_list import EXTRACTED

CAMPAIGN, CYCLE = "frozen", "cycle"
JOBS = os.cpu_count() or 1

LOOK_S, GRACE_S = 0.5, 5.0
"""How often a rebuild is looked at, and how long it may take to end when it is interrupted."""

ReportTrials = Callable[[Collection[TrialKey]], None]
"""Is called now and then with the trials that are done."""


def stage(source: Path, data: Path, chosen: Collection[TrialKey] | None = None) -> Path:
    """Make a cycle in `data` with plan/ and compared/ of `source`, links to its trials, and a stamp for each.

    Args:
        source: a folder with the layout of a snapshot.
        data: the new folder; of an earlier rebuild in it, only what was extracted is kept.
        chosen: plan only these trials and calibrations; None: all that are there.

    Returns:
        The cycle's directory. Plan and stamps are newer than any source file, so that Snakemake plans and
        measures nothing again.
    """
    cycle = data / CAMPAIGN / CYCLE
    for old in [path for path in cycle.glob("*") if path.name != "parquet"]:
        shutil.rmtree(old)
    shutil.copytree(source / "plan", cycle / "plan", copy_function=shutil.copyfile)
    if chosen is None:
        keys = [TrialKey.of(trial) for trial in sorted((source / "trials").glob("*/*/*"))]
    else:
        keys = sorted(chosen)
        lines = [line for line in read_plan(source / "plan/plan.csv") if line.key in chosen]
        write_plan_table(lines, cycle / "plan/plan.csv")
    if (source / COMPARED).is_dir():
        shutil.copytree(source / COMPARED, cycle / COMPARED, copy_function=shutil.copyfile)
    for key in keys:
        linked, stamp = cycle / "trials" / key.path, cycle / "stamps" / key.path
        for path in (linked, stamp):
            path.parent.mkdir(parents=True, exist_ok=True)
        linked.symlink_to((source / "trials" / key.path).resolve(), target_is_directory=True)
        stamp.touch()
    return cycle


def rebuild(cycle: Path, look: Callable[[], None] = lambda: None) -> None:
    """Make tables/ and charts/ of a staged cycle. This needs no root, network, testbed or clock.

    Raises:
        UserError: a rule failed, or a table cannot be made.
    """
    extract_rows(cycle, look)
    make_tables(cycle)
    write_all_charts(cycle)


def extract_rows(cycle: Path, look: Callable[[], None] = lambda: None) -> None:
    """Make the rows of every trial of a staged cycle, by the rules.

    Args:
        cycle: the cycle.
        look: called every now and then meanwhile.

    Raises:
        UserError: a rule failed; the message contains its output.
    """
    data = f"data={cycle.parent.parent.absolute()}"
    command = [
        *(sys.executable, "-m", "snakemake", "--nolock", "--cores", "all", "--quiet", "all"),
        *("--rerun-triggers", "mtime", "--config", data, f"campaign={CAMPAIGN}"),
        *(f"cycle={CYCLE}", "frozen=True", "--", "rows"),
    ]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    log = cycle / "logs/snakemake.log"
    log.parent.mkdir(exist_ok=True)
    status, errors = _run(command, os.environ | {"PATH": path}, log, look)
    if status != 0:
        raise UserError(f"{cycle}: the tables could not be rebuilt:\n{errors.strip()}")


def write_all_charts(cycle: Path, pictures_only: bool = False) -> None:
    """Write charts/ of a cycle with tables, on all cores: in every form, or as SVG only."""
    tables, campaign = cycle / "tables", read_campaign(cycle / "plan/config.json")
    write_cycle_charts(tables, campaign, cycle / CYCLE_CHARTS, JOBS, pictures_only)
    write_trial_charts(tables, campaign, cycle / TRIAL_CHARTS, JOBS)


def _run(
    command: Sequence[str], environment: dict[str, str], log: Path, look: Callable[[], None]
) -> tuple[int, str]:
    """Run a command in a group of its own, which ends with this process; its exit status and errors."""
    with log.open("w+", encoding="utf-8") as errors:
        with running(
            command,
            stop=signal.SIGTERM,
            patience_s=GRACE_S,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        ) as child:
            while _still_runs(child):
                look()
        errors.seek(0)
        return child.returncode, errors.read()


def _still_runs(child: "subprocess.Popen[bytes]") -> bool:
    """Wait a moment for a command to end."""
    try:
        child.wait(LOOK_S)
    except subprocess.TimeoutExpired:
        return True
    return False


def rebuild_part(
    part: SnapshotPart, snapshot: Path, work: Path, report: ReportTrials = lambda done: None
) -> Path:
    """Rebuild a part of a snapshot.

    Args:
        part: the part.
        snapshot: its folder; only the files that the part needs must be there.
        work: the folder to work in. What was extracted stays in it.
        report: is called with the trials that are done.

    Returns:
        The folder with tables/ and charts/.

    Raises:
        UserError: a rule failed, or what was extracted before is missing.
    """
    chosen = {*part.trials, *part.calibrations}
    cycle = stage(snapshot, work, chosen)
    if part.start == "parquet":
        _reuse_extracted(cycle, chosen)
    if part.whole:
        rebuild(cycle, lambda: report(_done(cycle, chosen)))
        return cycle
    made = part.made_from
    if part.start == "rows":
        made = made - {*ROWS}
        _take_rows(part, snapshot / "tables", cycle / "tables")
    else:
        extract_rows(cycle, lambda: report(_done(cycle, chosen)))
    make_tables(cycle, made)
    identity = read_identity(snapshot)
    if "pairs" in made and identity.incomplete is not None:
        mark_provisional(cycle / "tables")
    shutil.copyfile(snapshot / DESCRIPTION, cycle / DESCRIPTION)
    _draw(part, cycle, pictures_only=identity.kind == "lean")
    return cycle


def _done(cycle: Path, chosen: Collection[TrialKey]) -> list[TrialKey]:
    """The trials whose rows are made."""
    names = ("trial_services.parquet", "calibration.parquet")
    return [key for key in chosen if any((cycle / "rows" / key.path / name).exists() for name in names)]


def _reuse_extracted(cycle: Path, chosen: Collection[TrialKey]) -> None:
    """Make what was extracted before newer than the plan and the code, so that no rule extracts again."""
    for key in sorted(chosen):
        for table in EXTRACTED:
            path = cycle / "parquet" / key.path / f"{table}.parquet"
            if not path.is_file():
                first = "run the same with --from captures and this --work first, which extracts it"
                raise UserError(f"{path}: is missing; {first}")
            path.touch()


def _take_rows(part: SnapshotPart, published: Path, tables: Path) -> None:
    """The published rows of the part's trials in the tables that it is made from."""
    tables.mkdir()
    for table in sorted(part.made_from & {*ROWS}):
        source, target = (folder / f"{table}.parquet" for folder in (published, tables))
        if not source.is_file():
            raise UserError(f"{source}: is missing; rebuild from captures, or with the code of the snapshot")
        chosen = part.rows_of(pq.read_schema(source).names)
        if chosen is None:
            link(source, target)
        else:
            pq.write_table(ds.dataset(source).to_table(filter=chosen), target)


def _draw(part: SnapshotPart, cycle: Path, pictures_only: bool) -> None:
    """Draw the charts of a part."""
    if part.draws_all:
        write_all_charts(cycle, pictures_only)
        return
    tables, campaign = cycle / "tables", read_campaign(cycle / "plan/config.json")
    if part.draws(CYCLE_CHARTS):
        names = {path.stem for path in part.charts if CYCLE_CHARTS in path.parents}
        write_named_charts(tables, campaign, cycle / CYCLE_CHARTS, names, pictures_only)
    if part.draws(TRIAL_CHARTS):
        keys = part.trials
        if part.number is None:  # the typical and the worst trial of the first pair
            keys = tuple(key for cell in chosen_of(tables) if cell.pair == part.pairs[0] for key in cell.keys)
        for key in keys:
            draw_trial(tables, campaign, cycle / TRIAL_CHARTS, key)

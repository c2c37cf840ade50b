"""Rebuild tables and charts from a plan and trials, by the steps that made them first."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.processes import start_child
from scripts.charts.cycle_files import write_cycle_charts
from scripts.charts.trial_charts import write_trial_charts
from scripts.model.campaign import read_campaign
from scripts.model.comparison import FOLDER as COMPARED
from scripts.model.plan_file import read_plan, write_plan_table
from scripts.model.trials import TrialKey
from scripts.snapshot.part import CYCLE_CHARTS, TRIAL_CHARTS
from scripts.tables.cycle import make_tables

CAMPAIGN, CYCLE = "frozen", "cycle"
JOBS = os.cpu_count() or 1

LOOK_S, GRACE_S = 0.5, 5.0
"""How often a rebuild is looked at, and how long it may take to end when it is interrupted."""


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
        _add_trial(source / "trials" / key.path, cycle, key)
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
    command = [
        *(sys.executable, "-m", "snakemake", "--nolock", "--cores", "all", "--quiet", "all"),
        *("--rerun-triggers", "mtime", "--config", f"data={cycle.parent.parent}", f"campaign={CAMPAIGN}"),
        *(f"cycle={CYCLE}", "frozen=True", "--", "rows"),
    ]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    log = cycle / "logs/snakemake.log"
    log.parent.mkdir(exist_ok=True)
    status, told = _run(command, os.environ | {"PATH": path}, log, look)
    if status != 0:
        raise UserError(f"{cycle}: the tables could not be rebuilt:\n{told.strip()}")


def write_all_charts(cycle: Path) -> None:
    """Write charts/ of a cycle with tables, on all cores."""
    tables, campaign = cycle / "tables", read_campaign(cycle / "plan/config.json")
    write_cycle_charts(tables, campaign, cycle / CYCLE_CHARTS, JOBS)
    write_trial_charts(tables, campaign, cycle / TRIAL_CHARTS, JOBS)


def _add_trial(trial: Path, cycle: Path, key: TrialKey) -> None:
    """A link to a trial, and its stamp."""
    linked, stamp = cycle / "trials" / key.path, cycle / "stamps" / key.path
    for path in (linked, stamp):
        path.parent.mkdir(parents=True, exist_ok=True)
    linked.symlink_to(trial.resolve(), target_is_directory=True)
    stamp.touch()


def _run(
    command: Sequence[str], environment: dict[str, str], log: Path, look: Callable[[], None]
) -> tuple[int, str]:
    """Run a command in a group of its own, which ends with this process; its exit status and errors."""
    with log.open("w+", encoding="utf-8") as errors:
        with start_child(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            process_group=0,
        ) as running:
            try:
                while _still_runs(running):
                    look()
            finally:
                _end_group(running)
        errors.seek(0)
        return running.returncode, errors.read()


def _still_runs(running: subprocess.Popen[bytes]) -> bool:
    """Wait a moment for a command to end."""
    try:
        running.wait(LOOK_S)
    except subprocess.TimeoutExpired:
        return True
    return False


def _end_group(running: subprocess.Popen[bytes]) -> None:
    """End a command that still runs because this process was interrupted, and all that it started."""
    if running.poll() is None:
        os.killpg(running.pid, signal.SIGTERM)
        try:
            running.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)

"""Rebuild tables and charts from a plan and trials, with the rules that made them first."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.model.comparison import FOLDER as COMPARED
from scripts.model.comparison import kept_comparison
from scripts.snapshot.products import SNAKEMAKE_STAMP

CAMPAIGN, CYCLE = "frozen", "cycle"


def stage(source: Path, data: Path) -> Path:
    """Copy plan/, trials/ and compared/ of `source` to a cycle in `data`, with a stamp for each trial.

    Returns:
        The cycle's directory. The copies are newer than any source file, so that Snakemake plans and
        measures nothing again.
    """
    cycle = data / CAMPAIGN / CYCLE
    for name in ("plan", "trials", COMPARED):
        if name != COMPARED or (source / name).is_dir():
            shutil.copytree(source / name, cycle / name, copy_function=shutil.copyfile)
    for trial in sorted((cycle / "trials").glob("*/*/*")):
        stamp = cycle / "stamps" / trial.relative_to(cycle / "trials")
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
    return cycle


def rebuild(cycle: Path) -> None:
    """Make tables/ and charts/ of a staged cycle. This needs no root, network, testbed or clock.

    Raises:
        UserError: a rule failed; the message contains its output.
    """
    names = ["cycle.json", "plan.parquet", "calibration.parquet"]
    if kept_comparison(cycle).other_bottleneck is not None:
        names.append("equivalence.parquet")
    tables = [cycle / "tables" / name for name in names]
    command = [
        *(sys.executable, "-m", "snakemake", "--nolock", "--cores", "all", "--quiet", "all"),
        *("--rerun-triggers", "mtime", "--config", f"data={cycle.parent.parent}", f"campaign={CAMPAIGN}"),
        *(f"cycle={CYCLE}", "frozen=True", "--", "charts", *map(str, tables)),
    ]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise UserError(f"{cycle}: the tables could not be rebuilt:\n{done.stderr.strip()}")
    for stamp in (cycle / "charts").rglob(SNAKEMAKE_STAMP):
        stamp.unlink()

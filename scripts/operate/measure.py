"""Measure a cycle up to its snapshot, or go on with it: Snakemake with a profile of config/profiles/.

`variables` of config/operate.yaml are passed to the Snakefile. Snakemake holds the lock of `make cycle`,
`.snakemake.lock`, until it ends.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from scripts.base.files import ROOT
from scripts.operate.children import ChildError, run_child
from scripts.operate.context import Context
from scripts.operate.lock import LOCKED, BusyError

PROFILES = ROOT / "config/profiles"
LOCK = ".snakemake.lock"
TARGET = "stamps/snapshot"


def measure(context: Context, cycle: str, during: Callable[[], None]) -> str:
    """Run Snakemake until the cycle has its snapshot. `during` is called about each minute.

    Raises:
        BusyError: `make cycle` runs in this directory.
        ChildError: a job failed.
        Exception: whatever `during` raises; Snakemake is then stopped.
    """
    try:
        run_child(context, command(context, cycle), {"PYTHONPATH": _python_path()}, during)
    except ChildError as error:
        if error.status == LOCKED:
            raise BusyError(
                f"{Path(LOCK).resolve()}: a cycle is being measured by hand; run again when it ended"
            ) from error
        raise
    return f"frozen: {context.cycle(cycle)}"


def command(context: Context, cycle: str) -> list[str]:
    """The command that measures a cycle."""
    settings = context.settings
    names = {"campaign": settings.campaign, "cycle": cycle, "data": context.data, "public": context.public}
    variables = {"reduce": True} | settings.variables | names
    if context.definition:  # the rounds so far of a submission are no pages of the site
        variables |= {"definition": context.definition, "provisional": False}
    flock = ["flock", "--nonblock", "--no-fork", "--conflict-exit-code", str(LOCKED), LOCK]
    profile = PROFILES / ("slurm" if settings.slurm else "local")
    snakemake = [sys.executable, "-m", "snakemake", "--profile", str(profile), "--config"]
    given = [f"{name}={value}" for name, value in variables.items()]
    return [*flock, *snakemake, *given, "--", str(context.cycle(cycle) / TARGET)]


def _python_path() -> str:
    """Where Snakemake finds its logger plugin `observatory`."""
    return os.pathsep.join([str(ROOT / "scripts/progress"), *filter(None, [os.environ.get("PYTHONPATH")])])

"""Measure a cycle up to its snapshot, or go on with it: Snakemake with a profile of config/profiles/.

`variables` of config/operate.yaml are passed to the Snakefile. Snakemake holds the lock that it also holds in
`observatory cycle`.
"""

from collections.abc import Callable
from pathlib import Path

from scripts.base.snakemake_command import LOCK, LOCKED, snakemake_command
from scripts.operate.children import ChildError, run_child
from scripts.operate.context import Context
from scripts.operate.lock import BusyError

TARGET = "stamps/snapshot"


def measure(context: Context, cycle: str, during: Callable[[], None]) -> str:
    """Run Snakemake until the cycle has its snapshot. `during` is called about each minute.

    Raises:
        BusyError: `observatory cycle` runs in this directory.
        ChildError: a job failed.
        Exception: whatever `during` raises; Snakemake is then stopped.
    """
    try:
        run_child(context, command(context, cycle), during)
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
    profile = "slurm" if settings.slurm else "local"
    return snakemake_command(profile, variables, "--", str(context.cycle(cycle) / TARGET))

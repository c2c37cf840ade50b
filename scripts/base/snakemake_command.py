"""The command line of Snakemake, as `observatory cycle` and unattended operation start it."""

import sys
from collections.abc import Mapping

from scripts.base.files import ROOT

LOCK = ".snakemake.lock"
"""One Snakemake at a time runs in the checkout: it holds this file."""

LOCKED = 75
"""The exit status if another process holds a lock (EX_TEMPFAIL of sysexits.h: try again later)."""

PROFILES = ROOT / "config/profiles"


def snakemake_command(profile: str, variables: Mapping[str, object], *more: str) -> list[str]:
    """Snakemake with a profile, the variables of the Snakefile and further words, to be run in the checkout.

    flock(1) takes the lock and becomes Snakemake (--no-fork), so the kernel releases the lock when Snakemake
    ends, however it ends. Snakemake's own lock would stay after a kill. The status is LOCKED if another
    process holds the lock.
    """
    flock = ["flock", "--nonblock", "--no-fork", "--conflict-exit-code", str(LOCKED), LOCK]
    snakemake = [sys.executable, "-m", "snakemake", "--profile", str(PROFILES / profile), "--config"]
    return [*flock, *snakemake, *(f"{name}={value}" for name, value in variables.items()), *more]

"""The programs that a run starts: Snakemake measures a cycle up to its snapshot, and the site is built.

Their lines are shown and kept, and they end with the run. Snakemake has a profile of config/profiles/ and the
`variables` of config/operate.yaml. It holds the lock that it also holds in `observatory cycle`.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import get_terminal_size
from textwrap import shorten

from scripts.base.errors import UserError
from scripts.base.processes import output_until, running
from scripts.base.snakemake_command import LOCK, LOCKED, snakemake_command
from scripts.model.submission import FOLDER as SUBMISSIONS
from scripts.operate.context import BusyError, Context, keep
from scripts.operate.status import FILE as STATUS

DURING_S = 60
"""`during` is called each time so many seconds have passed."""
STOP_S = 30
"""A child that is interrupted has so many seconds to end."""
LONGEST_REASON = 300
"""A reason that no `error: ` line tells is cut to so many characters. The log has all of it."""
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""A control sequence of terminals (ECMA-48, 5.4)."""
DETAIL = "    "
"""Snakemake's logger indents what belongs to an error like this."""


class ChildError(UserError):
    """A child that ended with another exit status than 0; negative: the signal that killed it."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def run_child(
    context: Context,
    words: Sequence[str],
    during: Callable[[], None] | None = None,
) -> None:
    """Run a command to its end. On a terminal it has one, too, so that it shows its live line.

    Whatever ends this function also ends the child: an exception of `during`, Ctrl-C, or kill -9 of this
    process.

    Raises:
        ChildError: the child failed; its reason is the child's own error line.
        Exception: whatever `during` raises.
    """
    source, sink = os.openpty() if sys.stderr.isatty() else os.pipe()
    surroundings = os.environ | {"COLUMNS": str(get_terminal_size().columns)}
    with (
        os.fdopen(source, "rb"),
        os.fdopen(sink, "wb") as output,
        running(
            words,
            stop=signal.SIGINT,  # as Ctrl-C does
            patience_s=STOP_S,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=surroundings,
        ) as child,
    ):
        output.close()
        lines = _follow(context, output_until(source, lambda: child.poll() is not None), during)
        status = child.wait()
    if status:
        raise ChildError(status, reason_of(lines, status))


def reason_of(lines: Sequence[str], status: int) -> str:
    """Why a child failed, in one line: its first error with the end of the details, else its last line."""
    if status < 0:
        return f"was killed by signal {-status} ({signal.strsignal(-status)})"
    first = next((number for number, line in enumerate(lines) if line.startswith("error: ")), None)
    if first is None:
        said = [line.strip() for line in lines if line.strip()]
        last = shorten(said[-1], LONGEST_REASON) if said else "it said nothing"
        return f"ended with status {status}: {last}"
    details = []
    for line in lines[first + 1 :]:
        if not line.startswith(DETAIL):
            break
        details.append(line.strip())
    return "; ".join([lines[first].removeprefix("error: ").rstrip(":"), *details[-2:]])


def _follow(context: Context, blocks: Iterable[bytes], during: Callable[[], None] | None) -> list[str]:
    """Show and keep what a child says until it ends, and return its lines."""
    lines, rest, last_s = [], b"", time.monotonic()
    for block in blocks:
        if during and time.monotonic() - last_s >= DURING_S:
            during()
            last_s = time.monotonic()
        if not block:
            continue
        with suppress(OSError):
            os.write(sys.stderr.fileno(), block)
        *whole, rest = (rest + block).split(b"\n")
        lines += _keep(context, whole)
    return lines + _keep(context, [rest])


def _keep(context: Context, lines: Sequence[bytes]) -> list[str]:
    """Keep lines as they looked in the end: a live line writes over what it wrote before."""
    plain = (ESCAPE.sub("", line.decode(errors="replace")).rstrip("\r") for line in lines)
    looked = [line.rpartition("\r")[2] for line in plain]
    keep(context, "\n".join(looked))
    return looked


TARGET = "stamps/snapshot"


def measure(context: Context, cycle: str, during: Callable[[], None]) -> str:
    """Run Snakemake until the cycle has its snapshot. `during` is called about each minute.

    Raises:
        BusyError: `observatory cycle` runs in this directory.
        ChildError: a job failed.
        Exception: whatever `during` raises; Snakemake is then stopped.
    """
    try:
        run_child(context, measuring_command(context, cycle), during)
    except ChildError as error:
        if error.status == LOCKED:
            raise BusyError(
                f"{Path(LOCK).resolve()}: a cycle is being measured by hand; run again when it ended"
            ) from error
        raise
    return f"frozen: {context.cycle(cycle)}"


def measuring_command(context: Context, cycle: str) -> list[str]:
    """The command that measures a cycle."""
    settings = context.settings
    names = {"campaign": settings.campaign, "cycle": cycle, "data": context.data, "public": context.public}
    variables = {"reduce": True} | settings.variables | names
    if context.definition:  # the rounds so far of a submission are no pages of the site
        variables |= {"definition": context.definition, "provisional": False}
    profile = "slurm" if settings.slurm else "local"
    return snakemake_command(profile, variables, "--", str(context.cycle(cycle) / TARGET))


def build_site(context: Context) -> str:
    """Run `python -m scripts.site build`.

    Raises:
        UserError: a snapshot is damaged, or the site cannot be written.
    """
    context.snapshots.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "scripts.site", "build", "--snapshots", str(context.snapshots)]
    # A host that was restored has no submissions; the page then keeps the number that it has.
    count = ["--submissions", str(context.data)] if (context.data / SUBMISSIONS).is_dir() else []
    # A host that is being restored has no status yet, either.
    status = ["--status", str(context.folder / STATUS)] if (context.folder / STATUS).is_file() else []
    run_child(context, [*words, *status, *count, "-o", str(context.public)])
    return f"built: {context.public}"

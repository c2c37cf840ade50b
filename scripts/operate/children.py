"""Child processes of a run: their lines are shown and kept, and they end with the run."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from shutil import get_terminal_size
from textwrap import shorten

from scripts.base.errors import UserError
from scripts.base.processes import output_until, running
from scripts.operate.context import Context
from scripts.operate.journal import keep

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
    environment: Mapping[str, str] | None = None,
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
    surroundings = os.environ | {"COLUMNS": str(get_terminal_size().columns)} | dict(environment or {})
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

"""The keeper of a trial: makes the host as it was before the trial, also after a SIGKILL of the trial.

    python -m testbed.keeper PARTIAL --places NUMBER... [--device DEVICE]

is internal: `kept` starts it before every trial. Standard input is a pipe from the runner. The first process
of the trial writes the id of its session there. The pipe ends with the runner. Then the keeper kills what is
left of the trial, restores the machine (testbed/forwarding.py, testbed/limits.py) and removes PARTIAL, the
directory of a trial that did not end. Until then it holds the locks of the host, so that the next trial
waits. It imports little, to start quickly.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError
from testbed import forwarding
from testbed.host_lock import HostPlace
from testbed.limits import remove_groups

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""A terminal or a service manager sends them to every process. The keeper ends after the trial."""

POLL_S = 0.02


@contextmanager
def kept(place: HostPlace, partial: Path, device: str | None) -> Iterator[int]:
    """Run a keeper for the block, and return once the host is as before.

    Args:
        place: the trial's place on the host, with its locks.
        partial: the trial's directory until it is complete.
        device: the interface of the default route, which must forward; None without live services.

    Yields:
        A descriptor to which the trial's first process writes the id of its session.
    """
    command = [sys.executable, "-m", "testbed.keeper", str(partial), "--places", *map(str, place.own)]
    keeper = subprocess.Popen(
        [*command, *(["--device", device] if device else [])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[lock.fileno() for lock in place.locks],
        start_new_session=True,
    )
    assert keeper.stdin is not None and keeper.stdout is not None
    try:
        if keeper.stdout.readline() != b"ready\n":
            raise UserError(
                f"{device or partial}: the trial cannot be prepared; see the error before this one"
            )
        yield keeper.stdin.fileno()
    finally:
        keeper.stdin.close()
        keeper.stdout.close()
        if keeper.wait() != 0:
            _restore(partial, place.own)  # It was killed.


def keep(partial: Path, places: Sequence[int], device: str | None) -> None:
    """Prepare the machine, and restore it when the runner has ended; see the module's docstring."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    if os.geteuid() == 0:  # What an earlier keeper could not restore, because it was killed.
        forwarding.restore()
        remove_groups(places)
    session = None
    try:
        if device:
            forwarding.forward(device)
        with suppress(BrokenPipeError):
            print("ready", flush=True)
        session = sys.stdin.read()
    finally:
        if session:
            _end_session(int(session))
        _restore(partial, places)


def _end_session(session: int) -> None:
    """Kill the processes of a session and wait for their ends.

    Among them is process 1 of the trial's PID namespace. The kernel lets it end after all others there.
    """
    while members := [process for process in _processes() if _is_of_session(process, session)]:
        for process in members:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(POLL_S)


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def _is_of_session(process: int, session: int) -> bool:
    """Whether a process belongs to a session and still runs (proc_pid_stat(5))."""
    with suppress(OSError):
        state, _, _, of_session = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:4]
        return int(of_session) == session and state not in "ZX"
    return False


def _restore(partial: Path, places: Sequence[int]) -> None:
    """Undo what a trial changes outside its namespaces."""
    shutil.rmtree(partial, ignore_errors=True)
    if os.geteuid() == 0:
        forwarding.restore()
        remove_groups(places)


if __name__ == "__main__":
    parser = parser_of("testbed.keeper", __doc__)
    parser.add_argument("partial", type=Path, help="the trial's directory until it is complete")
    parser.add_argument("--places", type=int, nargs="+", required=True, help="the trial's places on the host")
    parser.add_argument("--device", help="the interface of the default route")
    arguments = parser.parse_args()
    keep(arguments.partial, arguments.places, arguments.device)

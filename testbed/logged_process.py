"""A program that runs on a host of the trial, with its output in a log file."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from testbed.hosts import Host
from testbed.limits import Group
from testbed.scheduling import come_after_senders

OWN_PROCESSES = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
"""A driver is process 1 of its own namespace. When it ends, the kernel ends all its processes first."""

LINE_BYTES = 4096
"""A longer last line of a log is cut."""


class LoggedProcess:
    """A program on a host. Its standard output and standard error go to `log`.

    `group` limits what the program and its children use. Those of a client come after the senders.
    """

    def __init__(
        self,
        host: Host,
        command: Sequence[str],
        log: Path,
        group: Group | None = None,
        is_client: bool = False,
    ) -> None:
        def begin() -> None:
            if group:
                group.enter()
            if is_client:
                come_after_senders()

        self._log = log
        with log.open("wb") as stream:
            self._process = host.start(*command, log=stream, before=begin)

    def status(self) -> int | None:
        """The exit status; None while the program runs."""
        return self._process.poll()

    def kill(self) -> None:
        """Kill the program if it still runs, and wait until it has ended, with its children.

        Of OWN_PROCESSES the child is killed: unshare(1) then ends after all processes of the namespace.
        """
        if self._process.poll() is None:
            with suppress(psutil.NoSuchProcess):
                process = psutil.Process(self._process.pid)
                for each in process.children() or [process]:
                    each.kill()
            self._process.wait()

    def last_line(self) -> str:
        """The last line of the log, for an error message."""
        return last_line(self._log)


def last_line(log: Path) -> str:
    """The last line of a log file, for an error message."""
    with log.open("rb") as stream:
        stream.seek(max(0, os.fstat(stream.fileno()).st_size - LINE_BYTES))
        lines = stream.read(LINE_BYTES).decode(errors="replace").strip().splitlines()
    if lines and lines[-1].startswith("unshare: sigprocmask"):
        # A child of unshare(1) was killed. unshare tries to end itself by SIGKILL in the same way and fails.
        return "it was killed"
    return lines[-1] if lines else "it printed nothing"

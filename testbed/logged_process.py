"""A program that runs on a host of the trial, with its output in a log file."""

from collections.abc import Sequence
from pathlib import Path

from testbed.hosts import Host


class LoggedProcess:
    """A program on a host. Its standard output and standard error go to `log`."""

    def __init__(self, host: Host, command: Sequence[str], log: Path) -> None:
        self._log = log
        with log.open("wb") as stream:
            self._process = host.start(*command, log=stream)

    def status(self) -> int | None:
        """The exit status; None while the program runs."""
        return self._process.poll()

    def kill(self) -> None:
        """Kill the program if it still runs, and wait until it has ended."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def last_line(self) -> str:
        """The last line of the log, for an error message."""
        return last_line(self._log)


def last_line(log: Path) -> str:
    """The last line of a log file, for an error message."""
    lines = log.read_text(errors="replace").strip().splitlines()
    if lines and lines[-1].startswith("unshare: sigprocmask"):
        # A child of unshare(1) was killed. unshare tries to end itself by SIGKILL in the same way and fails.
        return "it was killed"
    return lines[-1] if lines else "it printed nothing"

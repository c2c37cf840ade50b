"""Ends what a test run leaves when it ends, by itself, by Ctrl-C or by `kill -9`: processes and files.

    python -m tests.leftovers MARK FILES TEMPORARY

is internal: tests/conftest.py starts it with every run. Standard input is a pipe that ends with the run.
Every process of the run inherits MARK in its environment. FILES is the folder in which pytest keeps the files
of failed tests. It stays if the run wrote `done` into the pipe. TEMPORARY, the run's TMPDIR, never stays.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.own_host import remove_groups

NAME = "OBSERVATORY_TEST_RUN"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""They are sent to every process of a terminal or a service. This one ends after the run."""
GRACE_S, LONGEST_S, POLL_S = 5, 60, 0.05
"""A process has GRACE_S to end after a SIGTERM. What resists SIGKILL is given up after LONGEST_S."""


class Leftovers:
    """The process that waits for the end of this run, and its folder for temporary files."""

    def __init__(self, files: Path) -> None:
        """Start it. From now on, children of this process carry the mark and use the folder."""
        self.temporary = Path(tempfile.mkdtemp(prefix="t."))
        self.temporary.chmod(0o755)  # Tests with another user reach it.
        mark = secrets.token_hex(8)
        command = [sys.executable, "-m", "tests.leftovers", mark, str(files), str(self.temporary)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, start_new_session=True, cwd=Path(__file__).parents[1]
        )
        os.environ[NAME], os.environ["TMPDIR"] = mark, str(self.temporary)
        tempfile.tempdir = None

    def end(self, keep: bool) -> None:
        """Wait until nothing is left. `keep` spares the files of the tests."""
        assert self._process.stdin is not None
        if keep:
            self._process.stdin.write(b"done")
        self._process.stdin.close()
        self._process.wait()


def marked(mark: str) -> Iterator[int]:
    """The processes of a run, apart from this one."""
    entry = f"{NAME}={mark}".encode()
    for name in os.listdir("/proc"):
        with suppress(OSError, ValueError):
            number = int(name)
            if number != os.getpid() and entry in Path(f"/proc/{number}/environ").read_bytes().split(b"\0"):
                yield number


def end_all(mark: str) -> None:
    """End the processes of a run."""
    began = time.monotonic()
    number = signal.SIGTERM
    while (left := [*marked(mark)]) and time.monotonic() < began + LONGEST_S:
        if number is not None:
            for process in left:
                with suppress(OSError):
                    os.kill(process, number)
        number = signal.SIGKILL if time.monotonic() > began + GRACE_S else None
        time.sleep(POLL_S)


def main() -> int:
    """Wait for the end of the run, and clear up."""
    mark, files, temporary = sys.argv[1:]
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    done = sys.stdin.read() == "done"
    end_all(mark)
    remove_groups()
    shutil.rmtree(temporary, ignore_errors=True)
    if not done:
        shutil.rmtree(files, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

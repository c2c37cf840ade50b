"""Run the tests in lanes: the pure ones, or all.

    python -m tests.lanes unit
    python -m tests.lanes all

`pure`       on all cores: everything without the markers below
`processes`  on all cores, at low priority: Snakemake, Hugo, compilers, archives; beside them
`traffic`    one trial at a time, and beside it browsers and namespaces without one
`timed`      alone, at the end: what is judged by time

Every lane prints its tests when it has ended, apart from the last one that runs, which prints them as it goes.
Each leaves build/times/<lane>.xml for `python -m tests.slowest`. Exit status: 0 if every test passed, else 1;
130 after Ctrl-C.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from scripts.base.files import ROOT
from scripts.base.processes import end_with_make, end_with_parent
from tests.slowest import REPORTS

MARKED = {
    "bench": "traffic",
    "end_to_end": "traffic",
    "hosts": "processes",
    "operate": "processes",
    "simulated": "processes",
    "site": "processes",
}
"""Folders whose tests all have a marker."""
BY_FIXTURE = {"quiet_host": "timed", "build_error": "processes"}
"""Fixtures that give a marker to the tests that use them."""
TESTS = ROOT / "tests"
PROCESSES = str(os.cpu_count() or 1)
TOLD_S = 60
"""A line so often says which lanes run."""


@dataclass(frozen=True)
class Lane:
    """Tests that run alike: their marker and the expression of all, options of pytest, priority (nice(1))."""

    name: str
    expression: str
    options: tuple[str, ...]
    marker: str | None = None
    nice: int = 0

    def files(self) -> list[str]:
        """The files that may have such tests. To import all would take each process 15 s."""
        files = sorted(TESTS.rglob("test_*.py"))
        if self.marker is None:
            return [str(file) for file in files if _folder(file) not in MARKED]
        words = [f"mark.{self.marker}", *(name for name, marker in BY_FIXTURE.items() if marker == self.marker)]
        return [
            str(file)
            for file in files
            if MARKED.get(_folder(file)) == self.marker or any(word in file.read_text() for word in words)
        ]

    def start(self, output: IO[str] | None) -> subprocess.Popen[str]:
        """Start its pytest, which writes to this file, or to our output."""
        command = [sys.executable, "-m", "pytest", "-q", "-m", f"not soak and {self.expression}", *self.options]
        command += [f"--junitxml={REPORTS / self.name}.xml", "--durations=0", "--durations-min=10", *self.files()]
        return subprocess.Popen(
            ["nice", "-n", str(self.nice), *command], cwd=ROOT, stdout=output, stderr=output, text=True,
            preexec_fn=partial(end_with_parent, signal.SIGTERM),
        )  # fmt: skip


def _folder(file: Path) -> str:
    return file.relative_to(TESTS).parts[0]


def spread(processes: str) -> tuple[str, ...]:
    """The options of pytest-xdist for so many processes."""
    return ("--numprocesses", processes, "--dist", "loadgroup")


PURE = Lane("pure", "not processes and not traffic and not timed", spread(PROCESSES))
PROCESS = Lane("processes", "processes and not traffic and not timed", spread(PROCESSES), "processes", nice=19)
TRAFFIC = Lane("traffic", "traffic and not timed", spread("2"), "traffic")
TIMED = Lane("timed", "timed", (), "timed")
STEPS = {"unit": [[PURE]], "all": [[PURE], [PROCESS, TRAFFIC], [TIMED]], "rest": [[PROCESS, TRAFFIC], [TIMED]]}


def run(lanes: Sequence[Lane]) -> bool:
    """Run lanes beside each other. Returns whether all tests passed."""
    running: dict[Lane, tuple[subprocess.Popen[str], IO[str]]] = {}
    passed = True
    for lane in lanes:
        output = tempfile.TemporaryFile("w+") if len(lanes) > 1 else sys.stdout
        running[lane] = (lane.start(output), output)
    told = began = time.monotonic()
    while running:
        for lane, (process, output) in [*running.items()]:
            if process.poll() is None:
                continue
            del running[lane]
            passed &= process.returncode == 0
            if output is not sys.stdout:
                output.seek(0)
                print(output.read(), end="")
            print(f"lane {lane.name}: status {process.returncode} after {time.monotonic() - began:.0f} s", flush=True)
        if time.monotonic() > told + TOLD_S and len(lanes) > 1:
            told = time.monotonic()
            print(f"{told - began:.0f} s: {', '.join(lane.name for lane in running)}", flush=True)
        time.sleep(0.2)
    return passed


def main(arguments: list[str] | None = None) -> int:
    """Run the lanes; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m tests.lanes", description=__doc__.partition("\n")[0])
    parser.add_argument("which", choices=STEPS)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    end_with_make(signal.SIGTERM)
    REPORTS.mkdir(parents=True, exist_ok=True)
    results = [run(lanes) for lanes in STEPS[parser.parse_args(arguments).which]]
    return 0 if all(results) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

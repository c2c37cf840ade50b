"""Run the tests in lanes: the pure ones, or all.

    python -m tests.lanes unit
    python -m tests.lanes all

`pure`       tests without the markers below
`processes`  Snakemake, Hugo, compilers and archives
`traffic`    trials, browsers and network namespaces, two at a time (tests/own_host.py); beside it, at a lower
             priority, first `pure`, then `processes`
`timed`      tests that are judged by time, alone at the end

Of lanes that run beside each other, the first prints its tests as it goes, the others when they end. Each
leaves build/times/<lane>.xml for `python -m tests.slowest`. Exit status: 0 if every test passed, else 1; 130
after Ctrl-C.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from scripts.base.files import ROOT
from scripts.base.processes import start_child
from tests.own_host import is_possible
from tests.slowest import REPORTS

MARKED: dict[str, str | None] = {
    "bench": "traffic",
    "end_to_end": "traffic",
    "hosts": "processes",
    "observatory": "processes",
    "operate": "processes",
    "operate/submissions": None,
    "simulated": "processes",
    "site": "processes",
}
"""Folders whose tests all have a marker, or a folder of theirs whose files say it themselves."""
BY_FIXTURE = {"quiet_host": "timed", "build_error": "processes", "switch_build": "processes"}
"""Fixtures that give a marker to the tests that use them."""
SHARED = {
    ("site", ("cycle", "site", "panel", "flows", "fmp", "published", "reader")): "pages",
    ("simulated", ("stopped", "whole", "reduced")): "a cycle with faults",
    ("testbed", ("build_error", "switch_build")): "the tests in C++",
}
"""Folders, and fixtures that are made once for several files there: the group of these files."""
FIRST = ("site", "simulated", "testbed", "end_to_end")
"""Folders whose tests take long: they begin first, so that no process waits for them at the end."""
TESTS = ROOT / "tests"
PROCESSES = str(1 + (os.cpu_count() or 1))
"""One more than there are cores, as tests wait for programs that they start."""
POLL_S = 0.2


ORDER = ("processes", "traffic", "timed")
"""The markers. A test with several is in the lane of the last one."""


@dataclass(frozen=True)
class Lane:
    """Tests that run alike: the markers that choose them, the options of pytest, their priority (nice(1))."""

    name: str
    expression: str
    options: tuple[str, ...]
    nice: int = 0

    def files(self) -> list[str]:
        """The files that may have such tests: by their folder, or by the words in them.

        To import all files would take every process 15 s.
        """
        files = sorted(TESTS.rglob("test_*.py"), key=lambda file: (folder_of(file) not in FIRST, file))
        if self.name not in ORDER:
            return [str(file) for file in files if marker_of(file) is None]
        words = [f"mark.{self.name}", *(name for name in BY_FIXTURE if BY_FIXTURE[name] == self.name)]
        return [
            str(file)
            for file in files
            if marker_of(file) == self.name or any(word in file.read_text() for word in words)
        ]

    def start(self, output: IO[str] | None) -> subprocess.Popen[str]:
        """Start its pytest, which writes to this file, or to our output."""
        words = ["-q", "-m", f"not soak and {self.expression}", *self.options]
        words += [f"--junitxml={REPORTS / self.name}.xml", "--durations=0", "--durations-min=10"]
        return start_child(
            ["nice", "-n", str(self.nice), sys.executable, "-m", "pytest", *words, *self.files()],
            cwd=ROOT,
            stdout=output,
            stderr=output,
            text=True,
            at_end=signal.SIGTERM,
        )


def marker_of(file: Path) -> str | None:
    """The marker of the tests in a file by the nearest folder in MARKED."""
    folders = (folder.as_posix() for folder in file.relative_to(TESTS).parents)
    return next((MARKED[folder] for folder in folders if folder in MARKED), None)


def folder_of(file: Path) -> str:
    """The folder of tests/ that a file is in."""
    return file.relative_to(TESTS).parts[0]


def spread(processes: str) -> tuple[str, ...]:
    """The options of pytest-xdist for so many processes."""
    return ("--numprocesses", processes, "--dist", "loadscope", "--no-loadscope-reorder")


PURE = Lane(
    "pure", "not processes and not traffic and not timed", (*spread(PROCESSES), "--in-memory"), nice=5
)
PROCESS = Lane("processes", "processes and not traffic and not timed", (*spread("3"), "--in-memory"), nice=5)
TRAFFIC = Lane("traffic", "traffic and not timed", (*spread("2"), "--own-hosts") if is_possible() else ())
TIMED = Lane("timed", "timed", ())
LANES = (PURE, PROCESS, TRAFFIC, TIMED)
STEPS = {
    "unit": [[[PURE]]],
    "all": [[[TRAFFIC], [PURE, PROCESS]], [[TIMED]]],
}
"""Steps, one after the other. The rows of a step run beside each other, the lanes of a row one by one."""


def lane_of(markers: Iterable[str]) -> Lane:
    """The lane of a test with these markers."""
    last = max((ORDER.index(marker) for marker in markers if marker in ORDER), default=-1)
    return LANES[last + 1]


def require_collected(file: Path, markers: Iterable[str]) -> None:
    """Raise ValueError if the lane of a test with these markers does not look into its file."""
    lane = lane_of(markers)
    if str(file) not in _files(lane):
        raise ValueError(f"{file}: lane {lane.name} does not find its tests; name the marker in this file")


@cache
def group_of(file: Path) -> str:
    """The tests that run in one process with those of a file: its name, if it shares nothing with others."""
    text = file.read_text(encoding="utf-8")
    own = {*re.findall(r"^def (\w+)", text, re.MULTILINE)}
    asked = {*re.findall(r"\w+", " ".join(re.findall(r"def \w+\((.*?)\)", text, re.DOTALL)))} - own
    shared = (
        group for (folder, names), group in SHARED.items() if folder_of(file) == folder and asked & {*names}
    )
    return next(shared, str(file))


@cache
def _files(lane: Lane) -> frozenset[str]:
    return frozenset(lane.files())


def run(rows: Sequence[Sequence[Lane]]) -> bool:
    """Run rows of lanes beside each other. Returns whether all tests passed."""
    began, passed = time.monotonic(), True
    with ExitStack() as stack:
        outputs = {
            lane: stack.enter_context(tempfile.TemporaryFile("w+")) for row in rows[1:] for lane in row
        }
        following = {row[0]: [*row[1:]] for row in rows}
        running = {lane: lane.start(outputs.get(lane)) for lane in following}
        while running:
            time.sleep(POLL_S)
            for lane in [lane for lane, process in running.items() if process.poll() is not None]:
                status = running.pop(lane).returncode
                passed &= status == 0
                if lane in outputs:
                    outputs[lane].seek(0)
                    print(outputs[lane].read(), end="")
                print(f"lane {lane.name}: status {status}, at {time.monotonic() - began:.0f} s", flush=True)
                if then := following.pop(lane):
                    running[then[0]], following[then[0]] = then[0].start(outputs.get(then[0])), then[1:]
        return passed


def main(arguments: list[str] | None = None) -> int:
    """Run the lanes; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m tests.lanes", description=__doc__.partition("\n")[0])
    parser.add_argument("which", choices=STEPS)
    for number in (signal.SIGINT, signal.SIGTERM):  # Also in a shell that ignores them.
        signal.signal(number, signal.default_int_handler)
    REPORTS.mkdir(parents=True, exist_ok=True)
    results = [run(rows) for rows in STEPS[parser.parse_args(arguments).which]]
    return 0 if all(results) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

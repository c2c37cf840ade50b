"""The CPU time of a packet in every queue discipline, beside a plain FIFO, and of FQ-CoDel's search."""

import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.process import ROOT, RUNS, Size

PACKETS = {"full": 3_000_000, "tiny": 2_000}


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """The medians over the runs of a program that is compiled as the switch is."""
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "disciplines"
        source = ROOT / "tests/bench/disciplines.cc"
        compiler = ["g++", "-std=c++20", "-O3", "-DNDEBUG", "-I", ROOT / "testbed"]
        subprocess.run([*compiler, source, "-o", program], check=True)
        runs = [_costs_ns([program, str(PACKETS[size])]) for _ in range(RUNS[size])]
    for what in runs[0]:
        yield what, statistics.median(run[what] for run in runs), "ns/packet"


def _costs_ns(command: list[str | Path]) -> dict[str, float]:
    """What the program printed: ns a packet, by what was measured."""
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {what: float(cost_ns) for cost_ns, what in (line.split(" ", 1) for line in lines)}

"""Measure speed. Beside each figure is that of a comparable program, measured in the same run.

    python -m tests.bench [extraction] [tables] [cycle] [plan] [site] [root] [switch] [disciplines]
        [flows] [codes] [hosts] [recognition]

Figures are medians over a few runs of whole processes, so that the machine's noise is in all of them alike.
Inputs are made from the pinned snapshot, or (for `tables` and `cycle`) from a seed, so that every machine
measures the same work. `switch`, `flows` and `hosts` need root. `python -m tests.bench.cycle` measures
the paper's whole cycle, `python -m tests.bench.hosts 2000` what follows so many trials.
"""

import importlib
import os
import sys

from scripts.base.commands import parser_of
from tests.environment import search_path

NAMES = (
    "extraction",
    "tables",
    "cycle",
    "plan",
    "site",
    "root",
    "switch",
    "disciplines",
    "flows",
    "codes",
    "hosts",
    "recognition",
)


def main() -> int:
    """Run the named benchmarks, or all."""
    parser = parser_of("tests.bench", __doc__)
    parser.add_argument("names", nargs="*", help="the benchmarks to run; default: all")
    names = parser.parse_args().names or NAMES
    for name in names:
        if name not in NAMES:
            parser.error(f"there is no benchmark {name}; there are: {', '.join(NAMES)}")
    os.environ["PATH"] = search_path()
    print(f"{'benchmark':<12} {'what':<48} {'figure':>14} unit")
    for name in names:
        for what, figure, unit in importlib.import_module(f"tests.bench.{name}").measure("full"):
            print(f"{name:<12} {what:<48} {figure:>14,.4g} {unit}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

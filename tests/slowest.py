"""Print where the time of the last test run went, by file, with the time of its fixtures.

    python -m tests.slowest [REPORT ...]

The reports are JUnit files: by default those that `make unit` and `make test` leave in build/times/, one for
each lane. A fixture counts for the first test that asks for it. A lane with several processes takes less time
than the sum.
"""

import argparse
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

from scripts.base.files import ROOT

REPORTS = ROOT / "build/times"
FILES, TESTS = 75, 60
"""How many files and single tests are printed."""


def times(report: Path) -> dict[tuple[str, str], float]:
    """The seconds of every test of a report, by file and name."""
    cases = ElementTree.parse(report).iter("testcase")
    return {
        (_file(case.get("classname", "")), case.get("name", "")): float(case.get("time", 0)) for case in cases
    }


def _file(module: str) -> str:
    """The file of a test: its class, if it has one, is not part of it."""
    words = module.split(".")
    last = next((place for place, word in enumerate(words) if word.startswith("test_")), len(words) - 1)
    return "/".join(words[: last + 1]) + ".py"


def lines(report: Path) -> list[str]:
    """The table of one report."""
    found = times(report)
    seconds, count = Counter[str](), Counter(file for file, _ in found)
    for (file, _), took in found.items():
        seconds[file] += took
    total = sum(seconds.values())
    told = [f"{report.stem}: {total:.0f} s in {len(found)} tests of {len(seconds)} files"]
    told += [
        f"{took:8.1f} s {took / total:5.1%} {count[file]:5} {file}"
        for file, took in seconds.most_common(FILES)
    ]
    slow = sorted(found.items(), key=lambda one: -one[1])[:TESTS]
    return [*told, "", *(f"{took:8.1f} s {file}::{name}" for (file, name), took in slow), ""]


def main(arguments: list[str] | None = None) -> int:
    """Print the tables; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m tests.slowest", description=__doc__.partition("\n")[0])
    parser.add_argument("reports", nargs="*", type=Path, metavar="REPORT", help="JUnit files")
    reports = parser.parse_args(arguments).reports or sorted(REPORTS.glob("*.xml"))
    if not reports or not all(report.is_file() for report in reports):
        missing = next((report for report in reports if not report.is_file()), f"in {REPORTS}")
        print(f"error: no report {missing}: run make unit or make test", file=sys.stderr)
        return 2
    for report in reports:
        print("\n".join(lines(report)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Run the longest tests: all of them, or the parts with these names.

    python -m tests.soak [NAME ...]
    python -m tests.soak --rested MINUTES

A part is a file with tests that have the marker `soak(minutes=N)`, and is named after it: `second-cycle` is
test_second_cycle.py. The name of a folder, such as `truth`, is all parts in it. `minutes` says about how long
a test takes on two idle cores. build/soak.json records of every part when it ended last, on which commit,
how, and how long it took; `--list` prints that.
"""

import argparse
import ast
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from scripts.base.files import ROOT, write_text
from scripts.base.processes import start_child

TESTS = ROOT / "tests"
RECORD = ROOT / "build/soak.json"
REPORT = ROOT / "build/soak.xml"
MARK = "pytest.mark.soak"
ENDS = {0: "passed", 2: "interrupted", 5: "no test ran", 130: "interrupted"}
"""What the exit statuses of pytest mean; any other one is a failure."""
SKIPPED = "skipped itself"


@dataclass(frozen=True)
class Run:
    """The last run of a part: when it ended (UTC), the commit, how it ended, and its seconds."""

    at: str
    commit: str
    end: str
    seconds: int

    def __str__(self) -> str:
        return f"{self.end} {self.at} on {self.commit}, {self.seconds} s"


@dataclass(frozen=True)
class Part:
    """One file with long tests."""

    path: Path
    minutes: float

    @property
    def purpose(self) -> str:
        """The first line of the file's docstring."""
        return (ast.get_docstring(ast.parse(self.path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def parts() -> dict[str, Part]:
    """The parts, by name."""
    found = {}
    for path in sorted(TESTS.rglob("test_*.py"), key=lambda path: path.stem):
        if minutes := [*_minutes(path)]:
            found[path.stem.removeprefix("test_").replace("_", "-")] = Part(path, sum(minutes))
    return found


def named(known: dict[str, Part], name: str) -> list[str]:
    """The part of this name, or those in the folder of this name."""
    return [name] if name in known else [one for one, part in known.items() if part.path.parent.name == name]


def _minutes(path: Path) -> Iterable[float]:
    """The number of each marker in the code of a file, not in its strings.

    Raises:
        ValueError: a marker has none.
    """
    text = path.read_text(encoding="utf-8")
    nodes = [*ast.walk(ast.parse(text))] if MARK in text else []
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == MARK]
    if len(calls) != sum(isinstance(node, ast.Attribute) and ast.unparse(node) == MARK for node in nodes):
        raise ValueError(f"{path}: a marker `soak` without its minutes")
    for call in calls:
        yield from (ast.literal_eval(word.value) for word in call.keywords if word.arg == "minutes")


def last_runs() -> dict[str, Run]:
    """The last run of every part that ever ran here."""
    if not RECORD.exists():
        return {}
    return {name: Run(**run) for name, run in json.loads(RECORD.read_text(encoding="utf-8")).items()}


def commit() -> str:
    """The commit of this checkout, with `+` if files differ from it."""
    return _git("describe", "--always", "--abbrev=8", "--dirty=+", "--exclude=*") or "unknown"


def run(name: str, part: Part) -> int:
    """Run a part, record how it ended, and return pytest's status."""
    began = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-m", "soak", f"--junit-xml={REPORT}", str(part.path)]
    with start_child(command, cwd=ROOT, at_end=signal.SIGTERM) as child:
        try:
            status = child.wait()
        except KeyboardInterrupt:
            child.terminate()
            status = 130
    ended = Run(
        f"{datetime.now(UTC):%Y-%m-%d %H:%M}",
        commit(),
        SKIPPED if status == 0 and _all_skipped() else ENDS.get(status, "failed"),
        round(time.monotonic() - began),
    )
    runs = {**last_runs(), name: ended}
    write_text(RECORD, json.dumps({one: asdict(runs[one]) for one in sorted(runs)}, indent=1) + "\n")
    print(f"soak {name}: {ended}", flush=True)
    return status


def _all_skipped() -> bool:
    """Whether each test of the part that ended last skipped itself, such as on a machine that was late."""
    (suite,) = ElementTree.parse(REPORT).getroot()
    return suite.get("skipped") == suite.get("tests")


def rested_longest(known: dict[str, Part], minutes: float, merges: int) -> str:
    """The part of at most so many minutes that rested longest.

    Parts that never ran come first. `merges` chooses among them, so that machines that keep no record run
    another one at each merge.
    """
    runs = last_runs()
    short = [name for name, part in known.items() if part.minutes <= minutes]
    never = [name for name in short if name not in runs]
    return never[merges % len(never)] if never else min(short, key=lambda name: runs[name].at)


def merges() -> int:
    """The number of commits of this checkout."""
    return int(_git("rev-list", "--count", "HEAD") or 0)


def _git(*words: str) -> str:
    """What git prints; empty where there is no repository."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def main(arguments: list[str] | None = None) -> int:
    """Run the parts; see the module's docstring."""
    for number in (signal.SIGINT, signal.SIGTERM):  # Also in a shell that ignores them.
        signal.signal(number, signal.default_int_handler)
    known = parts()
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts; all without a name")
    parser.add_argument(
        "--list", action="store_true", help="print the parts, their minutes and their last runs"
    )
    parser.add_argument(
        "--rested",
        type=float,
        metavar="MINUTES",
        help="run one part: of those with so many minutes, the one that rested longest",
    )
    options = parser.parse_args(arguments)
    if options.list:
        runs = last_runs()
        for name, part in known.items():
            print(f"{name:<20}{part.minutes:>4g} min  {part.purpose}")
            print(f"{'':<30}{runs.get(name, 'never ran here')}")
        return 0
    chosen = {name: named(known, name) for name in options.names}
    unknown = [name for name, found in chosen.items() if not found]
    if unknown:
        print(f"error: no part {', '.join(unknown)}; the parts are: {', '.join(known)}", file=sys.stderr)
        return 2
    names = [one for found in chosen.values() for one in found] or [*known]
    if options.rested is not None:
        names = [rested_longest(known, options.rested, merges())]
    statuses = []
    for name in names:
        statuses.append(run(name, known[name]))
        if ENDS.get(statuses[-1]) == "interrupted":
            break
    return next((status for status in statuses if status), 0)


if __name__ == "__main__":
    sys.exit(main())

"""Does this build starve others, or get starved? Compares a candidate with a base, on this machine.

    python -m scripts.gate --candidate X --base Y [--against NAME ...] [--settings NAME ...] [--budget 15m]
    python -m scripts.gate --candidate iperf-bbr-5 --base iperf-cubic --budget 10m

X, Y and NAME are services of services/catalogue/, or folders with an endpoint.yaml (docs/endpoints.md);
FOLDER:NAME chooses one of its congestion controls. Both X and Y compete with each contender, by turns, on
the same link. Without --base, each contender is the base: what X does to it is compared with what it does to
itself. The gate ends as soon as its verdict is clear, and when the budget is spent.

config/gate.yaml has the figures and how much worse each may be (docs/gate.md). The folder --into has all
packets, tables and reports: report.md, report.html, report.json, junit.xml. The same command goes on with the
folder of a gate that was interrupted.

Exit status: 0 pass; 1 fail; 3 inconclusive; 2 an error that the user can fix; 4 the testbed could not
measure; 130 or 143 an interrupt.
"""

import re
import shlex
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import get_args

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.locks import exclusive
from scripts.base.processes import exit_on
from scripts.base.records import read_record, write_record
from scripts.gate.decision import EXIT_STATUS, FEWEST, LOOKS, Arms, judge, look
from scripts.gate.definition import ATTEMPTS_ALONE, MOST, Gate, Question, planned
from scripts.gate.effects import SCATTER, smallest_failing, trials_to_pass
from scripts.gate.margins import FILE, GateSettings, Margin, read_settings
from scripts.gate.report import write_reports
from scripts.gate.report_record import Excluded, GateReport
from scripts.gate.running import UnmeasuredError, arms_of, build_tables, measure, write_plan
from scripts.model.campaign import AtOnce
from scripts.model.durations import readable, takes_s
from scripts.model.given import endpoint_files
from scripts.model.trials import TrialKey
from scripts.plan.cycle_progress import RunningCycle

UNMEASURED = 4
"""The exit status if the testbed could not measure."""

MOST_EXCLUDED = 0.25
"""If a larger part of the trials is excluded, the machine was not fit, and there is no verdict."""

HARDLY = 0.5
"""A budget that finds only larger differences of a share is told to be small."""

LEAST_PART = 0.01
"""The least part of the trials that lies between two looks, also if all trials between them are excluded."""

UNITS = {"": 60, "m": 60, "h": 3600, "s": 1}


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the gate; see the module's docstring."""
    parser = parser_of("scripts.gate", __doc__)
    parser.add_argument("--candidate", required=True, metavar="X", help="the build that is judged (required)")
    parser.add_argument(
        "--base", metavar="Y", help="what it is compared with (default: the contender itself)"
    )
    parser.add_argument(
        "--against",
        nargs="+",
        default=["iperf-cubic"],
        metavar="NAME",
        help="the contenders (default: iperf-cubic)",
    )
    parser.add_argument(
        "--settings",
        nargs="+",
        default=["8mbps"],
        metavar="NAME",
        help="links of config/config.yaml, or of the margins (default: 8mbps)",
    )
    parser.add_argument(
        "--budget",
        type=_seconds,
        default="15m",
        metavar="TIME",
        help="how long it may take: 90s, 15m, 2h; a number alone is minutes (default: %(default)s)",
    )
    parser.add_argument(
        "--seconds",
        type=int,
        default=40,
        metavar="N",
        help="length of a trial, at least 20 (default: %(default)s)",
    )
    parser.add_argument(
        "--at-once",
        type=int,
        choices=get_args(AtOnce),
        default=1,
        help="how many trials run at once: each needs 0.2 of a processor at 8 Mbps (default: %(default)s)",
    )
    parser.add_argument(
        "--margins",
        type=Path,
        default=FILE,
        metavar="FILE",
        help="how much worse each figure may be (default: config/gate.yaml)",
    )
    parser.add_argument(
        "--into", type=Path, metavar="FOLDER", help="for all files (default: gate-<time>, a new one here)"
    )
    given = parser.parse_args(argv)
    builds = dict[str, str]()
    for service in filter(None, [given.candidate, given.base, *given.against]):
        builds |= endpoint_files(service)
    asked = Question(
        given.candidate,
        given.base,
        tuple(given.against),
        tuple(given.settings),
        given.seconds,
        given.budget,
        given.at_once,
        builds,
    )
    into = given.into or Path(datetime.now().strftime("gate-%Y%m%d-%H%M%S"))
    words = [*parser.prog.split(), *(sys.argv[1:] if argv is None else argv)]
    again = shlex.join(words if given.into else [*words, "--into", str(into)])
    exit_on(signal.SIGTERM)
    return run_gate(asked, read_settings(given.margins), into, again)


def run_gate(asked: Question, settings: GateSettings, into: Path, again: str) -> int:
    """Plan the gate, measure until its verdict is clear, and write the reports.

    Args:
        asked: what the command line says.
        settings: the margins, and links besides those of config/config.yaml.
        into: the folder for all files.
        again: the command that goes on with this gate.

    Returns:
        The exit status.

    Raises:
        UserError: a service, a setting, the budget or the folder is wrong.
    """
    question = into / "asked.json"
    if into.exists():
        _require_same(question, asked)
    into.mkdir(parents=True, exist_ok=True)
    with exclusive(into):
        try:
            trials = _Trials(planned(asked, into / "definition", settings.settings), into)
            write_record(question, asked)
        finally:
            if not question.is_file():
                shutil.rmtree(into, ignore_errors=True)
        print("\n".join(announcement(asked, trials.gate, settings.margins)), flush=True)
        return _reported(trials, asked, settings.margins, again)


def _require_same(question: Path, asked: Question) -> None:
    """Raise UserError if a folder that exists is not that of this gate, with the same builds."""
    folder = question.parent
    before = read_record(Question, question) if question.is_file() else None
    if before is None or replace(before, builds={}) != replace(asked, builds={}):
        raise UserError(f"{folder}: is the folder of something else; name another one by --into")
    changed = {path for path, _ in {*before.builds.items()} ^ {*asked.builds.items()}}
    if changed:
        raise UserError(
            f"{folder}: its trials are those of another build: {min(changed)} changed; "
            "name another folder by --into, or remove this one"
        )


def _reported(trials: "_Trials", asked: Question, margins: Mapping[str, Margin], again: str) -> int:
    """Measure the trials and write the reports. Returns the exit status."""
    try:
        report = _measured(trials, margins)
        print("\n".join(write_reports(report, asked, trials.into)))
    except UnmeasuredError as error:
        print(f"error: the testbed could not measure: {error}; the lines above say why", file=sys.stderr)
        return UNMEASURED
    except (KeyboardInterrupt, SystemExit) as end:
        kept = f"interrupted; the trials measured so far are kept in {trials.into}; this command goes on:"
        print(f"{kept}\n{again}", file=sys.stderr)
        return 128 + (signal.SIGINT if isinstance(end, KeyboardInterrupt) else signal.SIGTERM)
    return EXIT_STATUS[report.verdict]


def announcement(asked: Question, gate: Gate, margins: Mapping[str, Margin]) -> list[str]:
    """What the gate will do, and what it can show, as lines."""
    share = margins.get("share", next(iter(margins.values())))
    tests = len(gate.cells) * len(margins)
    trials = 2 * gate.trials * len(gate.cells)
    batches = sum(ceil((end - start) / asked.at_once) for start, end in pairwise((0, *_bounds(gate))))
    seconds = batches * takes_s(asked.seconds)
    passing = trials_to_pass(share.margin, share.worse, tests)
    at_once = f", {asked.at_once} at once" if asked.at_once > 1 else ""
    lines = [
        f"{trials} trials of {asked.seconds} s{at_once}, {gate.trials} of each arm beside each contender, "
        f"and {len(gate.solos)} alone: at most {readable(seconds)}",
    ]
    if share.unit == "fraction":
        least = smallest_failing(gate.trials, share.margin, tests)
        time = readable(2 * passing * takes_s(asked.seconds) / asked.at_once)
        lines += [
            f"a difference of {100 * least:.0f} points of the {share.metric} fails in four of five gates; "
            f"a pass needs {passing} trials of each arm, {time} a contender "
            f"(both where trials scatter by {100 * SCATTER:.0f} points, as Cubic does beside Cubic)"
        ]
        if least > HARDLY:
            lines += ["so small a budget finds gross differences only; allow more time, or --at-once 4"]
        if passing > MOST:
            lines += ["a pass is improbable: name fewer contenders or settings, or allow wider margins"]
    if gate.trials == MOST:
        lines += [f"an arm has {MOST} trials at most, so a longer budget changes nothing"]
    return lines


class _Trials:
    """The trials of a gate. Each is told on the terminal when it is measured.

    Attributes:
        gate: the plan so far.
        into: the folder of the gate.
        keys: the planned trials in their order.
        done: how many of them are measured.
        excluded: those that do not count.
    """

    def __init__(self, gate: Gate, into: Path) -> None:
        self.into, self.done = into, 0
        self.excluded = list[Excluded]()
        self.plan(gate)

    def plan(self, gate: Gate) -> None:
        """Write the plan of the trials, which may change what is not measured yet."""
        self.gate, self.keys = gate, write_plan(gate, self.into)
        self._cycle = RunningCycle(self.into, gate.campaign.at_once)

    def measure(self, stop: int) -> list[TrialKey]:
        """Measure the trials until so many are done, as many at once as the gate says.

        Returns:
            Those of them that do not count.
        """
        excluded = list[TrialKey]()
        while self.done < stop:
            together = self.keys[self.done : min(stop, self.done + self.gate.campaign.at_once)]
            for key, reason in zip(together, measure(together, self.into, self._cycle), strict=True):
                self.done += 1
                if reason is not None:
                    excluded.append(key)
                    self.excluded.append(Excluded(key.title, reason))
                words = "valid" if reason is None else f"excluded: {reason}"
                left_s = self._cycle.progress().round_left_s
                left = f"; about {readable(left_s)} left" if left_s else ""
                print(f"trial {self.done} of {len(self.keys)}: {key.title}: {words}{left}", flush=True)
        return excluded


def _measured(trials: _Trials, margins: Mapping[str, Margin]) -> GateReport:
    """Measure the trials in their order, look at the planned parts, and stop when the verdict is clear."""
    _measure_alone(trials)
    gate, into, looks, late, judged = trials.gate, trials.into, list[float](), False, None
    _, *ends = _bounds(gate)
    for end in ends:
        trials.measure(end)
        build_tables(gate, trials.keys[:end], into)
        arms = arms_of(gate.cells, margins, into)
        looks.append(1.0 if end == ends[-1] else _part(arms, gate.trials, looks))
        judged = judge(arms, tuple(looks))
        late = len(trials.excluded) > MOST_EXCLUDED * end
        if end == ends[-1] and judged.verdict == "inconclusive":
            late = late or min(one.size for one in arms) < FEWEST
        print(f"look {len(looks)} of {len(ends)}: {'late' if late else judged.verdict}", flush=True)
        if late or judged.verdict != "inconclusive":
            break
    assert judged is not None, "a gate looks once at least"
    return GateReport(judged, gate, trials.done, tuple(trials.excluded), late)


def _measure_alone(trials: _Trials) -> None:
    """Measure each service alone until a trial counts, ATTEMPTS_ALONE times at most."""
    excluded = trials.measure(len(trials.gate.solos))
    for attempt in range(2, ATTEMPTS_ALONE + 1):
        if excluded:
            again = [replace(key, number=attempt) for key in excluded]
            trials.plan(trials.gate.with_solos(again))
            excluded = trials.measure(len(trials.gate.solos))


def _bounds(gate: Gate) -> list[int]:
    """How many trials are measured after those alone, and then at each look."""
    blocks = {max(FEWEST, ceil(part * gate.trials)) for part in LOOKS}
    return [len(gate.solos), *(gate.ends_of_block(number) for number in sorted(blocks))]


def _part(arms: Sequence[Arms], planned: int, before: Sequence[float]) -> float:
    """The part of the planned trials that the smallest arms have, and more than at the look before."""
    sizes = [(len(one.candidate), len(one.base)) for one in arms]
    found = min(look(*size, planned) if min(size) else 0.0 for size in sizes)
    return max(found, LEAST_PART + (before[-1] if before else 0.0))


def _seconds(text: str) -> float:
    """The seconds of a duration such as 15m, 2h or 90s; a number alone is minutes."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([smh]?)", text)
    if match is None:
        raise UserError(f"--budget: {text} is no time; write 15m, 2h or 900s")
    return float(match[1]) * UNITS[match[2]]


if __name__ == "__main__":
    sys.exit(main())

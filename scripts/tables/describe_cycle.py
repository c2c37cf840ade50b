"""Describe when and on what machine a cycle was measured, from its trials.

python -m scripts.tables.describe_cycle PLAN.csv --trials DIR -o cycle.json
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import write_text
from scripts.base.records import read_record
from scripts.model.plan_file import read_plan
from scripts.model.trial_record import Status


@dataclass(frozen=True)
class Bottleneck:
    """The program that was the bottleneck."""

    backend: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class Trial:
    """The part of trial.json that is read here. Times are ns since the Unix epoch; None if it never began."""

    campaign: str
    cycle: str
    status: Status
    start_ns: int | None
    stop_ns: int | None
    host: dict[str, object] | None
    programs: dict[str, str]
    bottleneck: Bottleneck


def describe_cycle(plan: Path, trials: Path) -> dict[str, object]:
    """The content of cycle.json.

    It holds the campaign, the cycle, the number of planned trials, the first start and the last stop, and the
    host, the programs and the bottleneck of the first completed trial.
    """
    lines = sorted(read_plan(plan), key=lambda line: line.order)
    records = [read_record(Trial, trials / line.key.path / "trial.json") for line in lines]
    starts = [record.start_ns for record in records if record.start_ns is not None]
    stops = [record.stop_ns for record in records if record.stop_ns is not None]
    typical = next((record for record in records if record.status == "completed"), records[0])
    return {
        "campaign": records[0].campaign,
        "cycle": records[0].cycle,
        "trials_planned": len(lines),
        "first_start_ns": min(starts, default=None),
        "last_stop_ns": max(stops, default=None),
        "host": typical.host,
        "programs": typical.programs,
        "bottleneck": vars(typical.bottleneck),
    }


@reporting
def main(argv: list[str] | None = None) -> int:
    """Describe a cycle; see the module's docstring."""
    parser = parser_of("scripts.tables.describe_cycle", __doc__)
    parser.add_argument("plan", type=Path, help="plan.csv of the cycle")
    parser.add_argument("--trials", type=Path, required=True, help="directory of its trials")
    parser.add_argument("-o", "--output", type=Path, required=True, help="JSON file to write")
    arguments = parser.parse_args(argv)
    description = describe_cycle(arguments.plan, arguments.trials)
    write_text(arguments.output, json.dumps(description, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

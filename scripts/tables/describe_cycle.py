"""When and on what a cycle was measured, from its trials.

python -m scripts.tables.describe_cycle PLAN.csv --trials DIR -o cycle.json
"""

import json
import sys
from pathlib import Path
from typing import Any

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import read_json, write_text
from scripts.model.plan_file import read_plan


def describe_cycle(plan: Path, trials: Path) -> dict[str, Any]:
    """Campaign, cycle, how many trials were planned, first start and last stop (ns since the epoch; None
    where every trial failed before it began), and host and programs of the first completed trial."""
    lines = sorted(read_plan(plan), key=lambda line: int(line["order"]))
    records = [
        read_json(trials / line["setting"] / line["pair"] / line["nn"] / "trial.json") for line in lines
    ]
    starts = [record["start_ns"] for record in records if record["start_ns"] is not None]
    stops = [record["stop_ns"] for record in records if record["stop_ns"] is not None]
    typical = next((record for record in records if record["status"] == "completed"), records[0])
    return {
        "campaign": records[0]["campaign"],
        "cycle": records[0]["cycle"],
        "trials_planned": len(lines),
        "first_start_ns": min(starts, default=None),
        "last_stop_ns": max(stops, default=None),
        "host": typical["host"],
        "programs": typical["programs"],
        "bottleneck": {key: typical["bottleneck"].get(key) for key in ("backend", "version")},
    }


@reporting
def main(argv: list[str] | None = None) -> int:
    """Describe a cycle; see the module's docstring."""
    parser = parser_of("scripts.tables.describe_cycle", __doc__)
    parser.add_argument("plan", type=Path, help="the cycle's plan.csv")
    parser.add_argument("--trials", type=Path, required=True, help="the directory of its trials")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the JSON file to write")
    arguments = parser.parse_args(argv)
    description = describe_cycle(arguments.plan, arguments.trials)
    write_text(arguments.output, json.dumps(description, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Which trials a campaign's cycle consists of, and in which order.

    python -m scripts.plan CONFIG.json --cycle NAME -o PLAN_DIR

reads a merged configuration (scripts/config.py) and writes PLAN_DIR/plan.csv, a line a trial in the order
of running, and a specification a trial, PLAN_DIR/specs/<setting>/<pair>/<nn>.json
(config/schemas/trial.yaml). The cycle becomes the campaign's current one. A specification is written once:
one that stands there is never changed, and a configuration that would change it is refused, because its
cycle has begun.
"""

import argparse
import csv
import hashlib
import io
import json
import random
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scripts.cycle import store_cycle_name
from scripts.errors import UserError
from scripts.files import write_text

COLUMNS = ["order", "setting", "pair", "trial", "duration_s"]


def planned_trials(config: dict[str, Any]) -> Iterator[tuple[str, str, int]]:
    """All (setting, pair, number) in the order of running.

    Solos come first, then one trial of every pair after the other, again and again, so that a bad hour
    hurts all alike (Prudentia 3.4). A solo's pair is the service's own name.
    """
    for kind, names in (("solo", sorted(config["services"])), ("pair", config["pairs"])):
        for number in range(1, config["trials"][kind] + 1):
            for name in names:
                for setting in config["settings"]:
                    yield setting, name, number


def specification(config: dict[str, Any], cycle: str, setting: str, pair: str, number: int) -> dict[str, Any]:
    """The specification of one trial; its seed follows from its name and the configuration's seed."""
    name = f"{config['seed']}/{config['campaign']}/{cycle}/{setting}/{pair}/{number}"
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])
    draw = random.Random(seed)
    link = config["settings"][setting]
    members = pair.split("~")
    return {
        "schema": 1,
        "campaign": config["campaign"],
        "cycle": cycle,
        "setting": setting,
        "pair": pair,
        "trial": number,
        "link": {
            key: link[key]
            for key in ("title", "rate_mbps", "rtt_ms", "queue_packets", "queue_bdp", "discipline")
        },
        "bottleneck": config["bottleneck"],
        "seed": seed,
        "duration_s": config["trial"]["duration_s"],
        "ignore_first_s": config["trial"]["ignore_first_s"],
        "ignore_last_s": config["trial"]["ignore_last_s"],
        "clients": [
            {
                "client": f"c{position}",
                "service": config["services"][service],
                "instance": members[:position].count(service),
                "start_offset_s": round(draw.uniform(0, config["trial"]["start_jitter_s"]), 6),
            }
            for position, service in enumerate(members, start=1)
        ],
    }


def write_plan(config: dict[str, Any], cycle: str, directory: Path) -> int:
    """Write the plan; see the module's docstring.

    Returns:
        How many trials the cycle has.

    Raises:
        UserError: a specification of an earlier plan of this cycle says something else.
    """
    trials = list(planned_trials(config))
    specs = {
        directory / f"specs/{setting}/{pair}/{number:02d}.json": specification(
            config, cycle, setting, pair, number
        )
        for setting, pair, number in trials
    }
    for path, spec in specs.items():
        if path.exists():
            _refuse_change(path, json.loads(path.read_text(encoding="utf-8")), spec)
    for path, spec in specs.items():
        if not path.exists():
            write_text(path, json.dumps(spec, indent=1, ensure_ascii=False) + "\n")
    lines = [
        {
            "order": order,
            "setting": setting,
            "pair": pair,
            "trial": number,
            "duration_s": config["trial"]["duration_s"],
        }
        for order, (setting, pair, number) in enumerate(trials, start=1)
    ]
    write_plan_table(lines, directory / "plan.csv")
    return len(trials)


def write_plan_table(lines: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write a plan.csv; keys of a line that are not columns are left out."""
    table = io.StringIO()
    writer = csv.DictWriter(table, COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(lines)
    write_text(path, table.getvalue())


def read_plan(path: Path) -> list[dict[str, str]]:
    """The lines of a plan.csv, with `nn`, the trial's number as its directory is named."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [line | {"nn": f"{int(line['trial']):02d}"} for line in csv.DictReader(stream)]


def _refuse_change(path: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    """Raise UserError if a trial would be another one than was planned."""
    changed = sorted(key for key in now if before.get(key) != now[key])
    if changed:
        raise UserError(
            f"{path}: the configuration now says something else of {', '.join(changed)} than when "
            f"cycle {now['cycle']} was planned; undo that, or name a new cycle (cycle=NAME)"
        )


def main(argv: list[str] | None = None) -> int:
    """Write a plan; see the module's docstring."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.plan",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("config", type=Path, help="the merged configuration, JSON")
    parser.add_argument("--cycle", required=True, help="the cycle's name")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the plan's directory")
    arguments = parser.parse_args(argv)
    try:
        count = write_plan(
            json.loads(arguments.config.read_text(encoding="utf-8")), arguments.cycle, arguments.output
        )
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    store_cycle_name(arguments.output.parent.parent, arguments.cycle)
    print(f"{count} trials planned in cycle {arguments.cycle}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Plan a cycle: round after round, then the whole.

    python -m scripts.plan.rounds write N CONFIG.json --cycle NAME --rows ROWS_DIR --trials TRIALS_DIR
        -o PLAN_DIR

reads a merged configuration (scripts/plan/campaign_file.py), the rounds before N in PLAN_DIR, and
trial_services of every trial in them (ROWS_DIR/<setting>/<pair>/<nn>/). It writes PLAN_DIR/round-<nn>.csv, a
line a trial in the order of running (scripts/plan/planner.py), and a specification for each trial
(scripts/plan/specification_writer.py). A round without trials means that the cycle is complete. The cycle
becomes the campaign's current one.

    python -m scripts.plan.rounds join ROUND.csv … -o PLAN.csv

joins the rounds of a complete cycle.
"""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import read_json
from scripts.model.cycle_names import store_cycle_name
from scripts.model.durations import duration_s
from scripts.model.plan_file import read_plan, write_plan_table
from scripts.plan.planner import Trial, next_trials
from scripts.plan.specification_writer import write_specifications

NEEDED = ["setting", "pair", "trial", "client", "service", "valid", "throughput_mbps"]


def write_round(
    config: dict[str, Any], cycle: str, number: int, rows: Path, trials: Path, directory: Path
) -> int:
    """Write a round and the specifications of its trials; see the module's docstring.

    Returns:
        How many trials the round has.

    Raises:
        UserError: a specification of an earlier plan of this cycle says something else.
    """
    before = [
        line for earlier in range(1, number) for line in read_plan(directory / f"round-{earlier:02d}.csv")
    ]
    asked = next_trials(config, read_rows(before, rows), measured_trials(trials))
    write_specifications(config, cycle, asked, directory)
    lines = [
        {
            "order": order,
            "round": number,
            "setting": setting,
            "pair": pair,
            "trial": trial,
            "duration_s": duration_s(config, pair),
        }
        for order, (setting, pair, trial) in enumerate(asked, start=len(before) + 1)
    ]
    write_plan_table(lines, directory / f"round-{number:02d}.csv")
    return len(asked)


def read_rows(lines: Iterable[Mapping[str, str]], rows: Path) -> list[dict[str, Any]]:
    """What the planner needs of trial_services, of every trial of a plan.

    Raises:
        UserError: a trial has no rows.
    """
    found: list[dict[str, Any]] = []
    for line in lines:
        path = rows / line["setting"] / line["pair"] / line["nn"] / "trial_services.parquet"
        if not path.is_file():
            raise UserError(f"{path}: is missing; measure the trial and build its tables first")
        with pq.ParquetFile(path) as file:
            found += file.read(columns=NEEDED, use_threads=False).to_pylist()
    return found


def measured_trials(trials: Path) -> set[Trial]:
    """The trials that exist: TRIALS_DIR/<setting>/<pair>/<nn>/."""
    return {
        (path.parts[-3], path.parts[-2], int(path.name))
        for path in trials.glob("*/*/*")
        if path.name.isdecimal()
    }


@reporting
def main(argv: list[str] | None = None) -> int:
    """Write a round, or join all; see the module's docstring."""
    parser = parser_of("scripts.plan.rounds", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("write", help="write one round")
    one.add_argument("number", type=int, help="the round's number, from 1")
    one.add_argument("config", type=Path, help="the merged configuration, JSON")
    one.add_argument("--cycle", required=True, help="the cycle's name")
    one.add_argument("--rows", type=Path, required=True, help="where the tables of its trials are")
    one.add_argument("--trials", type=Path, required=True, help="where its trials are")
    one.add_argument("-o", "--output", type=Path, required=True, help="the plan's directory")
    join = commands.add_parser("join", help="join the rounds of a complete cycle")
    join.add_argument("rounds", type=Path, nargs="+", help="the rounds' files, in order")
    join.add_argument("-o", "--output", type=Path, required=True, help="the file to write")
    arguments = parser.parse_args(argv)
    if arguments.command == "join":
        write_plan_table([line for path in arguments.rounds for line in read_plan(path)], arguments.output)
        return 0
    config = read_json(arguments.config)
    count = write_round(
        config, arguments.cycle, arguments.number, arguments.rows, arguments.trials, arguments.output
    )
    store_cycle_name(arguments.output.parent.parent, arguments.cycle)
    asked = f"{count} trials" if count else "none needed, every pair is closed"
    print(f"cycle {arguments.cycle}, round {arguments.number}: {asked}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

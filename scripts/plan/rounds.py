"""Plan a cycle round by round, then join the rounds into one plan.

    python -m scripts.plan.rounds write N CONFIG.json --cycle NAME --rows ROWS_DIR --trials TRIALS_DIR
        -o PLAN_DIR

plans round N. It reads the merged configuration (scripts/plan/campaign_file.py), the earlier rounds in
PLAN_DIR, trial_services of all their trials (ROWS_DIR/<setting>/<pair>/<nn>/), and the services that were set
aside before the cycle, if there are any (PLAN_DIR/set_aside.json). It writes
PLAN_DIR/round-<nn>.csv, one line per trial in the order of running (scripts/plan/planner.py), and a
specification of each trial (scripts/plan/specification_writer.py). A round without trials means that the
cycle is complete. The cycle becomes the campaign's current one.

    python -m scripts.plan.rounds join ROUND.csv … -o PLAN.csv

joins the rounds of a complete cycle.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.model.campaign import Campaign, read_campaign
from scripts.model.cycle_names import store_cycle_name
from scripts.model.durations import duration_s
from scripts.model.plan_file import PlanLine, read_plan, write_plan_table
from scripts.model.trials import TrialKey
from scripts.plan.planner import next_trials
from scripts.plan.set_aside import read_set_aside
from scripts.plan.specification_writer import write_specifications
from scripts.plan.trial_services import TrialService, read_trial_services


def write_round(
    campaign: Campaign, cycle: str, number: int, rows: Path, trials: Path, directory: Path
) -> int:
    """Write a round and the specifications of its trials; see the module's docstring.

    Returns:
        The number of trials in the round.

    Raises:
        UserError: an earlier trial has no rows, or a stored specification differs from the new one.
    """
    earlier = [line for before in range(1, number) for line in read_plan(_round_file(directory, before))]
    set_aside = read_set_aside(directory)
    planned = next_trials(campaign, read_rows(earlier, rows), measured_trials(trials), set_aside, cycle)
    write_specifications(campaign, cycle, planned, directory)
    os.sync()  # No power cut leaves a round whose specifications are empty.
    lines = [
        PlanLine(order, number, key, duration_s(campaign, key.setting, key.pair))
        for order, key in enumerate(planned, start=len(earlier) + 1)
    ]
    write_plan_table(lines, _round_file(directory, number))
    return len(planned)


def read_rows(lines: Iterable[PlanLine], rows: Path) -> list[TrialService]:
    """Read trial_services of every trial of a plan.

    Raises:
        UserError: a trial has no rows.
    """
    read: list[TrialService] = []
    for line in lines:
        path = rows / line.key.path / "trial_services.parquet"
        if not path.is_file():
            raise UserError(f"{path}: is missing; measure the trial and build its tables first")
        read += read_trial_services(path)
    return read


def measured_trials(trials: Path) -> set[TrialKey]:
    """The trials that exist, from the directories TRIALS_DIR/<setting>/<pair>/<nn>/."""
    return {TrialKey.of(path) for path in trials.glob("*/*/*") if path.name.isdecimal()}


def _round_file(directory: Path, number: int) -> Path:
    return directory / f"round-{number:02d}.csv"


@reporting
def main(argv: list[str] | None = None) -> int:
    """Write one round, or join all; see the module's docstring."""
    parser = parser_of("scripts.plan.rounds", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write", help="write one round")
    write.add_argument("number", type=int, help="number of the round, from 1")
    write.add_argument("config", type=Path, help="merged configuration, JSON")
    write.add_argument("--cycle", required=True, help="name of the cycle")
    write.add_argument("--rows", type=Path, required=True, help="directory of the trials' tables")
    write.add_argument("--trials", type=Path, required=True, help="directory of the trials")
    write.add_argument("-o", "--output", type=Path, required=True, help="directory of the plan")
    join = commands.add_parser("join", help="join the rounds of a complete cycle")
    join.add_argument("rounds", type=Path, nargs="+", help="files of the rounds, in order")
    join.add_argument("-o", "--output", type=Path, required=True, help="file to write")
    arguments = parser.parse_args(argv)
    if arguments.command == "join":
        write_plan_table([line for path in arguments.rounds for line in read_plan(path)], arguments.output)
        return 0
    campaign = read_campaign(arguments.config)
    count = write_round(
        campaign, arguments.cycle, arguments.number, arguments.rows, arguments.trials, arguments.output
    )
    store_cycle_name(arguments.output.parent.parent, arguments.cycle)
    outcome = f"{count} trials" if count else "none needed, every pair is closed"
    print(f"cycle {arguments.cycle}, round {arguments.number}: {outcome}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

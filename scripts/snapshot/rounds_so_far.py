"""Make tables and charts of a cycle that still runs, from its rounds so far.

    python -m scripts.snapshot.rounds_so_far CYCLE_DIR ROUND

reads all rounds before ROUND, the one that was planned last, from data/<campaign>/<cycle>. It writes
CYCLE_DIR/provisional/, which then has the layout of a snapshot without trials, and provisional.json. If
nothing was measured before this round, or nothing of this round is left to measure, there is no such folder
afterwards. The cycle is compared with no other one yet.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import write_text
from scripts.charts.cycle_files import write_cycle_charts
from scripts.extract.extract_trial import extract
from scripts.model.campaign import Campaign, read_campaign
from scripts.model.plan_file import PlanLine, read_plan, write_plan_table
from scripts.plan.calibration import PAIR
from scripts.plan.set_aside import FILE as SET_ASIDE
from scripts.snapshot.provisional import Provisional, write_provisional
from scripts.tables.calibration_table import build_calibration, join
from scripts.tables.cycle_tables import build_cycle, planned_folders
from scripts.tables.describe_cycle import describe_cycle
from scripts.tables.output import write_table
from scripts.tables.plan_table import plan_table


def summarise_rounds(cycle: Path, number: int) -> None:
    """Make tables and charts of all rounds before this one; see the module's docstring.

    Args:
        cycle: data/<campaign>/<cycle>, with the tables of every trial of those rounds.
        number: the round that was planned last.
    """
    plan, source = cycle / "plan", cycle / "provisional"
    shutil.rmtree(source, ignore_errors=True)
    measured = [line for one in range(1, number) for line in _round(plan, one)]
    planned = _round(plan, number)
    if not measured or all((cycle / "trials" / line.key.path).is_dir() for line in planned):
        return
    write_plan_table(measured, source / "plan/plan.csv")
    shutil.copyfile(plan / "config.json", source / "plan/config.json")
    if (plan / SET_ASIDE).is_file():
        shutil.copyfile(plan / SET_ASIDE, source / "plan" / SET_ASIDE)
    campaign = read_campaign(plan / "config.json")
    _make_tables(cycle, source, campaign)
    write_cycle_charts(source / "tables", campaign, source / "charts/cycle")
    count = len(measured)
    write_provisional(source, Provisional(campaign.campaign, cycle.name, count, count + len(planned)))


def _round(plan: Path, number: int) -> list[PlanLine]:
    return read_plan(plan / f"round-{number:02d}.csv")


def _make_tables(cycle: Path, source: Path, campaign: Campaign) -> None:
    """The tables of the trials in the plan of `source`."""
    plan, tables = source / "plan/plan.csv", source / "tables"
    build_cycle(planned_folders(plan, cycle / "rows"), tables, campaign)
    standings = plan_table(campaign, plan, tables / "trial_services.parquet")
    write_table([standings], "plan", tables, with_csv=True)
    description = describe_cycle(plan, cycle / "trials", None, [])
    write_text(tables / "cycle.json", json.dumps(description, indent=1) + "\n")
    with tempfile.TemporaryDirectory() as scratch:
        measured = enumerate(sorted((cycle / "trials").glob(f"*/{PAIR}/[0-9]*")))
        folders = [
            _calibration(trial, Path(scratch, str(count)), source / "plan/config.json")
            for count, trial in measured
        ]
        join(folders, tables)


def _calibration(trial: Path, scratch: Path, config: Path) -> Path:
    """The folder with the row of one calibration trial."""
    extract(trial, scratch)
    build_calibration(trial, scratch, scratch / "rows", config)
    return scratch / "rows"


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.snapshot.rounds_so_far", __doc__)
    parser.add_argument("cycle", type=Path, metavar="CYCLE_DIR", help="data/<campaign>/<cycle>")
    parser.add_argument("round", type=int, metavar="ROUND", help="the round that was planned last")
    arguments = parser.parse_args(argv)
    summarise_rounds(arguments.cycle, arguments.round)
    return 0


if __name__ == "__main__":
    sys.exit(main())

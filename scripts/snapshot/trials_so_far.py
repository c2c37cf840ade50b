"""Make tables and charts of a cycle that still runs, from its trials so far.

    python -m scripts.snapshot.trials_so_far CYCLE_DIR

reads every trial of data/<campaign>/<cycle> that has rows. It writes CYCLE_DIR/provisional/, which then has
the layout of a snapshot without trials, and provisional.json. If there is no such trial, or nothing of the
plan is left to measure, there is no such folder afterwards. The cycle is compared with no other one yet.
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
from scripts.model.plan_file import read_plan, write_plan_table
from scripts.plan.calibration import PAIR
from scripts.plan.set_aside import FILE as SET_ASIDE
from scripts.snapshot.provisional import Provisional, write_provisional
from scripts.tables.calibration_table import build_calibration, join
from scripts.tables.cycle_tables import build_cycle, planned_folders
from scripts.tables.describe_cycle import describe_cycle
from scripts.tables.output import write_table
from scripts.tables.plan_table import plan_table

ROWS = "trial_services.parquet"


def summarise_trials(cycle: Path) -> None:
    """Make tables and charts of the trials so far of data/<campaign>/<cycle>; see the module's docstring."""
    plan, source = cycle / "plan", cycle / "provisional"
    shutil.rmtree(source, ignore_errors=True)
    planned = [line for file in sorted(plan.glob("round-*.csv")) for line in read_plan(file)]
    measured = [line for line in planned if (cycle / "rows" / line.key.path / ROWS).is_file()]
    if not measured or all((cycle / "trials" / line.key.path).is_dir() for line in planned):
        return
    write_plan_table(measured, source / "plan/plan.csv")
    shutil.copyfile(plan / "config.json", source / "plan/config.json")
    if (plan / SET_ASIDE).is_file():
        shutil.copyfile(plan / SET_ASIDE, source / "plan" / SET_ASIDE)
    campaign = read_campaign(plan / "config.json")
    _make_tables(cycle, source, campaign)
    write_cycle_charts(source / "tables", campaign, source / "charts/cycle")
    write_provisional(source, Provisional(campaign.campaign, cycle.name, len(measured), len(planned)))


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
    parser = parser_of("scripts.snapshot.trials_so_far", __doc__)
    parser.add_argument("cycle", type=Path, metavar="CYCLE_DIR", help="data/<campaign>/<cycle>")
    arguments = parser.parse_args(argv)
    summarise_trials(arguments.cycle)
    return 0


if __name__ == "__main__":
    sys.exit(main())

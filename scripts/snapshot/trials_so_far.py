"""Make tables and charts of a cycle that still runs, from its trials so far.

    python -m scripts.snapshot.trials_so_far CYCLE_DIR

reads every trial of data/<campaign>/<cycle> that has rows. It writes CYCLE_DIR/provisional/, which then has
the layout of a snapshot without trials, and provisional.json. Its table `pairs` has one more column,
`provisional`, so that no page and no chart has a verdict. If there is no such trial, or nothing of the
plan is left to measure, there is no such folder afterwards. The cycle is compared with no other one yet.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.charts.cycle_files import write_cycle_charts
from scripts.extract.extract_trial import extract
from scripts.model.campaign import read_campaign
from scripts.model.plan_file import read_plan, write_plan_table
from scripts.model.resumed import resumed_from
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR
from scripts.plan.registration import FILE as REGISTRATION
from scripts.plan.set_aside import FILE as SET_ASIDE
from scripts.snapshot.identity import Provisional, write_provisional
from scripts.tables.calibration_table import build_calibration
from scripts.tables.cycle import make_tables
from scripts.tables.resumed_rows import write_resumed_rows

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
    for name in (SET_ASIDE, REGISTRATION):
        if (plan / name).is_file():
            shutil.copyfile(plan / name, source / "plan" / name)
    campaign = read_campaign(plan / "config.json")
    _make_tables(cycle, source)
    mark_provisional(source / "tables")
    write_cycle_charts(source / "tables", campaign, source / "charts/cycle")
    write_provisional(source, Provisional(campaign.campaign, cycle.name, len(measured), len(planned)))


def mark_provisional(tables: Path) -> None:
    """Take the verdicts out of the table `pairs`, and add the column `provisional`."""
    path = tables / "pairs.parquet"
    rows = pq.read_table(path)
    no_verdicts = pa.nulls(rows.num_rows, pa.string())
    rows = rows.set_column(rows.column_names.index("verdict"), "verdict", no_verdicts)
    pq.write_table(rows.append_column("provisional", pa.repeat(True, rows.num_rows)), path)


def _make_tables(cycle: Path, source: Path) -> None:
    """The tables of the trials in the plan of `source`. Calibrations have rows at the end only."""
    with tempfile.TemporaryDirectory() as scratch:
        for trial in (cycle / "trials").glob(f"*/{PAIR}/[0-9]*"):
            rows = Path(scratch) / TrialKey.of(trial).path
            if (resumed := resumed_from(trial)) is not None:
                write_resumed_rows(resumed, TrialKey.of(trial), rows)
                continue
            extract(trial, rows / "parquet")
            build_calibration(trial, rows / "parquet", rows, source / "plan/config.json")
        make_tables(source, measured=cycle, calibrations=Path(scratch))


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

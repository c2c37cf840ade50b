"""Make all tables of a cycle. Only this module says which table is built from which.

    python -m scripts.tables.cycle CYCLE_DIR

CYCLE_DIR is data/<campaign>/<cycle>, with a complete plan and the rows of every trial
(scripts/tables/measured_trial.py). The command finds the cycles and the labelled traces that this one is
compared with, and writes compared/ (scripts/model/comparison.py). Then it writes tables/: each table as
.parquet and .csv, and cycle.json. A table of 5 million rows or more has no .csv.

The command registers what decides the verdicts, if it changed since the plan was made
(scripts/plan/registration.py). The table `registration` says when each expectation was stated.

The table `plan` has the standing of every pair and service alone after each of its rounds, and the
reason.

A file set_aside.json beside the plan names the services that were set aside before the cycle. The planner
itself judges them (scripts/plan/planner.py), so a frozen cycle gives the same answer.
"""

import json
import shutil
import sys
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import replacing, write_text
from scripts.model.campaign import Campaign, read_campaign
from scripts.model.comparison import (
    BEFORE,
    BEFORE_RECOGNITION,
    LABELS,
    NAMES,
    OTHER_BOTTLENECK,
    RECOGNITION,
    TABLE,
    comparison,
    folders_with_tables,
    kept_comparison,
)
from scripts.model.plan_file import read_plan
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.plan.planner import history
from scripts.plan.registration import register
from scripts.plan.set_aside import read_set_aside
from scripts.plan.trial_services import read_trial_services
from scripts.recognition import LIBRARY
from scripts.tables.calibration_table import join_calibrations
from scripts.tables.cycle_tables import BACKENDS, PER_TRIAL, build_cycle, build_equivalence, planned_folders
from scripts.tables.database import checked
from scripts.tables.describe_cycle import describe_cycle
from scripts.tables.output import write_table
from scripts.tables.registration_table import registration_table
from scripts.tables.table_list import every_table


def make_tables(
    cycle: Path,
    only: Collection[str] | None = None,
    measured: Path | None = None,
    calibrations: Path | None = None,
) -> None:
    """Write tables/ of a cycle, each table after those that it is made from.

    Args:
        cycle: the folder of the cycle, with plan/, and with compared/ if it is compared with others.
        only: the tables to write. Those that they are made from are among them, or there already. None: all,
            and cycle.json.
        measured: the folder with rows/ and the trials; None: the same.
        calibrations: the folder with the rows of calibration trials; None: rows/.

    Raises:
        UserError: something that a table is made from is missing or wrong.
    """
    measured = measured or cycle
    plan, tables, rows = cycle / "plan/plan.csv", cycle / "tables", measured / "rows"
    campaign, compared = read_campaign(cycle / "plan/config.json"), kept_comparison(cycle)
    wanted = {*(every_table() if only is None else only)}
    trials = planned_folders(plan, rows) if wanted & {*PER_TRIAL} else []
    build_cycle(trials, tables, campaign, None if compared.before is None else cycle / BEFORE, wanted)
    services = tables / "trial_services.parquet"
    if "plan" in wanted:
        write_table([plan_table(campaign, plan, services)], "plan", tables, with_csv=True)
    if "registration" in wanted:
        table = registration_table(campaign, plan.parent, services)
        write_table([table], "registration", tables, with_csv=True)
    if "equivalence" in wanted and compared.other_bottleneck is not None:
        both = dict.fromkeys(BACKENDS, cycle / OTHER_BOTTLENECK) | {campaign.bottleneck: services}
        build_equivalence(both, campaign, tables)
    if RECOGNITION in wanted and (cycle / LABELS).is_file():
        from scripts.tables.recognition_table import recognition_table  # takes long to load

        before = cycle / BEFORE_RECOGNITION
        recognised = recognition_table(campaign, tables, cycle / LABELS, before if before.is_file() else None)
        write_table([recognised], RECOGNITION, tables, with_csv=True)
    if "calibration" in wanted:
        join_calibrations(sorted((calibrations or rows).glob(f"*/{CALIBRATION}/[0-9]*")), tables)
    if only is None:
        published = measured / "published"
        described = describe_cycle(plan, published if published.is_dir() else measured / "trials", compared)
        write_text(tables / "cycle.json", json.dumps(described, indent=1) + "\n")


def tables_of(cycle: Path) -> list[str]:
    """The tables that a cycle has, by what is in compared/; each after those that it is made from."""
    lacking = set()
    if kept_comparison(cycle).other_bottleneck is None:
        lacking.add("equivalence")
    if not (cycle / LABELS).is_file():
        lacking.add(RECOGNITION)
    return [table for table in every_table() if table not in lacking]


def keep_compared(cycle: Path, library: Path = LIBRARY) -> None:
    """Write compared/ of data/<campaign>/<cycle>, anew if it exists: what its tables need of other cycles.

    `library` has the labelled traces that services are recognised by.
    """
    compared, folders = comparison(cycle), folders_with_tables(cycle)
    for name, file, table in (
        (compared.before, BEFORE, TABLE),
        (compared.before, BEFORE_RECOGNITION, f"tables/{RECOGNITION}.parquet"),
        (compared.other_bottleneck, OTHER_BOTTLENECK, TABLE),
    ):
        if name is None or not (folders[name] / table).is_file():
            (cycle / file).unlink(missing_ok=True)
        else:
            with replacing(cycle / file) as copy:
                shutil.copyfile(folders[name] / table, copy)
    config = cycle / "plan/config.json"
    if config.is_file() and library.is_file():
        from scripts.tables.recognition_table import keep_labels  # takes long to load

        keep_labels(read_campaign(config), cycle / LABELS, library)
    else:
        (cycle / LABELS).unlink(missing_ok=True)
    write_text(cycle / NAMES, json.dumps(asdict(compared), indent=1) + "\n")


def plan_table(campaign: Campaign, plan: Path, rows: Path) -> pa.Table:
    """The rows of scripts/tables/plan.yaml, in the order of its key.

    Args:
        campaign: the merged configuration.
        plan: plan.csv of the cycle.
        rows: its trial_services.parquet.
    """
    rounds = {line.key: line.round for line in read_plan(plan)}
    set_aside = read_set_aside(plan.parent)
    standings = [
        {"setting": cell.setting, "pair": cell.pair, "round": number} | vars(standing)
        for cell, number, standing in history(campaign, rounds, read_trial_services(rows), set_aside)
    ]
    return checked("plan", standings)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.tables.cycle", __doc__)
    parser.add_argument("cycle", type=Path, metavar="CYCLE_DIR", help="data/<campaign>/<cycle>")
    cycle = parser.parse_args(argv).cycle
    register(cycle / "plan")
    keep_compared(cycle)
    make_tables(cycle)
    return 0


if __name__ == "__main__":
    sys.exit(main())

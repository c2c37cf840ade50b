"""Build the table `plan`: the standing of every pair and service alone after each of its rounds, and the
reason.

    python -m scripts.tables.plan_table PLAN.csv --config CONFIG.json --rows trial_services.parquet
        -o TABLES_DIR

PLAN.csv is the plan of the complete cycle, and trial_services.parquet the cycle's table. A file
set_aside.json beside the plan names the services that were set aside before the cycle. The planner itself
judges them (scripts/plan/planner.py), so a frozen cycle gives the same answer. The command writes
plan.parquet and plan.csv. An error of the user is one line on standard error, with exit status 2.
"""

import sys
from pathlib import Path

import pyarrow as pa

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.model.campaign import Campaign, read_campaign
from scripts.model.plan_file import read_plan
from scripts.plan.planner import history
from scripts.plan.set_aside import read_set_aside
from scripts.plan.trial_services import read_trial_services
from scripts.tables.output import write_table
from scripts.tables.table_schema import check, load_schema


def plan_table(campaign: Campaign, plan: Path, rows: Path) -> pa.Table:
    """The rows of scripts/tables/plan.yaml, in the order of its key."""
    rounds = {line.key: line.round for line in read_plan(plan)}
    schema, set_aside = load_schema("plan"), read_set_aside(plan.parent)
    standings = [
        {"setting": cell.setting, "pair": cell.pair, "round": number} | vars(standing)
        for cell, number, standing in history(campaign, rounds, read_trial_services(rows), set_aside)
    ]
    table = pa.Table.from_pylist(standings, schema=schema.arrow)
    check(table, schema)
    return table


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.tables.plan_table", __doc__)
    parser.add_argument("plan", type=Path, metavar="PLAN.csv", help="plan of the complete cycle")
    parser.add_argument(
        "--config", type=Path, required=True, metavar="CONFIG.json", help="merged configuration"
    )
    parser.add_argument(
        "--rows",
        type=Path,
        required=True,
        metavar="trial_services.parquet",
        help="trial_services of the cycle",
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="TABLES_DIR", help="folder for the table"
    )
    options = parser.parse_args(arguments)
    table = plan_table(read_campaign(options.config), options.plan, options.rows)
    write_table([table], "plan", options.output, with_csv=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

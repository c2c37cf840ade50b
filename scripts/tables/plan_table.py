"""Build the table `plan`: how every pair and solo stood after each of its rounds, and why.

    python -m scripts.tables.plan_table PLAN.csv --config CONFIG.json --rows trial_services.parquet
        -o TABLES_DIR

judges by the planner itself (scripts/plan/planner.py), from the whole plan and the cycle's trial_services. So
it gives the same answer for a frozen cycle. Writes plan.parquet and plan.csv. What the user can mend is one
line on standard error and exit status 2.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import reporting
from scripts.base.files import read_json
from scripts.model.plan_file import read_plan
from scripts.plan.planner import history
from scripts.tables.output import write_table
from scripts.tables.table_schema import check, load_schema


def plan_table(config: dict[str, Any], plan: Path, rows: Path) -> pa.Table:
    """The rows of scripts/tables/plan.yaml, in the order of its key."""
    rounds = {
        (line["setting"], line["pair"], int(line["trial"])): int(line["round"]) for line in read_plan(plan)
    }
    schema = load_schema("plan")
    lines = [
        {"setting": setting, "pair": pair, "round": number} | vars(stood)
        for (setting, pair), number, stood in history(config, rounds, pq.read_table(rows).to_pylist())
    ]
    table = pa.Table.from_pylist(lines, schema=schema.arrow)
    check(table, schema)
    return table


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tables.plan_table", description="Build the table of the plan."
    )
    parser.add_argument("plan", type=Path, metavar="PLAN.csv", help="the cycle's whole plan")
    parser.add_argument(
        "--config", type=Path, required=True, metavar="JSON", help="the campaign's merged configuration"
    )
    parser.add_argument(
        "--rows", type=Path, required=True, metavar="PARQUET", help="the cycle's trial_services"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="TABLES_DIR", help="folder for the table"
    )
    options = parser.parse_args(arguments)
    config = read_json(options.config)
    write_table([plan_table(config, options.plan, options.rows)], "plan", options.output, with_csv=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Build the tables of a cycle from those of its trials.

    python -m scripts.tables.cycle_tables PLAN.csv --rows ROWS_DIR --config MERGED_CONFIG.json -o TABLES_DIR
        [--earlier TRIAL_SERVICES.parquet]

ROWS_DIR/<setting>/<pair>/<nn>/ was written by scripts.tables.trial_tables for every trial of the plan. Writes
the tables of PER_TRIAL and SUMMARIES, each as .parquet and .csv. `--earlier` is of the cycle before; without
it the table `changes` is empty. What the user can mend is one line on standard error and exit status 2.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import UserError, reporting
from scripts.base.files import read_json
from scripts.model.plan_file import read_plan
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.output import write_table
from scripts.tables.parameters import of_summaries
from scripts.tables.table_schema import check_columns, load_schema

PER_TRIAL = (
    "validity",
    "upstream_loss",
    "trial_services",
    "trial_series",
    "trial_flows",
    "qoe_video",
    "qoe_video_series",
    "qoe_rtc",
    "qoe_web",
    "qoe_batches",
)

# How many trials are held in memory: the series of the paper's have 12,000 rows each.
TRIALS_AT_ONCE = 25

# Every table over the trials in the order they are built, with what each is built from.
SUMMARIES = {
    "solo": ("trial_services",),
    "pairs": ("trial_services", "solo"),
    "services": ("pairs",),
    "transitivity": ("pairs",),
    "stability": ("trial_services",),
    "findings": ("pairs", "services", "stability", "transitivity"),
    "excluded": ("validity", "trial_services"),
    "changes": ("trial_services", "earlier_trial_services"),
    "qoe_pairs": ("qoe_video", "qoe_rtc", "qoe_web"),
    "workloads": ("trial_services", "trial_flows", "qoe_web", "solo"),
}


def build_cycle(
    trials: list[Path], output: Path, config: dict[str, Any], earlier: Path | None = None
) -> None:
    """Write the cycle's tables.

    Args:
        trials: the folders of the trials' tables, in any order.
        output: the folder for the cycle's tables.
        config: the merged configuration.
        earlier: trial_services.parquet of the cycle before, if there is one.

    Raises:
        UserError: a table is missing, or a trial stands there twice.
    """
    folders = _in_key_order(trials)
    for table in PER_TRIAL:
        write_table(_parts(folders, table), table, output, with_csv=True)
    build_summaries(output, config, earlier)


def build_summaries(folder: Path, config: dict[str, Any], earlier: Path | None = None) -> None:
    """Write the tables of SUMMARIES beside those of PER_TRIAL.

    Args:
        folder: holds the tables of PER_TRIAL, over all trials.
        config: the merged configuration.
        earlier: trial_services.parquet of the cycle before; without it `changes` has no rows.
    """
    asked = of_summaries(config)
    with connect() as connection:
        add_formulas(connection)
        for table, sources in SUMMARIES.items():
            inputs: dict[str, Any] = {source: folder / f"{source}.parquet" for source in sources}
            inputs |= asked.get(table, {})
            if "earlier_trial_services" in inputs:
                if earlier is None:
                    write_table([], table, folder, with_csv=True)
                    continue
                inputs["earlier_trial_services"] = earlier
            write_table([build(connection, table, inputs)], table, folder, with_csv=True)


def _in_key_order(trials: list[Path]) -> list[Path]:
    """The folders by setting, pair and trial, so that their tables follow in the order of the key."""
    folders: dict[tuple[str, str, int], Path] = {}
    for folder in trials:
        row = _read([folder], "validity").slice(0, 1).to_pylist()[0]
        key = (row["setting"], row["pair"], row["trial"])
        if key in folders:
            raise UserError(f"{folder}: is the same trial as {folders[key]}; list it once")
        folders[key] = folder
    return [folders[key] for key in sorted(folders)]


def _parts(folders: list[Path], table: str) -> Iterator[pa.Table]:
    """The tables of some trials after those of others; their values were checked as each was built."""
    schema = load_schema(table)
    for first in range(0, len(folders), TRIALS_AT_ONCE):
        part = _read(folders[first : first + TRIALS_AT_ONCE], table)
        check_columns(part, schema)
        yield part


def _read(folders: list[Path], table: str) -> pa.Table:
    """The rows of these trials in their order."""
    return pa.concat_tables(_read_one(folder / f"{table}.parquet") for folder in folders)


def _read_one(path: Path) -> pa.Table:
    """The rows of one trial; threads would cost more than they save on so few."""
    if not path.is_file():
        raise UserError(f"{path}: is missing; build the tables of the trial first")
    with pq.ParquetFile(path) as file:
        return file.read(use_threads=False)


def planned_folders(plan: Path, rows: Path) -> list[Path]:
    """The folder of every trial of a plan.

    Raises:
        UserError: the plan is missing or empty.
    """
    if not plan.is_file():
        raise UserError(f"{plan}: no such file; name the plan.csv of the cycle")
    folders = [rows / line.key.path for line in read_plan(plan)]
    if not folders:
        raise UserError(f"{plan}: has no trials; plan some first")
    return folders


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tables.cycle_tables", description="Build the tables of a cycle."
    )
    parser.add_argument("plan", type=Path, metavar="PLAN.csv", help="the cycle's plan")
    parser.add_argument(
        "--rows", type=Path, required=True, metavar="ROWS_DIR", help="where the tables of its trials are"
    )
    parser.add_argument(
        "--config", type=Path, required=True, metavar="JSON", help="the campaign's merged configuration"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="TABLES_DIR", help="folder for the tables"
    )
    parser.add_argument(
        "--earlier", type=Path, metavar="TRIAL_SERVICES.parquet", help="of the cycle before, for `changes`"
    )
    options = parser.parse_args(arguments)
    if options.earlier is not None and not options.earlier.is_file():
        raise UserError(f"{options.earlier}: no such file; name trial_services.parquet of the cycle before")
    folders = planned_folders(options.plan, options.rows)
    build_cycle(folders, options.output, read_json(options.config), options.earlier)
    return 0


if __name__ == "__main__":
    sys.exit(main())

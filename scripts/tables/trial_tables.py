"""Build the tables of one trial.

    python -m scripts.tables.trial_tables PARQUET_DIR -o PARQUET_DIR_OUT --config MERGED_CONFIG.json

reads what scripts.extract wrote and writes the tables of TABLES. The thresholds are `validity` of the
campaign's merged configuration: a changed one decides anew from the same extraction. What the user can mend
is one line on standard error and exit status 2.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError, reporting
from scripts.base.files import read_json
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_trial_formulas
from scripts.tables.output import write_table
from scripts.tables.table_schema import load_schema

# Every table of a trial in the order they are built, with what each is built from.
TABLES = {
    "upstream_loss": ("clients", "queue"),
    "validity": ("clients", "packets", "queue", "upstream_loss", "senders", "qoe"),
    "trial_series": ("clients", "queue"),
    "trial_services": ("clients", "packets", "queue", "validity", "trial_series"),
    "trial_flows": ("clients", "packets", "flows"),
    "qoe_video": ("clients", "qoe", "trial_services"),
    "qoe_video_series": ("clients", "qoe", "trial_services"),
    "qoe_rtc": ("clients", "queue", "qoe", "trial_services"),
    "qoe_web": ("qoe", "trial_services"),
    "qoe_batches": ("clients", "qoe", "trial_services"),
}
EXTRACTED = ("clients", "packets", "queue", "flows", "senders", "qoe")

# Rules that ask yes or no tolerate nothing; every other rule has a key of its name in the configuration.
YES_OR_NO = dict.fromkeys(
    (
        *("completed", "cca", "capture_status"),
        *("capture_cut_headers", "capture_time_jumps", "capture_zero_length"),
    ),
    0,
)

# Rules that a cycle planned before they were there does not ask: its configuration has no threshold.
LATER = ("sender_limited_fraction", "render_limited_fraction")

# From how many lost packets on the rule upstream_loss_fraction is held against a service.
UPSTREAM_LOSS = "upstream_loss_min_packets"


def build_trial(parquet: Path, output: Path, config: Path) -> None:
    """Write the tables of one trial.

    Args:
        parquet: the folder scripts.extract wrote.
        output: the folder for the tables.
        config: the merged configuration as JSON.

    Raises:
        UserError: an input is missing, or the configuration lacks a threshold.
    """
    paths = {name: parquet / f"{name}.parquet" for name in EXTRACTED}
    for path in paths.values():
        if not path.is_file():
            raise UserError(f"{path}: is missing; extract the trial first")
    judging, workload = read_thresholds(config), read_workload(config)
    with connect() as connection:
        add_trial_formulas(connection)
        for table, sources in TABLES.items():
            inputs: dict[str, Any] = {source: paths[source] for source in sources}
            if table == "validity":
                inputs |= judging
            if table == "trial_flows":
                inputs |= workload
            write_table([build(connection, table, inputs)], table, output, with_csv=False)
            paths[table] = output / f"{table}.parquet"


def read_thresholds(config: Path) -> dict[str, Any]:
    """The bind parameters of validity.sql: rules, thresholds, and the fewest packets lost that count.

    Raises:
        UserError: the file is missing or no JSON, or a rule has no number.
    """
    given = read_json(config).get("validity")
    known = (given if isinstance(given, dict) else {}) | YES_OR_NO
    every = next(column.values for column in load_schema("validity").columns if column.name == "rule") or ()
    rules = [rule for rule in every if rule in known or rule not in LATER]
    for name in (*rules, UPSTREAM_LOSS):
        if not isinstance(known.get(name), int | float):
            raise UserError(f"{config}: validity.{name} must be a number; add it to the campaign")
    return {
        "rules": rules,
        "thresholds": [float(known[rule]) for rule in rules],
        UPSTREAM_LOSS: known[UPSTREAM_LOSS],
    }


def read_workload(config: Path) -> dict[str, Any]:
    """The bind parameters of trial_flows.sql.

    These are names of services with a pattern of their workload for each, and which services are web pages.
    """
    services: dict[str, Any] = read_json(config).get("services", {})
    pairs = [(name, pattern) for name, entry in services.items() for pattern in entry.get("workload", [])]
    return {
        "services": [name for name, _ in pairs],
        "patterns": [pattern for _, pattern in pairs],
        "pages": [name for name, entry in services.items() if entry.get("metric") == "web"],
    }


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tables.trial_tables", description="Build the tables of one trial."
    )
    parser.add_argument("parquet", type=Path, metavar="PARQUET_DIR", help="what scripts.extract wrote")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="folder for the tables"
    )
    parser.add_argument(
        "--config", type=Path, required=True, metavar="JSON", help="the campaign's merged configuration"
    )
    options = parser.parse_args(arguments)
    build_trial(options.parquet, options.output, options.config)
    return 0


if __name__ == "__main__":
    sys.exit(main())

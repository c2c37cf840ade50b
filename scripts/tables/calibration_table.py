"""Build the table `calibration`: of one calibration trial, or of a cycle.

    python -m scripts.tables.calibration_table trial TRIAL_DIR PARQUET_DIR --config CONFIG.json -o ROWS_DIR
    python -m scripts.tables.calibration_table join [ROWS_DIR …] -o TABLES_DIR

PARQUET_DIR is what scripts.extract wrote of TRIAL_DIR; the tolerances are `calibration` of the campaign's
merged configuration, so a changed one judges anew without measuring. `join` writes calibration.parquet and
.csv of all calibration trials of a cycle, empty where it has none. What the user can mend is one line on
standard error and exit status 2.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import UserError, reporting
from scripts.base.files import read_json
from scripts.base.parquet import write_rows
from scripts.plan.calibration import FLOOD_BYTES, PROBE_BYTES
from scripts.tables.database import build, connect
from scripts.tables.output import write_table
from scripts.tables.table_schema import load_schema
from scripts.tables.trial_tables import build_trial

TABLE = "calibration"
TOLERANCES = (
    "rate_error_fraction",
    "capacity_error_packets",
    "empty_queue_loss_packets",
    "delay_error_p50_ms",
    "delay_error_p99_ms",
    "sender_late_p99_ms",
)
SIZES = {"probe_bytes": PROBE_BYTES, "flood_bytes": list(FLOOD_BYTES)}
FACTS_SCHEMA = pa.schema(
    [
        ("round", pa.int32()),
        ("random_loss", pa.float64()),
        ("probes_sent", pa.int32()),
        ("late_p50_us", pa.float64()),
        ("late_p99_us", pa.float64()),
        ("late_max_us", pa.float64()),
    ]
)


def build_calibration(trial: Path, parquet: Path, output: Path, config: Path) -> dict[str, Any]:
    """Write calibration.parquet of one trial.

    Returns:
        Its row.

    Raises:
        UserError: an input is missing, or the configuration lacks a tolerance.
    """
    inputs: dict[str, Any] = SIZES | _tolerances(config)
    inputs |= {name: parquet / f"{name}.parquet" for name in ("clients", "packets", "queue")}
    with tempfile.TemporaryDirectory() as scratch, connect() as connection:
        build_trial(parquet, Path(scratch), config)
        inputs |= {name: Path(scratch, f"{name}.parquet") for name in ("validity", "facts")}
        write_rows(inputs["facts"], facts(trial))
        rows = build(connection, TABLE, inputs)
    write_table([rows], TABLE, output, with_csv=False)
    return dict(rows.to_pylist()[0])


def facts(trial: Path) -> pa.Table:
    """What the log and the capture do not say: the round, and what the sender told, unknown if it failed."""
    record = read_json(trial / "trial.json")
    qoe = trial / "qoe.json"
    told = read_json(qoe)["c1"] if qoe.is_file() else {}
    loss = record["link"].get("random_loss") or 0.0
    row = told | {"round": record["calibration"]["round"], "random_loss": loss}
    return pa.Table.from_pylist([{name: row.get(name) for name in FACTS_SCHEMA.names}], schema=FACTS_SCHEMA)


def _tolerances(config: Path) -> dict[str, Any]:
    given = read_json(config).get("calibration", {})
    for name in TOLERANCES:
        if not isinstance(given.get(name), int | float):
            raise UserError(f"{config}: calibration.{name} must be a number; add it to the campaign")
    return {name: given[name] for name in TOLERANCES}


def join(folders: list[Path], output: Path) -> None:
    """Write the cycle's table from the rows of its calibration trials, in the order of its key."""
    schema = load_schema(TABLE).arrow
    parts = [pq.read_table(folder / f"{TABLE}.parquet", partitioning=None) for folder in folders]
    rows = pa.concat_tables([schema.empty_table(), *parts])
    order = [("setting", "ascending"), ("trial", "ascending")]
    write_table([rows.sort_by(order)], TABLE, output, with_csv=True)


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tables.calibration_table", description="Build the table of calibrations."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("trial", help="of one calibration trial")
    one.add_argument("trial", type=Path, metavar="TRIAL_DIR", help="the calibration trial")
    one.add_argument("parquet", type=Path, metavar="PARQUET_DIR", help="what scripts.extract wrote of it")
    one.add_argument(
        "--config", type=Path, required=True, metavar="JSON", help="the campaign's merged configuration"
    )
    every = commands.add_parser("join", help="of all calibration trials of a cycle")
    every.add_argument("rows", type=Path, nargs="*", metavar="ROWS_DIR", help="where the row of each is")
    for command in (one, every):
        command.add_argument(
            "-o", "--output", type=Path, required=True, metavar="DIR", help="the table's folder"
        )
    options = parser.parse_args(arguments)
    if options.command == "trial":
        build_calibration(options.trial, options.parquet, options.output, options.config)
    else:
        join(options.rows, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())

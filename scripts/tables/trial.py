"""Build the tables of one trial.

    python -m scripts.tables.trial PARQUET_DIR -o PARQUET_DIR_OUT --config MERGED_CONFIG.json

reads what scripts.extract wrote and writes validity.parquet, trial_services.parquet and
trial_series.parquet. The thresholds are `validity` of the campaign's merged configuration: a changed one
decides anew from the same extraction. What the user can mend is one line on standard error and exit status 2.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from scripts.errors import UserError
from scripts.tables.database import build, connect
from scripts.tables.output import write_table
from scripts.tables.schema import load_schema

INPUTS = ("clients", "packets", "queue")

# Rules that ask yes or no tolerate nothing; every other rule has a key of its name in the configuration.
YES_OR_NO = {"completed": 0, "capture_status": 0, "cca": 0}


def build_trial(parquet: Path, output: Path, config: Path) -> None:
    """Write the three tables of one trial.

    Args:
        parquet: the folder scripts.extract wrote.
        output: the folder for the tables.
        config: the merged configuration as JSON.

    Raises:
        UserError: an input is missing, or the configuration lacks a threshold.
    """
    inputs: dict[str, Any] = {name: parquet / f"{name}.parquet" for name in INPUTS}
    for path in inputs.values():
        if not path.is_file():
            raise UserError(f"{path}: is missing; extract the trial first")
    thresholds = read_thresholds(config)
    with connect() as connection:
        bound = {name: inputs[name] for name in INPUTS}
        bound |= {"rules": list(thresholds), "thresholds": list(thresholds.values())}
        validity = build(connection, "validity", bound)
        write_table([validity], "validity", output, with_csv=False)
        inputs["validity"] = output / "validity.parquet"
        write_table([build(connection, "trial_services", inputs)], "trial_services", output, with_csv=False)
        series = build(connection, "trial_series", {name: inputs[name] for name in ("clients", "queue")})
        write_table([series], "trial_series", output, with_csv=False)


def read_thresholds(config: Path) -> dict[str, float]:
    """The threshold of every rule.

    Raises:
        UserError: the file is missing or no JSON, or a rule has no number.
    """
    try:
        content = json.loads(config.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{config}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{config}: is no JSON: {error}") from error
    given = content.get("validity") if isinstance(content, dict) else None
    rules = next(column.values for column in load_schema("validity").columns if column.name == "rule") or ()
    known = (given if isinstance(given, dict) else {}) | YES_OR_NO
    thresholds = {}
    for rule in rules:
        threshold = known.get(rule)
        if not isinstance(threshold, int | float):
            raise UserError(f"{config}: validity.{rule} must be a number: the highest figure accepted")
        thresholds[rule] = float(threshold)
    return thresholds


def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tables.trial", description="Build the tables of one trial."
    )
    parser.add_argument("parquet", type=Path, metavar="PARQUET_DIR", help="what scripts.extract wrote")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="folder for the tables"
    )
    parser.add_argument(
        "--config", type=Path, required=True, metavar="JSON", help="the campaign's merged configuration"
    )
    options = parser.parse_args(arguments)
    try:
        build_trial(options.parquet, options.output, options.config)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The plan's files: a line a trial, in the order of running.

plan/round-<nn>.csv holds the trials of one round (scripts/plan/rounds.py), plan/plan.csv those of a
complete cycle.
"""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from scripts.base.files import write_text

COLUMNS = ["order", "round", "setting", "pair", "trial", "duration_s"]


def write_plan_table(lines: Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write a plan.csv or a round's; keys of a line that are not columns are left out."""
    table = io.StringIO()
    writer = csv.DictWriter(table, COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(lines)
    write_text(path, table.getvalue())


def read_plan(path: Path) -> list[dict[str, str]]:
    """The lines of a plan.csv or a round's, with `nn`, the trial's number as its directory is named."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [line | {"nn": f"{int(line['trial']):02d}"} for line in csv.DictReader(stream)]

"""The plan's CSV files: one line per trial, in the order of running.

plan/round-<nn>.csv holds the trials of one round (scripts/plan/rounds.py). plan/plan.csv holds all trials of
a complete cycle.
"""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import replacing, wait_for_disk
from scripts.model.trials import TrialKey

COLUMNS = ("order", "round", "setting", "pair", "trial", "duration_s")
NAMES = {"setting": re.compile(r"[a-z0-9-]+"), "pair": re.compile(r"[a-z0-9_~-]+")}
"""Folders have these names, as the Snakefile constrains them."""


@dataclass(frozen=True)
class PlanLine:
    """One planned trial: its place in the cycle, from 1, its round, from 1, and its duration."""

    order: int
    round: int
    key: TrialKey
    duration_s: int


def write_plan_table(lines: Iterable[PlanLine], path: Path) -> None:
    """Write plan.csv or the file of a round. After a power cut it is whole, or not there."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(COLUMNS)
    for line in lines:
        key = line.key
        writer.writerow([line.order, line.round, key.setting, key.pair, key.number, line.duration_s])
    with replacing(path) as temporary:
        temporary.write_text(table.getvalue(), encoding="utf-8")
        wait_for_disk(temporary)


def read_plan(path: Path) -> list[PlanLine]:
    """Read plan.csv or the file of a round.

    Raises:
        UserError: the file has other columns, a line is no trial, or its names could not be those of folders.
    """
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise UserError(
                f"{path}: is no plan: its first line is not {','.join(COLUMNS)}; restore the file"
            )
        try:
            return [_line(row) for row in reader]
        except (KeyError, TypeError, ValueError) as error:
            problem = f"{path}: line {reader.line_num} is no planned trial: {error}"
            raise UserError(f"{problem}; restore the file") from error


def _line(row: dict[str, str]) -> PlanLine:
    for column, pattern in NAMES.items():
        if not pattern.fullmatch(row[column]):
            raise ValueError(f"{column} {row[column]!r}")
    key = TrialKey(row["setting"], row["pair"], int(row["trial"]))
    return PlanLine(int(row["order"]), int(row["round"]), key, int(row["duration_s"]))

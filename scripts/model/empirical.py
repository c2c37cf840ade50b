"""A measured distribution: a CSV file beside the catalogue, with the columns `value` and `cumulative`.

    value,cumulative
    100,0.25
    14480,0.5
    30000000,1

Each row is a point of the cumulative distribution: the fraction of all flows (or gaps) that are at most this
large. Both columns rise from row to row, and the last fraction is 1. Between two points the distribution is
linear. The first fraction is that of the first value itself.
"""

import csv
import math
from itertools import pairwise
from pathlib import Path

from scripts.base.errors import UserError

COLUMNS = ["value", "cumulative"]
FEWEST_POINTS = 2


def read_points(path: Path, where: str, least: float) -> tuple[tuple[float, float], ...]:
    """The points of a distribution: each a value and the fraction of those that are at most as large.

    Args:
        path: the CSV file.
        where: the catalogue file and the key that name it, for the message.
        least: the smallest allowed value.

    Raises:
        UserError: the file cannot be read, or its points are no distribution.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{where}: {path.name} cannot be read; put a CSV file of this name there") from error
    if rows[:1] != [COLUMNS]:
        raise UserError(f"{where}: {path.name}: the first line must be {','.join(COLUMNS)}; add it")
    points = tuple(
        _point(row, f"{where}: {path.name}: point {number}") for number, row in enumerate(rows[1:], 1)
    )
    if reason := _objection(points, least):
        raise UserError(f"{where}: {path.name}: {reason}")
    return points


def _point(row: list[str], where: str) -> tuple[float, float]:
    """The two numbers of a row."""
    try:
        value, cumulative = map(float, row)
    except ValueError:
        raise UserError(f"{where}: {','.join(row)} is not two numbers; write value,cumulative") from None
    if not math.isfinite(value) or not math.isfinite(cumulative):
        raise UserError(f"{where}: {','.join(row)} is not finite; give finite numbers")
    return value, cumulative


def _objection(points: tuple[tuple[float, float], ...], least: float) -> str | None:
    """Why these points are no distribution, and what to do; None if they are one."""
    if len(points) < FEWEST_POINTS:
        return f"has {len(points)} points; give at least {FEWEST_POINTS}"
    for number, ((value, cumulative), (next_value, next_cumulative)) in enumerate(pairwise(points), 2):
        if next_value <= value or next_cumulative <= cumulative:
            return f"point {number} does not rise above the one before; sort the points, and merge equal ones"
    if points[0][0] < least:
        return f"the value {points[0][0]:g} is too small; give values of at least {least:g}"
    if points[0][1] < 0 or points[-1][1] != 1:
        return (
            f"the fractions go from {points[0][1]:g} to {points[-1][1]:g}; they must end at 1, none below 0"
        )
    return None

"""Reading the tables that charts are drawn from."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import UserError

TRIAL_KEY = ["setting", "pair", "trial"]


def read_table(folder: Path, name: str) -> pa.Table:
    """Read one table of a cycle.

    Raises:
        UserError: the file is missing or is no Parquet.
    """
    path = folder / f"{name}.parquet"
    if not path.is_file():
        raise UserError(f"{path}: no such table; make the tables first, or name their folder")
    try:
        return pq.read_table(path)
    except pa.ArrowInvalid as error:
        raise UserError(f"{path}: not a Parquet table ({error}); make the tables again") from error


def by_trial(table: pa.Table) -> Iterator[tuple[tuple[str, str, int], pa.Table]]:
    """The rows of each trial, in the order of the trials' keys."""
    ordered = table.sort_by([(name, "ascending") for name in TRIAL_KEY])
    counts = ordered.group_by(TRIAL_KEY, use_threads=False).aggregate([([], "count_all")])
    start = 0
    for row in counts.to_pylist():
        yield (row["setting"], row["pair"], row["trial"]), ordered.slice(start, row["count_all"])
        start += row["count_all"]

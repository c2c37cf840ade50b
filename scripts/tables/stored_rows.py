"""The rows of trial_services that another cycle stored, perhaps with an earlier version of the observatory.

Columns are only added (scripts/site/data/contract.py). A table that lacks one is read with nulls: the queries
of `changes` and `equivalence` join the rows by the names of the columns.
"""

from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.tables.table_schema import load_schema

TABLE = "trial_services"
NEEDED = ("setting", "pair", "service", "contender", "instance", "clients", "valid", "throughput_mbps")
"""The columns without which rows cannot be compared."""


def check_stored(path: Path) -> None:
    """Check the columns of a stored table.

    Raises:
        UserError: there is no such file, a needed column is missing, or a column is unknown or has another
            type.
    """
    if not path.is_file():
        raise UserError(f"{path}: no such file; name {TABLE}.parquet of a cycle")
    stored, known = pq.read_schema(path), load_schema(TABLE).arrow
    if missing := [name for name in NEEDED if name not in stored.names]:
        raise UserError(f"{path}: has no column {', '.join(missing)}; build the tables of that cycle again")
    other = [
        f"{column.name} {column.type}"
        for column in stored
        if column.name not in known.names or column.type != known.field(column.name).type
    ]
    if other:
        raise UserError(
            f"{path}: this version does not know the columns {', '.join(other)}; "
            "use the version of the observatory that made the table, or a newer one"
        )

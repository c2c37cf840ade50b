"""Writes the rows of a trial that was measured before its cycle was resumed (scripts/model/resumed.py)."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.tables.output import write_table
from scripts.tables.table_list import names_of
from scripts.tables.table_schema import load_schema

LAST = "trial_services"
"""The table that is written last: if it is there, so are the others of its folder."""


def write_resumed_rows(resumed: Path, key: TrialKey, rows: Path) -> None:
    """Write the rows of a trial as the extraction of its captures had made them.

    Args:
        resumed: the folder resumed/ of its cycle, or any folder with the tables of the trial in tables/.
        key: the trial, or a calibration, which has a row of `calibration` and no others.
        rows: the folder to write to.

    Raises:
        UserError: a table lacks a column that every row needs.
    """
    tables = resumed / "tables"
    if key.pair == CALIBRATION:
        _write(tables, CALIBRATION, _is_of(key, ("setting", "trial")), rows)
        write_table([], LAST, rows, with_csv=False)
        return
    for table in sorted(names_of("trial"), key=lambda table: table == LAST):
        _write(tables, table, _is_of(key, ("setting", "pair", "trial")), rows)


def _is_of(key: TrialKey, columns: tuple[str, ...]) -> pc.Expression:
    """The filter for the rows of a trial, by the columns that identify it."""
    values = {"setting": key.setting, "pair": key.pair, "trial": key.number}
    first, *others = (pc.field(name) == values[name] for name in columns)
    for other in others:
        first = first & other
    return first


def _write(tables: Path, table: str, chosen: pc.Expression, rows: Path) -> None:
    """Write the chosen rows of a table. A table that is newer than the snapshot has none."""
    source = tables / f"{table}.parquet"
    resumed = [completed(pq.read_table(source, filters=chosen), source)] if source.is_file() else []
    write_table(resumed, table, rows, with_csv=False)


def completed(rows: pa.Table, source: Path) -> pa.Table:
    """Rows of an earlier version of a table with all columns of today: those that were added since are null.

    Raises:
        UserError: the rows lack a column that may not be null, or have one that is not known.
    """
    schema = load_schema(source.stem)
    optional = {column.name for column in schema.columns if column.optional}
    lacking = [name for name in schema.arrow.names if name not in (*rows.column_names, *optional)]
    unknown = [name for name in rows.column_names if name not in schema.arrow.names]
    if lacking or unknown:
        problem = f"lacks the columns {', '.join(lacking)}" if lacking else f"has unknown columns {unknown}"
        raise UserError(f"{source}: {problem}; use the version of the observatory that made the snapshot")
    columns = [
        rows[field.name] if field.name in rows.column_names else pa.nulls(rows.num_rows, field.type)
        for field in schema.arrow
    ]
    return pa.table(columns, schema=schema.arrow)

"""What a table must look like (scripts/tables/<table>.yaml), and the check every build passes."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import yaml

FOLDER = Path(__file__).resolve().parent
TYPES = {
    "string": pa.string(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
}
ROWS_SHOWN = 5


class SchemaError(Exception):
    """A table broke its own schema: names table, column and rows. A defect of the SQL or of its input."""


@dataclass(frozen=True)
class Column:
    """One column: `type` in `unit`, within [minimum, maximum], one of `values`; null only if `optional`."""

    name: str
    type: str
    meaning: str
    unit: str | None = None
    optional: bool = False
    minimum: float | None = None
    maximum: float | None = None
    values: tuple[str, ...] | None = None


@dataclass(frozen=True)
class TableSchema:
    """A table's name, grain, key columns and columns in order."""

    table: str
    grain: str
    key: list[str]
    columns: list[Column]

    @property
    def arrow(self) -> pa.Schema:
        """The same as Arrow types."""
        return pa.schema([(column.name, TYPES[column.type]) for column in self.columns])


@cache
def load_schema(table: str) -> TableSchema:
    """Read scripts/tables/<table>.yaml."""
    text = (FOLDER / f"{table}.yaml").read_text(encoding="utf-8")
    # libyaml's loader: every trial reads five of these files.
    content: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    columns = [Column(**column) for column in content["columns"]]
    return TableSchema(content["table"], content["grain"], content["key"], columns)


def check_columns(rows: pa.Table, schema: TableSchema) -> None:
    """Check names, order and types of the columns alone.

    Raises:
        SchemaError: they are not those of the schema.
    """
    if rows.schema.remove_metadata() != schema.arrow:
        raise SchemaError(
            f"{schema.table}: has the columns {_listed(rows.schema)}, its schema says {_listed(schema.arrow)}"
        )


def check(rows: pa.Table, schema: TableSchema) -> None:
    """Check types, nulls, ranges, allowed values and the key of a table.

    Raises:
        SchemaError: the first violation found.
    """
    check_columns(rows, schema)
    for column in schema.columns:
        values = rows[column.name]
        if not column.optional:
            _refuse(pc.is_null(values), rows, schema, column.name, "is null")
        if column.type == "double":
            _refuse(pc.invert(pc.is_finite(values)), rows, schema, column.name, "is not finite")
        if column.minimum is not None:
            _refuse(pc.less(values, column.minimum), rows, schema, column.name, f"is below {column.minimum}")
        if column.maximum is not None:
            _refuse(
                pc.greater(values, column.maximum), rows, schema, column.name, f"is above {column.maximum}"
            )
        if column.values is not None:
            known = pc.is_in(values, pa.array(column.values), skip_nulls=True)
            _refuse(
                pc.and_(pc.invert(known), pc.is_valid(values)),
                rows,
                schema,
                column.name,
                f"is none of {', '.join(column.values)}",
            )
    repeated = rows.group_by(schema.key).aggregate([([], "count_all")])
    repeated = repeated.filter(pc.greater(repeated["count_all"], 1))
    if repeated.num_rows:
        raise SchemaError(f"{schema.table}: the key stands there twice: {_keys(repeated, schema)}")


def _refuse(wrong: Any, rows: pa.Table, schema: TableSchema, column: str, what: str) -> None:
    found = rows.filter(pc.fill_null(wrong, False))
    if found.num_rows:
        raise SchemaError(f"{schema.table}: {column} {what} in {found.num_rows} rows: {_keys(found, schema)}")


def _keys(rows: pa.Table, schema: TableSchema) -> str:
    """The keys of the first rows."""
    shown = rows.select(schema.key).slice(0, ROWS_SHOWN).to_pylist()
    return "; ".join(" ".join(str(value) for value in row.values()) for row in shown)


def _listed(schema: pa.Schema) -> str:
    return ", ".join(f"{field.name} {field.type}" for field in schema)

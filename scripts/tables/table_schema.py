"""What a table must look like (scripts/tables/<table>.yaml), and the check that every build passes."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import duckdb
import pyarrow as pa
import yaml

from scripts.base.records import Number, from_json
from scripts.figures.catalogue import CATALOGUE

FOLDER = Path(__file__).resolve().parent
TYPES = {
    "string": pa.string(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
}
SHOWN = 5
"""How many wrong rows an error names."""

FIGURES_OF = "figures_of"
STATISTICS = {
    "median": "median",
    "q25": "lower quartile",
    "q75": "upper quartile",
    "low": "low end of the median's 95 % interval, by days from five days on; null below 6 trials",
    "high": "high end of the median's 95 % interval, by days from five days on; null below 6 trials",
    "all_median": "median over all completed trials, also the invalid ones",
}
"""The statistics of a metric in a table that has a column for each, besides n."""

Level = Literal["trial", "cycle", "other"]
"""`trial`: built for every trial, then joined over the cycle (trial_tables.py). `cycle`: built from tables
over all trials (cycle_tables.py). `other`: needs more than SQL (cycle.py)."""


class TableSchemaError(Exception):
    """A table does not match its schema, or a schema is wrong: a defect of the SQL, the YAML or an input."""


@dataclass(frozen=True)
class Column:
    """One column: `type` in `unit`, within [minimum, maximum], one of `values`; null only if `optional`.

    `whole` gives the reason why its values depend on more trials than those of the pair and its solos.
    """

    name: str
    type: Literal["string", "int32", "int64", "double", "bool"]
    meaning: str
    unit: str | None = None
    optional: bool = False
    minimum: Number | None = None
    maximum: Number | None = None
    values: tuple[str, ...] | None = None
    whole: str | None = None


@dataclass(frozen=True)
class TableSchema:
    """A table: what it holds, what it is built from, and its columns in order.

    `sources` are the files that its SQL reads: what scripts.extract wrote, or other tables. `parameters` are
    the values that its SQL takes from the campaign (scripts/tables/parameters.py). Both are bound by name.
    `grain` says what a row is, and `key` names the columns that identify it. `whole` tells why a row depends
    on more trials than those of its pair and of the pair's services alone; None if it does not.
    """

    table: str
    description: str
    level: Level
    sources: tuple[str, ...]
    grain: str
    key: list[str]
    columns: tuple[Column, ...]
    parameters: tuple[str, ...] = ()
    whole: str | None = None

    @property
    def arrow(self) -> pa.Schema:
        """The columns as Arrow types."""
        return pa.schema([(column.name, TYPES[column.type]) for column in self.columns])


@cache
def load_schema(table: str) -> TableSchema:
    """Read scripts/tables/<table>.yaml.

    An entry `figures_of` stands for the statistics of these metrics. An entry {of: a table, columns: names}
    stands for these columns of the other table; its other keys replace theirs.
    """
    path = FOLDER / f"{table}.yaml"
    # libyaml's loader is fast: the tables of every trial need all of these files.
    content = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    columns = [column for entry in content["columns"] for column in _columns(entry)]
    return from_json(TableSchema, content | {"columns": columns}, str(path))


def _columns(entry: dict[str, object]) -> list[dict[str, object]]:
    """The columns of an entry of a schema."""
    if FIGURES_OF in entry:
        names = from_json(list[str], entry[FIGURES_OF], FIGURES_OF)
        return [column for name in names for column in _statistics(name)]
    if "of" in entry:
        other = {column.name: column for column in load_schema(str(entry["of"])).columns}
        own = {key: value for key, value in entry.items() if key not in ("of", "columns")}
        return [asdict(other[name]) | own for name in from_json(list[str], entry["columns"], "columns")]
    return [entry]


def _statistics(name: str) -> list[dict[str, object]]:
    """The columns of the statistics of a metric."""
    metric = CATALOGUE[name]
    meaning = metric.meaning or metric.name
    value = {"type": "double", "unit": metric.unit, "optional": True}
    value |= {"minimum": metric.minimum, "maximum": metric.maximum}
    columns = [
        value | {"name": f"{name}_{statistic}", "meaning": f"{meaning}, {words}"}
        for statistic, words in STATISTICS.items()
    ]
    n = {"name": f"{name}_n", "meaning": f"{meaning}, valid trials with a value"}
    return [*columns, n | {"type": "int32", "minimum": 0}]


def sql_of(table: str) -> list[Path]:
    """The file of a table's query, which may be missing, and those of its parts in a fixed order."""
    return [FOLDER / f"{table}.sql", *sorted((FOLDER / table).glob("*.sql"))]


def check_columns(rows: pa.Table, schema: TableSchema) -> None:
    """Check names, order and types of the columns alone.

    Raises:
        TableSchemaError: they are not those of the schema.
    """
    if rows.schema.remove_metadata() != schema.arrow:
        has, says = _names_and_types(rows.schema), _names_and_types(schema.arrow)
        raise TableSchemaError(f"{schema.table}: has the columns {has}, its schema says {says}")


def check(connection: duckdb.DuckDBPyConnection, rows: pa.Table, schema: TableSchema) -> None:
    """Check types, nulls, ranges, allowed values and the key of a table.

    DuckDB checks it, because the functions of pyarrow.compute take 0.06 s to load, in every trial's worker.

    Args:
        connection: any database; nothing in it changes.
        rows: the table.
        schema: what it must be.

    Raises:
        TableSchemaError: the first violation found.
    """
    check_columns(rows, schema)
    rules = [(column.name, *rule) for column in schema.columns for rule in _rules(column)]
    any_wrong = " or ".join(wrong for _, wrong, _ in rules)
    key = ", ".join(_quoted(name) for name in schema.key)
    sound = (
        f"select count(distinct ({key},)) = count(*) and not coalesce(bool_or({any_wrong}), false) from rows"
    )
    if connection.execute(sound).fetchall() == [(True,)]:
        return
    for name, wrong, problem in rules:
        if violations := connection.execute(f"select {key} from rows where {wrong}").fetchall():
            raise TableSchemaError(
                f"{schema.table}: {name} {problem} in {len(violations)} rows: {_some(violations)}"
            )
    repeated = f"select {key} from rows group by {key} having count(*) > 1 order by all"
    violations = connection.execute(repeated).fetchall()
    raise TableSchemaError(f"{schema.table}: several rows have the same key: {_some(violations)}")


def _rules(column: Column) -> Iterator[tuple[str, str]]:
    """What a value must not be, as SQL, and in words. A null breaks no rule but the first one."""
    name = _quoted(column.name)
    if not column.optional:
        yield f"{name} is null", "is null"
    if column.type == "double":
        yield f"not isfinite({name})", "is not finite"
    if column.minimum is not None:
        yield f"{name} < {column.minimum}", f"is below {column.minimum}"
    if column.maximum is not None:
        yield f"{name} > {column.maximum}", f"is above {column.maximum}"
    if column.values is not None:
        allowed = ", ".join("'" + value.replace("'", "''") + "'" for value in column.values)
        yield f"{name} not in ({allowed})", f"is none of {', '.join(column.values)}"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _some(keys: list[tuple[object, ...]]) -> str:
    """The first of these keys in words."""
    return "; ".join(" ".join(str(value) for value in key) for key in keys[:SHOWN])


def _names_and_types(schema: pa.Schema) -> str:
    return ", ".join(f"{field.name} {field.type}" for field in schema)

"""The rows of a table that differ between a snapshot and what was rebuilt, by the key of its schema."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from scripts.tables.database import connect
from scripts.tables.table_schema import FOLDER, load_schema

RowsOf = Callable[[Collection[str]], ds.Expression | None]
"""Which rows of a table with these columns are compared; None: all."""

MOST_ROWS = 200
"""How many differing rows of a table are told. All are counted."""

BATCH_ROWS = 131_072

PLAIN = ("setting", "pair", "client", "incumbent", "contender", "service", "rule")
"""Columns of keys whose values speak for themselves."""


@dataclass(frozen=True)
class DifferentCell:
    """A value that differs. A `column` of None means the whole row, which one side lacks."""

    key: Mapping[str, object]
    column: str | None
    published: object
    rebuilt: object

    @property
    def row(self) -> str:
        """The key in words, such as `8mbps a~b #3 c1`."""
        return " ".join(_word(name, value) for name, value in self.key.items() if value not in ("", None))

    @property
    def relative(self) -> float | None:
        """The difference of two numbers, relative to the larger one."""
        if not isinstance(self.published, float) or not isinstance(self.rebuilt, float):
            return None
        if not math.isfinite(self.published) or not math.isfinite(self.rebuilt):
            return None
        largest = max(abs(self.published), abs(self.rebuilt))
        return abs(self.published - self.rebuilt) / largest if largest else None

    def __str__(self) -> str:
        if self.column is None:
            return (
                f"{self.row}: {'is no row when rebuilt' if self.published else 'is a row only when rebuilt'}"
            )
        told = f"{self.row}: {self.column} {shown(self.published)}, rebuilt {shown(self.rebuilt)}"
        return told if self.relative is None else f"{told} (relative difference {self.relative:.2g})"


@dataclass(frozen=True)
class Rows:
    """The differing values of a table, and the number of rows that they are in; the first ones only.

    Attributes:
        columns: what is wrong with the columns themselves, in words.
        some: whether only some rows were compared.
    """

    cells: tuple[DifferentCell, ...] = ()
    count: int = 0
    columns: tuple[str, ...] = ()
    some: bool = False


def differing_rows(published: Path, rebuilt: Path, rows_of: RowsOf | None = None) -> Rows:
    """Compare two Parquet files of a table by value: NaN equals NaN, and null equals null.

    Args:
        published: the table in the snapshot.
        rebuilt: the table of the same name.
        rows_of: which rows are compared.
    """
    sides = [ds.dataset(path, format="parquet") for path in (published, rebuilt)]
    before, after = (dict(zip(side.schema.names, side.schema.types, strict=True)) for side in sides)
    both = [name for name, kind in before.items() if after.get(name) == kind]
    columns = tuple(_columns(before, after))
    if not (FOLDER / f"{published.stem}.yaml").is_file():
        return Rows(columns=(*columns, "this checkout does not know the table, so its rows are not compared"))
    key = load_schema(published.stem).key
    if not {*key} <= {*both}:
        return Rows(columns=columns)
    only = None if rows_of is None else rows_of(both)
    if only is None and len({side.count_rows() for side in sides}) == 1:
        one, other = _other_rows(published, rebuilt, both)
    else:
        one, other = (side.scanner(columns=both, filter=only).to_reader() for side in sides)
    found, count = _joined(one, other, both, key)
    cells = tuple(cell for row in found for cell in _cells(row, both, key))
    return Rows(cells, count, columns, only is not None)


def shown(value: object) -> str:
    """A value in words; a float so that it reads back the same."""
    return "null" if value is None else str(value)


def _columns(before: Mapping[str, pa.DataType], after: Mapping[str, pa.DataType]) -> list[str]:
    """The columns that only one side has, or whose types differ."""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return [f"column {name}: {before.get(name, 'none')}, rebuilt {after.get(name, 'none')}" for name in names]


def _other_rows(published: Path, rebuilt: Path, columns: list[str]) -> tuple[pa.Table, pa.Table]:
    """Of two tables of the same length the rows that are not the same at their place: of most tables few."""
    kept: tuple[list[pa.RecordBatch], list[pa.RecordBatch]] = ([], [])
    with pq.ParquetFile(published) as old, pq.ParquetFile(rebuilt) as new:
        schema = pa.schema([old.schema_arrow.field(name) for name in columns])
        batches = (file.iter_batches(BATCH_ROWS, columns=columns) for file in (old, new))
        for before, after in zip(*batches, strict=True):
            before, after = before.select(columns), after.select(columns)
            if not before.equals(after):
                other = _differ(before, after)
                kept[0].append(before.filter(other))
                kept[1].append(after.filter(other))
    return pa.Table.from_batches(kept[0], schema), pa.Table.from_batches(kept[1], schema)


def _differ(before: pa.RecordBatch, after: pa.RecordBatch) -> pa.BooleanArray:
    """Which rows differ at their place. NaN differs from NaN here."""
    found = pa.array([False] * before.num_rows)
    for one, other in zip(before.columns, after.columns, strict=True):
        values = pc.fill_null(pc.not_equal(one, other), False)
        found = pc.or_(found, pc.or_(values, pc.xor(pc.is_null(one), pc.is_null(other))))
    return found


def _joined(
    published: pa.Table | pa.RecordBatchReader,
    rebuilt: pa.Table | pa.RecordBatchReader,
    columns: list[str],
    key: list[str],
) -> tuple[list[tuple[object, ...]], int]:
    """The first differing rows, each with both sides and whether it is there, and their number."""
    quoted = [f'"{name}"' for name in columns]
    same_key = " and ".join(f'p."{name}" is not distinct from r."{name}"' for name in key)
    other = " or ".join(f"p.{name} is distinct from r.{name}" for name in ("there", *quoted))
    sides = ", ".join(f"{side}.{name}" for side in "pr" for name in ("there", *quoted))
    order = ", ".join(f'coalesce(p."{name}", r."{name}")' for name in key)
    with connect() as database:
        database.register("published", published)
        database.register("rebuilt", rebuilt)
        found = database.execute(
            "with p as (select true as there, * from published), r as (select true as there, * from rebuilt) "
            f"select {sides}, count(*) over () from p full join r on {same_key} "
            f"where {other} order by {order} limit {MOST_ROWS}"
        ).fetchall()
    return found, found[0][-1] if found else 0


def _cells(row: tuple[object, ...], columns: list[str], key: list[str]) -> list[DifferentCell]:
    """The differing values of one row."""
    width = len(columns) + 1
    (before, *old), (after, *new) = row[:width], row[width : 2 * width]
    named = dict(zip(columns, old if before else new, strict=True))
    values = {name: named[name] for name in key}
    if not (before and after):
        return [DifferentCell(values, None, bool(before), bool(after))]
    pairs = zip(columns, old, new, strict=True)
    return [DifferentCell(values, name, one, other) for name, one, other in pairs if not _same(one, other)]


def _same(one: object, other: object) -> bool:
    return one == other or (one != one and other != other)


def _word(name: str, value: object) -> str:
    """One column of a key."""
    if name == "trial":
        return f"#{value}"
    return str(value) if name in PLAIN else f"{name} {value}"

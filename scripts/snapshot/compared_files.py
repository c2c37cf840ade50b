"""The values that differ between two files of the same name and kind: Parquet by rows, CSV, JSON, SVG or PNG.

Rows of Parquet are matched by the key of the table's schema. Of other files only the first difference counts.
"""

import csv
import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from PIL import Image, ImageChops

from scripts.tables.database import connect
from scripts.tables.table_schema import FOLDER, load_schema

LONGEST = 80
"""Characters of a value in a message, around the first that differs."""

ABSENT = "nothing"
"""What a JSON object has under a key that it lacks, in words."""

RowsOf = Callable[[Collection[str]], ds.Expression | None]
"""Which rows of a table with these columns are compared; None: all."""

MOST_ROWS = 200
"""How many differing rows of a table are described. All are counted."""

BATCH_ROWS = 131_072

PLAIN = ("setting", "pair", "client", "incumbent", "contender", "service", "rule")
"""Columns of keys whose values speak for themselves."""


def first_difference(published: Path, rebuilt: Path) -> str | None:
    """Where two files differ first, in words; None if they hold the same values in other bytes."""
    compare = COMPARED.get(published.suffix)
    try:
        return "the bytes differ" if compare is None else next(compare(published, rebuilt), None)
    except (ValueError, OSError, csv.Error, ElementTree.ParseError) as error:
        return f"cannot be compared by value: {error}"


def _csv(published: Path, rebuilt: Path) -> Iterator[str]:
    with (
        published.open(newline="", encoding="utf-8") as one,
        rebuilt.open(newline="", encoding="utf-8") as two,
    ):
        names: list[str] = []
        for line, (old, new) in enumerate(zip_longest(csv.reader(one), csv.reader(two)), start=1):
            names = names or old or []
            if old is None or new is None:
                yield f"line {line}: {_both(old, new)}"
                return
            for name, before, after in zip_longest(names, old, new):
                if not _same_field(before, after):
                    yield f"line {line}, {name}: {_both(before, after)}"


def _same_field(one: str | None, other: str | None) -> bool:
    """Whether two fields are the same text or the same number."""
    try:
        return one == other or float(one or "") == float(other or "")
    except ValueError:
        return False


def _json(published: Path, rebuilt: Path) -> Iterator[str]:
    yield from _values("", *(json.loads(path.read_text(encoding="utf-8")) for path in (published, rebuilt)))


def _values(place: str, old: object, new: object) -> Iterator[str]:
    """The values that differ in two parts of JSON files."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in {**old, **new}:
            yield from _values(f"{place}.{name}".lstrip("."), old.get(name, ABSENT), new.get(name, ABSENT))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _values(f"{place}[{number}]", before, after)
    elif isinstance(old, bool) != isinstance(new, bool) or (old != new and (old == old or new == new)):
        yield f"{place}: {_both(*('null' if value is None else value for value in (old, new)))}"


def _svg(published: Path, rebuilt: Path) -> Iterator[str]:
    trees = (ElementTree.parse(path).iter() for path in (published, rebuilt))
    for old, new in zip_longest(*trees):
        if old is None or new is None or old.tag != new.tag:
            yield f"elements: {_both(_tag(old), _tag(new))}"
            return
        if old.text != new.text:
            yield f"text: {_both(old.text, new.text)}"
        for name in {**old.attrib, **new.attrib}:
            if old.get(name) != new.get(name):
                yield f"{_tag(old)}, {name}: {_both(old.get(name), new.get(name))}"


def _tag(element: ElementTree.Element | None) -> str:
    return "none" if element is None else f"<{element.tag.rpartition('}')[2]}>"


def _png(published: Path, rebuilt: Path) -> Iterator[str]:
    with Image.open(published) as one, Image.open(rebuilt) as two:
        if one.size != two.size:
            yield f"{one.size[0]} × {one.size[1]} pixels, rebuilt {two.size[0]} × {two.size[1]}"
        elif box := ImageChops.difference(one.convert("RGBA"), two.convert("RGBA")).getbbox(alpha_only=False):
            yield f"the pixels differ between {box[:2]} and {box[2:]}"


def _both(old: object, new: object) -> str:
    """Two values in words; of long ones the part where they differ."""
    before, after = (ABSENT if value is None else str(value) for value in (old, new))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    start = 0 if max(len(before), len(after)) <= LONGEST else max(0, same - LONGEST // 2)
    return f"{_part(before, start)}, rebuilt {_part(after, start)}"


def _part(text: str, start: int) -> str:
    end = start + LONGEST
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


COMPARED: dict[str, Callable[[Path, Path], Iterator[str]]] = {
    ".csv": _csv,
    ".json": _json,
    ".svg": _svg,
    ".png": _png,
}


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
        words = f"{self.row}: {self.column} {shown(self.published)}, rebuilt {shown(self.rebuilt)}"
        return words if self.relative is None else f"{words} (relative difference {self.relative:.2g})"


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
        rows_of: which rows are compared. Of some rows, the columns that need all of them are left out.
    """
    sides = [ds.dataset(path, format="parquet") for path in (published, rebuilt)]
    before, after = (dict(zip(side.schema.names, side.schema.types, strict=True)) for side in sides)
    both = [name for name, kind in before.items() if after.get(name) == kind]
    columns = tuple(_columns(before, after))
    if not (FOLDER / f"{published.stem}.yaml").is_file():
        return Rows(columns=(*columns, "this checkout does not know the table, so its rows are not compared"))
    schema = load_schema(published.stem)
    key = schema.key
    if not {*key} <= {*both}:
        return Rows(columns=columns)
    only = None if rows_of is None else rows_of(both)
    if only is not None:
        of_all = {column.name for column in schema.columns if column.whole is not None}
        both = [name for name in both if name not in of_all]
    if only is None and len({side.count_rows() for side in sides}) == 1:
        one, other = _other_rows(published, rebuilt, both)
    else:
        one, other = (side.scanner(columns=both, filter=only).to_reader() for side in sides)
    rows, count = _joined(one, other, both, key)
    cells = tuple(cell for row in rows for cell in _cells(row, both, key))
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
    differs = pa.array([False] * before.num_rows)
    for one, other in zip(before.columns, after.columns, strict=True):
        values = pc.fill_null(pc.not_equal(one, other), False)
        differs = pc.or_(differs, pc.or_(values, pc.xor(pc.is_null(one), pc.is_null(other))))
    return differs


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
        rows = database.execute(
            "with p as (select true as there, * from published), r as (select true as there, * from rebuilt) "
            f"select {sides}, count(*) over () from p full join r on {same_key} "
            f"where {other} order by {order} limit {MOST_ROWS}"
        ).fetchall()
    return rows, rows[0][-1] if rows else 0


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
